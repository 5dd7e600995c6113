"""First steps of a run, before Prefect is imported: its private folder and its server.

Like this process, the server takes seconds to import Prefect; starting it first runs both imports
in parallel. This module must not import anything large.
"""

from __future__ import annotations

import os

from .environment import users_server
from .private_folder import private_folder, work_in_private_folder
from .server import start_server


def prepare_run(*, quiet: bool, scheduler: bool = False) -> None:
    """Leave the working directory, and start the server in the background.

    Call this before importing Prefect. `scheduler`: whether the server also handles schedules.
    """
    if quiet:
        os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"
    leave_working_directory()
    if not users_server():
        start_server(scheduler=scheduler)


def leave_working_directory() -> None:
    """Change to the run's private folder, also Prefect's home unless the user has a server.

    Prefect reads settings from the working directory and from its home when it is imported.
    """
    work_in_private_folder()
    if not users_server():
        os.environ["PREFECT_HOME"] = str(private_folder() / "prefect")
