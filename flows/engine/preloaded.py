"""Imported by the process that workers are forked from: what it has loaded is theirs.

The compiled kernels take a worker half a second, the modules of the formats, the templates of the
page and what Prefect makes at its first report up to a tenth each; here they are loaded once, while
Prefect's server starts.
"""

from __future__ import annotations

import gc
import signal
from contextlib import suppress
from importlib import import_module

import anyio
from anyio.lowlevel import checkpoint
from prefect.client.schemas.actions import LogCreate
from prefect.events.schemas.events import Event
from prefect.plugins import load_prefect_collections

from ...data.readers.registry import readers
from ...metrics.alignment.compilation import compile_kernels
from ...reports.render import load_templates

LATE = (
    "accordeur.data.readers.tables.blocks",
    "accordeur.metrics.agreement.kernels",
)  # imported where first used


def load_late() -> None:
    for name in LATE:
        import_module(name)


def load_prefect() -> None:
    """What Prefect would make in the first task of each worker."""
    for model in (Event, LogCreate):
        model.model_rebuild()
    load_prefect_collections()
    anyio.run(checkpoint)  # for its backend; the loop is closed again


signal.signal(signal.SIGINT, signal.SIG_IGN)  # of an interrupted run the command ends its workers
for load in (compile_kernels, readers, load_templates, load_late, load_prefect):
    with suppress(Exception):  # what is wrong with them, the first task says better
        load()
gc.collect()
gc.freeze()  # forked, no worker goes through all that is loaded here, nor copies its pages for that
