"""Measurement, with two drivers: the shards of a campaign on Dask, and exports in memory.

In a campaign, thin Prefect tasks read a batch, call a pure function and write Parquet; `analysis`
contains the tasks that count and summarise every kind of layer. For commands that read exports
directly, the modules called `exports` compute the same values in memory, without Prefect or Dask.

| folder | contents |
|---|---|
| `intake` | conversion of exports to raw rows, and of raw rows to accepted and rejected tables |
| `items` | labels on given items: counts and coefficients |
| `units` | units located by annotators: alignments, chance samples, γ |
| `relations` | links between units, and chains |
| `references` | references computed from annotations |
| `scores` | scores of systems against a reference |
| `exports` | what all commands on exports share: options, reading, results, warnings |
| `planning` | number of documents and annotators for an interval width, from a pilot study |
| `calibration` | effect of Δ∅, the weights and the category distances on γ |
| `study` | trials of resampling studies |
| `reporting` | the results document made from the summaries: its page, tables and gates |
"""
