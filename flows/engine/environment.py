"""Variables of the environment that libraries read when they are imported: telemetry, threads.

Importing Accordeur changes no variable. Whatever starts a process of a run sets them for it: the
command, the run's Prefect server, Dask workers of this machine, and the deployments of
`prefect.yaml`.
"""

from __future__ import annotations

import os

VARIABLES = {
    # Telemetry of Prefect's client and server. Great Expectations has a switch of its own.
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # A run's log is about the run.
    "DASK_LOGGING__DISTRIBUTED": "warning",
    # NumPy's threads cost each process a while, and no product here is large enough for them.
    "OPENBLAS_NUM_THREADS": "1",
    # Numba would take any folder of cached code that a file in the working directory names.
    "NUMBA_CACHE_DIR": "",
}


def set_environment() -> None:
    """Set the variables that the user has not set, for this process and all that it starts.

    To be called before NumPy, Numba, Dask and Prefect are imported.
    """
    for name, value in VARIABLES.items():
        os.environ.setdefault(name, value)
