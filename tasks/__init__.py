"""What is measured, with two drivers: a campaign's shards on Dask, and exports in memory.

In a campaign thin Prefect tasks read a batch, call a pure function and write Parquet; `analysis`
has those that count and summarise every kind of layer. In memory, for the quick looks, the modules
called `exports` read what the user names and print the same numbers, without Prefect or Dask.

| folder | what is in it |
|---|---|
| `intake` | exports to spilled rows, these to accepted and rejected tables |
| `items` | labels on given items: counts and coefficients |
| `units` | units that annotators locate: alignments, chance, γ |
| `relations` | links between units, and chains |
| `references` | references made of the annotators' work |
| `scores` | systems scored against a reference |
| `exports` | what the quick looks of every kind share: options, reading, what they found |
| `planning` | from a pilot, how many documents and annotators an interval needs |
| `calibration` | what Δ∅, the weights and the distances of categories do to γ |
| `study` | trials of resampling studies |
| `reporting` | summaries to the results document, its page, its tables, its gates |
"""
