"""Campaign file, flows and command line: what is run, where, and in which order.

This folder contains the flows `campaign_quality`, `release_audit`, `resampling_study`,
`simulations` and `watch`, and the command line (`cli`).

| folder | contents |
|---|---|
| `campaign` | the campaign file, the stages of a run, and the use of earlier runs |
| `study` | the study file, its cells and their cost |
| `release` | what `accordeur audit` checks and deposits: the bundle, its signature, its software |
| `check` | `accordeur check`: what a run would find, without running it |
| `engine` | Prefect server, Dask, compiled kernels |
| `progress` | progress of a run |
| `schedule` | scheduled runs, and notifications |
| `commands` | every command: its options and its output |
"""
