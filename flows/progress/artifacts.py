"""What a run shows in Prefect's interface, posted by a thread of its own: no stage waits for it."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from httpx import HTTPError
from prefect.artifacts import (
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)


class Shown:
    """The artifacts of one flow run, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="artifacts")
        self._artifact: Any = None
        self._last: Future[None] | None = None

    def begin(self, key: str) -> None:
        """The artifact that `progress` will move, at zero."""
        self._last = self._post(partial(self._create, key))

    def progress(self, percent: float, description: str, *, is_last: bool = False) -> None:
        """Left out while the server still has the one before, except the last."""
        if is_last or self._last is None or self._last.done():
            self._last = self._post(partial(self._update, percent, description))

    def table(self, key: str, rows: Sequence[Mapping[str, Any]], description: str) -> None:
        table = [dict(row) for row in rows]
        self._post(partial(create_table_artifact, key=key, table=table, description=description))

    def wait(self) -> None:
        """Until all is posted; nothing can be shown afterwards."""
        self._pool.shutdown()

    def _post(self, post: Callable[[], Any]) -> Future[None]:
        return self._pool.submit(contextvars.copy_context().run, _post_if_it_answers, post)

    def _create(self, key: str) -> None:
        self._artifact = create_progress_artifact(progress=0.0, key=key)

    def _update(self, percent: float, description: str) -> None:
        if self._artifact is not None:
            update_progress_artifact(
                artifact_id=self._artifact, progress=percent, description=description
            )


def _post_if_it_answers(post: Callable[[], Any]) -> None:
    with suppress(HTTPError):  # a server that is away must not end a run
        post()
