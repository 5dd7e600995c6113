"""Measurement of shards: of a campaign on Dask, or of exports in memory, as one shard.

In a campaign, thin Prefect tasks read a shard, call a pure function and write Parquet; `analysis`
contains the tasks that count and summarise every kind of layer. Commands and Python read exports
as the only shard of a store in memory (`inputs.one_shard`) and call the same functions.

| folder | contents |
|---|---|
| `intake` | conversion of exports to raw rows, and of raw rows to accepted and rejected tables |
| `inputs` | what all commands on exports share: options, reading, results, warnings |
| `agreement` | labels and objects on given items: counts and values |
| `units` | units located by annotators: alignments, chance samples, γ |
| `relations` | links between units, and chains |
| `references` | references computed from annotations |
| `scores` | scores of systems against a reference |
| `prevalence` | what a corpus contains, from labels of a system and an audit |
| `replacement` | whether a system may replace an annotator |
| `mistakes`, `next_round` | probable errors; what to annotate next |
| `planning` | number of documents and annotators for an interval width, from a pilot study |
| `calibration` | effect of Δ∅, the weights and the category distances on γ |
| `study` | trials of resampling studies |
| `run_comparison`, `release`, `certified_cases` | runs compared; releases; certified values |
| `reporting` | the results document made from the summaries: its page, tables and gates |
"""
