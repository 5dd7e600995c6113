"""First steps of a run, before Prefect is imported: its private folder, its server, its workers.

Like this process, the server and the workers take seconds to import what they need; starting them
first runs all imports in parallel. This module must not import anything large.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from multiprocessing import forkserver
from typing import Any

from .environment import set_environment, users_server
from .private_folder import private_folder, work_in_private_folder
from .server import start_server

FLOW = "accordeur.flows.campaign.measure"
CHECKS = "accordeur.data.validation.checks"
RECORDING = (
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_ENABLED",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_ENABLED",
    "PREFECT_LOGGING_TO_API_ENABLED",
)
"""Settings of Prefect for what a server records of tasks and their log."""


def prepare_run(*, quiet: bool, scheduler: bool = False) -> None:
    """Leave the working directory, and start the server in the background.

    Call this before importing Prefect. `scheduler`: whether the server also handles schedules. One
    that ends with the run records nothing of tasks, as nobody could read it.
    """
    import_pyarrow_without_pandas()
    if quiet:
        os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"
    leave_working_directory()
    if not users_server():
        for name in () if scheduler else RECORDING:
            os.environ.setdefault(name, "false")
        start_server(scheduler=scheduler)


class _WithoutPandas(MetaPathFinder):
    def find_spec(self, fullname: str, *_: Any) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)


def import_pyarrow_without_pandas() -> None:
    """Import pyarrow so that it takes no value for a column of pandas, and does not import it.

    Its first `pyarrow.array` would, for a quarter of a second. `to_pandas` still imports pandas.
    """
    finder = _WithoutPandas()
    sys.meta_path.insert(0, finder)
    try:
        import_module("pyarrow").array([])
    finally:
        sys.meta_path.remove(finder)


def leave_working_directory() -> None:
    """Change to the run's private folder, also Prefect's home unless the user has a server.

    Prefect reads settings from the working directory and from its home when it is imported.
    """
    work_in_private_folder()
    if not users_server():
        os.environ["PREFECT_HOME"] = str(private_folder() / "prefect")


def import_stages(*, in_workers: bool, validates: bool = True) -> None:
    """Import the stages where their tasks will run: in workers of this machine, or here.

    validates  whether rules are likely to be confirmed; otherwise Great Expectations, five seconds
               of CPU, is imported only if some are
    """
    if in_workers:
        start_worker_template(validates=validates)
    for name in [FLOW, CHECKS] if validates and not in_workers else [FLOW]:
        import_module(name)


def start_worker_template(*, validates: bool = True) -> None:
    """Start the process from which local workers are forked, after it has imported the stages.

    This saves eight seconds of CPU over all workers. Dask would replace the list of modules by its
    own; a process that runs already keeps its list.
    """
    set_environment()
    template = "accordeur.flows.engine.worker_template"
    multiprocessing.set_forkserver_preload([template, CHECKS] if validates else [template])
    forkserver.ensure_running()
