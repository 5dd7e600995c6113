"""Display of the run that a command starts: progress bars on a terminal, or JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ..errors import UserError

LogJson = Annotated[
    bool,
    typer.Option(
        "--log-json", help="Write progress and logs to stderr as one JSON object per line."
    ),
]


@contextmanager
def server_and_progress(*, quiet: bool, log_json: bool) -> Iterator[None]:
    """Provide a Prefect server for a run, and a watcher of its progress.

    `quiet` keeps Prefect's log lines off the terminal; with `log_json`, they are JSON lines.
    """
    from ..engine.api import api_server
    from .watcher import ProgressBars, watched_by

    if log_json:
        from .json_log import json_log

        with json_log() as log, _or_a_sentence(), api_server(quiet=True), watched_by(log):
            yield
        return
    with (
        _or_a_sentence(),
        api_server(quiet=quiet),
        ProgressBars() as bars,
        watched_by(bars),
    ):
        yield


@contextmanager
def _or_a_sentence() -> Iterator[None]:
    """Raise UserError if the Prefect server is unreachable for longer than its client waits."""
    from httpx import HTTPStatusError, TransportError

    from ..engine.private_folder import check_room

    try:
        yield
    except (TransportError, HTTPStatusError) as error:
        if isinstance(error, HTTPStatusError) and error.response.status_code < 500:
            raise
        check_room()
        raise UserError(
            f"the Prefect server stopped answering ({type(error).__name__}); what was computed "
            "is in the store: start the run again when the server is back, and it continues from "
            "there"
        ) from error
