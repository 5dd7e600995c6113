"""Each fault on a true run: what is done to it, what it says, and whether its results are the same.

A fault is a function of a `Scene` (the folder, the servers, the unbroken run) that raises
AssertionError when the run does not come through; it returns what happened in a few words and the
store whose results must be those of `scene.unbroken`, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable

from accordeur.data.store.store import Store
from tests.faults.of_processes import flow_killed, poisoned_document, second_run, worker_killed
from tests.faults.of_the_server import prefect_gone, prefect_restarted
from tests.faults.of_the_store import (
    clock_goes_back,
    damaged_files,
    disk_full,
    store_away,
    store_gone,
)
from tests.faults.scene import Scene

FAULTS: dict[str, Callable[[Scene], tuple[str, Store]]] = {
    "a worker is killed in a task": worker_killed,
    "one document always kills its worker": poisoned_document,
    "the flow is killed and started again": flow_killed,
    "a second run on the same store": second_run,
    "the disk is full": disk_full,
    "the store does not answer": store_away,
    "the store is gone for good": store_gone,
    "the Prefect server is restarted": prefect_restarted,
    "the Prefect server stays away": prefect_gone,
    "files in the store are damaged": damaged_files,
    "the clock goes back": clock_goes_back,
}

NOT_COMPARED = (poisoned_document,)  # compared inside with a run without the document
