"""Agreement on units: from counts and chance samples of a layer to the values in the report.

γ and the parts (`tasks.units.parts`) are computed in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from prefect import task

from ...data.store.receipts import Kept, kept, write_receipt
from ...data.store.store import Store
from ..analysis import Outcome, finished_outcome, reused
from .gamma import Samples, gamma_of_layer
from .parts import PARTS
from .work import UnitWork

GAMMA = "gamma"
_COSTLY = (GAMMA, "gamma_cat")  # they resample all documents
_NAME = "fields.json"


def split_pieces(parts: Sequence[str], n_tasks: int) -> list[list[str]]:
    """Distribute γ and these parts over at most `n_tasks` tasks; costly ones are separated."""
    order = sorted([GAMMA, *parts], key=lambda piece: piece not in _COSTLY)
    return [order[k::n_tasks] for k in range(min(n_tasks, len(order)))]


def measure_units(
    store_url: str,
    work: UnitWork,
    pieces: Sequence[str],
    samples: Samples,
    *,
    fresh: bool = False,
) -> list[tuple[str, Outcome]]:
    """Compute pieces of the layer, γ or parts (`tasks.units.parts`), each into its own place.

    samples  chance samples, needed only for γ
    """
    store = Store(store_url)
    done = []
    for piece in pieces:
        if piece == GAMMA:
            key, compute = work.key(piece, samples), partial(gamma_of_layer, store, work, samples)
        else:
            key, compute = work.key(piece), partial(PARTS[piece], store, work)
        done.append((piece, _reuse_or_compute(store, f"summarised/{key}", compute, fresh=fresh)))
    return done


measure_units_task = task(name="measure units", task_run_name="measure units {work.layer.name}")(
    measure_units
)


def _reuse_or_compute(
    store: Store, place: str, compute: Callable[[], dict[str, Any]], *, fresh: bool
) -> Outcome:
    found = Kept() if fresh else kept(store, place)
    if found.receipt is not None:
        return reused(found.receipt)
    store.write_json(f"{place}/{_NAME}", compute(), indent=None)
    return finished_outcome(write_receipt(store, place), damaged=found.damaged)


def join_units(store: Store, done: Sequence[tuple[str, Outcome]], parts: Sequence[str]) -> str:
    """Join the outcomes of `measure_units` into one summary of the layer; return its path.

    parts  in order
    """
    places = {piece: outcome.place for piece, outcome in done}
    summary = store.read_json(f"{places[GAMMA]}/{_NAME}")
    for part in parts:
        for field, values in store.read_json(f"{places[part]}/{_NAME}").items():
            summary["units"][field] += values
    return store.keep_json("summaries", summary)
