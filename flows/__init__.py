"""Campaign file, flows and command line: what runs, where, and in which order."""

import os

# Prefect and Dask read these when they are first imported.
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "warning")  # a run's log is of the run
