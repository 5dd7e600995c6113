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
| `schedule` | runs by the clock, and who is told |
| `commands` | every command: its options, and what it prints |
"""

import os

# Prefect and Dask read these when they are first imported.
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "warning")  # a run's log is of the run

# NumPy reads this one. Its threads cost each command a while, and no product here is large enough.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Numba would take any folder of cached code that a file in the working directory names.
os.environ.setdefault("NUMBA_CACHE_DIR", "")
