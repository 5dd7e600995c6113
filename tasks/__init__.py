"""Thin Prefect tasks: read a batch, call a pure function, write Parquet, return its path.

Here is what every kind of layer stands on (`layers`, `arrays`, `groups`, `passes`, …) and the
simulations on a campaign's margins; a kind of layer, and an end of the run, has a folder.

| folder | what is in it |
|---|---|
| `intake` | exports to spilled rows, these to accepted and rejected tables |
| `items` | labels on given items: counts and coefficients |
| `units` | units that annotators locate: alignments, chance, γ |
| `relations` | links between units, and chains |
| `validity` | references, and systems scored against them |
| `study` | trials of resampling studies |
| `isolation` | documents that kill their workers: found, remembered, left out |
| `reporting` | summaries to the results document, its page, its tables, its gates |
"""
