"""Agreement on units: counts and chance samples of one layer to every number the report shows.

γ needs the samples of chance; the parts (`tasks.unit_parts`) do not, and are computed beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from prefect import task

from data.receipts import Kept, kept, write_receipt
from data.store import Store
from tasks.outcome import outcome
from tasks.unit_gamma import Samples, gamma_of_layer
from tasks.unit_parts import PARTS
from tasks.unit_work import UnitWork

_NAME = "fields.json"


def measure_gamma(
    store: Store, work: UnitWork, samples: Samples, *, fresh: bool = False
) -> dict[str, Any]:
    """The place in the store with γ and what is read off its counts; samples: as drawn."""
    place = f"summarised/{work.key('gamma', samples)}"
    return _kept(store, place, lambda: gamma_of_layer(store, work, samples), fresh=fresh)


def measure_parts(
    store: Store, work: UnitWork, parts: Sequence[str], *, fresh: bool = False
) -> list[dict[str, Any]]:
    """A place in the store for each of these parts of the layer (see `tasks.unit_parts`)."""
    return [
        {"part": part}
        | _kept(
            store,
            f"summarised/{work.key(part)}",
            lambda part=part: PARTS[part](store, work),  # type: ignore[misc]  # bound now, not later
            fresh=fresh,
        )
        for part in parts
    ]


def _kept(
    store: Store, place: str, compute: Callable[[], dict[str, Any]], *, fresh: bool
) -> dict[str, Any]:
    found = Kept() if fresh else kept(store, place)
    if found.receipt is not None:
        return outcome(found.receipt, reused=True)
    store.write_json(f"{place}/{_NAME}", compute())
    return outcome(write_receipt(store, place), damaged=found.damaged)


def join_units(store: Store, gamma: str, parts: Sequence[str]) -> str:
    """One summary of the layer from the places of γ and of its parts in order; its path."""
    summary = store.read_json(f"{gamma}/{_NAME}")
    for place in parts:
        for field, values in store.read_json(f"{place}/{_NAME}").items():
            summary["units"][field] += values
    return store.keep_json("summaries", summary)


@task(name="measure γ", task_run_name="measure γ {work.layer.name}")
def measure_gamma_task(
    store_url: str, work: UnitWork, samples: Samples, *, fresh: bool = False
) -> dict[str, Any]:
    return measure_gamma(Store(store_url), work, samples, fresh=fresh)


@task(name="measure parts", task_run_name="measure parts {work.layer.name}")
def measure_parts_task(
    store_url: str, work: UnitWork, parts: Sequence[str], *, fresh: bool = False
) -> list[dict[str, Any]]:
    return measure_parts(Store(store_url), work, parts, fresh=fresh)
