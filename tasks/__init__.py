"""Thin Prefect tasks: read a batch, call a pure function, write Parquet, return its path.

Here are the stages that every layer shares (`ingest`, `validate`, `layers`, `report`, …) and what
they stand on; a kind of layer has a folder.

| folder | what is in it |
|---|---|
| `items` | labels on given items: counts and coefficients |
| `units` | units that annotators locate: alignments, chance, γ |
| `validity` | references, and systems scored against them |
| `relations` | links between units, and chains |
| `study` | trials of resampling studies |
"""
