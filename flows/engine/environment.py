"""Environment variables that libraries read when they are imported: telemetry, threads.

Importing Accordeur changes no variable. They are set for each process of a run: the command, the
run's Prefect server, local Dask workers, and deployments (`flows.schedule.deployments`).
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ...data.untrusted.documents import parse_toml
from ...data.untrusted.files import read_file

VARIABLES = {
    # Telemetry of Prefect's client and server; for Great Expectations, see its own setting.
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # Keep Dask's informational messages out of the run's log.
    "DASK_LOGGING__DISTRIBUTED": "warning",
    # Starting NumPy's threads takes time, and no matrix product here is large enough for them.
    "OPENBLAS_NUM_THREADS": "1",
    # Otherwise Numba uses any cache folder named by a file in the working directory.
    "NUMBA_CACHE_DIR": "",
}


def set_environment() -> None:
    """Set the variables that the user has not set, for this process and its children.

    Call this before importing NumPy, Numba, Dask and Prefect.
    """
    for name, value in VARIABLES.items():
        os.environ.setdefault(name, value)


def users_server() -> str:
    """Return the API's URL from the environment or Prefect's active profile; "" if neither has one.

    Equivalent to Prefect's own rule, but without importing it, which takes seconds.
    """
    if url := os.environ.get("PREFECT_API_URL"):
        return url
    with suppress(OSError, RuntimeError, ValueError, KeyError, TypeError):
        home = os.environ.get("PREFECT_HOME") or Path.home() / ".prefect"
        file = os.environ.get("PREFECT_PROFILES_PATH") or Path(home) / "profiles.toml"
        profiles = parse_toml(read_file(Path(file)), str(file))
        active = os.environ.get("PREFECT_PROFILE") or profiles["active"]
        return str(profiles["profiles"][active]["PREFECT_API_URL"])
    return ""
