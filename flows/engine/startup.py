"""What a run starts first, before Prefect is imported: its private folder and its server.

The server imports Prefect for seconds, as this process does: started before, they share the wait.
Nothing heavy may be imported here.
"""

from __future__ import annotations

import os

from .private_folder import private_folder, work_in_private_folder
from .server import start_server, users_server


def prepare_run(*, quiet: bool, scheduler: bool = False) -> None:
    """Leave the working directory, and start the server in the background.

    To be called before Prefect is imported. scheduler: the server keeps schedules, too.
    """
    if quiet:
        os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"
    leave_working_directory()
    if not users_server():
        start_server(scheduler=scheduler)


def leave_working_directory() -> None:
    """Work in the run's private folder; Prefect's home is there, too, without a server of the user.

    Prefect reads settings from the working directory, and from its home, when it is imported.
    """
    work_in_private_folder()
    if not users_server():
        os.environ["PREFECT_HOME"] = str(private_folder() / "prefect")
