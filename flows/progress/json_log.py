"""Structured logs of a run: one JSON object per line on standard error, for log collectors.

Every line has `time` (UTC), `level`, `event` and, once the flow has begun, its `run_id`:

    stage    `stage` begins with `tasks` tasks
    task     a task is done: `what` (its shards, documents or samples), `done`, `seconds_left`
    note     `message` of the run: rows, skipped documents, damage
    log      `message` of the library `logger`
    error    `message`: the final sentence of a failed run
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, TextIO

from ..commands.terminal import escaped_document
from ..errors import error_sentence, is_user_error
from .stage_progress import StageProgress
from .watcher import set_default_watcher

_REQUESTED = "ACCORDEUR_LOG_JSON"
_LEAST = {"prefect": logging.INFO, "": logging.WARNING}


class JsonLog(logging.Handler):
    """Watcher of a run (see `flows.progress.watcher`) that also handles the log records."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._run_id: str | None = None
        self._pace: StageProgress | None = None
        self._last: logging.LogRecord | None = None

    def stage(self, name: str, n_tasks: int) -> None:
        self._pace = StageProgress(name, n_tasks)
        self._log_event("stage", stage=name, tasks=n_tasks)

    def advance(self, what: str = "") -> None:
        pace = self._pace or StageProgress("start", 0)
        pace.n_done += 1
        pace.expect(0)
        left = pace.seconds_left()
        about = {"what": what} if what else {}
        self._log_event(
            "task",
            stage=pace.name,
            **about,
            done=pace.n_done,
            tasks=pace.n_tasks,
            seconds_left=None if left is None else round(left, 1),
        )

    def note(self, text: str) -> None:
        self._log_event("note", message=text)

    def end_with(self, error: Exception) -> int:
        """Log the error; return the exit code: 2 if the user can fix it, else 3."""
        if is_user_error(error):
            self._log_event("error", "ERROR", message=error_sentence(error))
            return 2
        trace = "".join(traceback.format_exception(error))
        self._log_event(
            "error", "ERROR", message=f"{type(error).__name__}: {error}", traceback=trace
        )
        return 3

    def emit(self, record: logging.LogRecord) -> None:
        if record is self._last:  # Prefect's logger passes it on to the root logger
            return
        self._last = record
        try:
            self._log_event(
                "log", record.levelname, logger=record.name, message=record.getMessage()
            )
        except Exception:  # noqa: BLE001 - a record that cannot be written must not end a run
            self.handleError(record)

    def _log_event(self, event: str, level: str = "INFO", **what: Any) -> None:
        self._run_id = self._run_id or _id_of_the_run()
        stage = {"stage": self._pace.name} if self._pace and "stage" not in what else {}
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "level": level,
            "event": event,
            "run_id": self._run_id,
            **stage,
            **what,
        }
        text = json.dumps(line, ensure_ascii=False, default=str)
        self._stream.write(escaped_document(text) + "\n")
        self._stream.flush()


def _id_of_the_run() -> str | None:
    """Return the id of the flow run that the command started, not of a subflow."""
    if "prefect.context" not in sys.modules:
        return None
    from prefect.context import FlowRunContext

    context = FlowRunContext.get()
    if context is None or context.flow_run is None:
        return None
    flow_run = context.flow_run
    return None if flow_run.parent_task_run_id else str(flow_run.id)


@contextmanager
def json_log(stream: TextIO | None = None) -> Iterator[JsonLog]:
    """Write all output of this process as JSON lines, including an error that ends it.

    Raises SystemExit with 2 for bad input or configuration, with 3 for any other error.
    """
    log = JsonLog(stream or sys.stderr)
    before = {name: logging.getLogger(name).handlers[:] for name in _LEAST}
    _replace_terminal_output(log)
    try:
        yield log
    except Exception as error:  # noqa: BLE001 - every error is logged
        sys.exit(log.end_with(error))
    finally:
        for name, handlers in before.items():
            logging.getLogger(name).handlers = handlers
        with suppress(ValueError):
            log.flush()


def _replace_terminal_output(log: JsonLog) -> None:
    log.addFilter(lambda record: record.levelno >= _LEAST[_origin(record)])
    for name in _LEAST:
        logger = logging.getLogger(name)
        logger.handlers = [one for one in logger.handlers if not _prints_to_terminal(one)] + [log]


def request_json_of_served_runs() -> None:
    """Make runs that this process starts in other processes also log JSON lines."""
    os.environ[_REQUESTED] = "1"
    os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"


def log_json_where_requested() -> None:
    """Log JSON lines if `request_json_of_served_runs` was called in the process that serves."""
    if os.environ.get(_REQUESTED):
        log = JsonLog(sys.stderr)
        _replace_terminal_output(log)
        set_default_watcher(log)


def _origin(record: logging.LogRecord) -> str:
    return "prefect" if record.name.split(".")[0] == "prefect" else ""


def _prints_to_terminal(handler: logging.Handler) -> bool:
    return isinstance(handler, logging.StreamHandler) and not isinstance(
        handler, logging.FileHandler
    )
