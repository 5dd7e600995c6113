"""What a run shows in Prefect's interface: its progress and its main values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from httpx import HTTPError
from prefect.artifacts import (
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)


class Shown:
    """The artifacts of one flow run. A server that is away does not end the run."""

    def __init__(self) -> None:
        self._progress: Any = None

    def begin(self, key: str) -> None:
        """The artifact that `progress` will move, at zero."""
        with suppress(HTTPError):
            self._progress = create_progress_artifact(progress=0.0, key=key)

    def progress(self, percent: float, description: str) -> None:
        if self._progress is not None:
            with suppress(HTTPError):
                update_progress_artifact(self._progress, percent, description)

    def table(self, key: str, rows: Sequence[Mapping[str, Any]], description: str) -> None:
        with suppress(HTTPError):
            create_table_artifact([dict(row) for row in rows], key, description)
