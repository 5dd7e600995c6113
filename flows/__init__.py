"""Campaign file, flows and command line: what runs, where, and in which order.

The flows themselves stand here: `campaign_quality`, `release_audit`, `resampling_study`,
`simulations`, `watch`; so does the command (`cli`).

| folder | what is in it |
|---|---|
| `campaign` | the campaign file, the stages of its run, what is kept of earlier runs |
| `study` | the study file, its cells and what they will cost |
| `check` | `accordeur check`: what a run would find, without one |
| `engine` | Prefect server, Dask, compiled kernels |
| `progress` | what a run shows while it works |
| `schedule` | runs on a schedule, and notifications |
| `commands` | every command: its options, and what it prints |
"""
