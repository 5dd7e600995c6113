"""Agreement on units: from counts and chance samples of a layer to the values in the report.

γ and the parts (`tasks.units.values_besides_gamma`) are computed in parallel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.measures import unit_value_names
from ..layer_results import write_results
from ..node import FIELDS, Node, Outcome
from ..options import UnitSettings
from .gamma import Samples, gamma_of_layer
from .unit_work import UnitWork
from .values_besides_gamma import PARTS

GAMMA = "gamma"
_COSTLY = (GAMMA, "gamma_cat")  # they resample all documents
_USE_SETTINGS = (GAMMA, "gamma_cat", "further")  # the others use no `UnitSettings`


def split_pieces(parts: Sequence[str], n_tasks: int) -> list[list[str]]:
    """Distribute γ and these parts over at most `n_tasks` tasks; costly ones are separated."""
    order = sorted([GAMMA, *parts], key=lambda piece: piece not in _COSTLY)
    return [order[k::n_tasks] for k in range(min(n_tasks, len(order)))]


@dataclass(frozen=True, slots=True)
class Piece:
    """γ or one part of a layer; `samples` are the chance samples, which only γ needs."""

    name: str
    work: UnitWork
    samples: Samples = ()


def piece_node(name: str, work: UnitWork, samples: Samples) -> Node:
    """Return the node of γ or of a part (`tasks.units.values_besides_gamma`)."""
    if name not in _USE_SETTINGS:
        work = replace(work, settings=UnitSettings())
    piece = Piece(name, work, samples if name == GAMMA else ())
    return Node(Folder.SUMMARISED, [work.corpus_place, *work.shards], piece, _compute)


def _compute(store: Store, place: str, piece: Piece, _inputs: object) -> None:
    name, work = piece.name, piece.work
    is_gamma = name == GAMMA
    found = gamma_of_layer(store, work, piece.samples) if is_gamma else PARTS[name](store, work)
    write_results(store, place, found)


@dataclass(frozen=True, slots=True)
class Joining:
    """A layer whose pieces are joined; its values are in the order of the measures, then others."""

    layer: str
    measures: tuple[str, ...]


def joining_node(work: UnitWork, pieces: Mapping[str, Outcome], parts: Sequence[str]) -> Node:
    """Return the node that joins the pieces of a layer into one summary; `parts` in order."""
    ordered = [pieces[name] for name in (GAMMA, *parts)]
    joining = Joining(work.layer.name, unit_value_names(work.settings.measures))
    return Node(Folder.SUMMARISED, ordered, joining, _join)


def _join(store: Store, place: str, joining: Joining, pieces: Sequence[Outcome]) -> None:
    def position(value: Mapping[str, Any]) -> int:
        names = (*joining.measures, value["measure"])
        return names.index(value["measure"])

    summary, *parts = (store.read_json(one.fields) for one in pieces)
    for fields in parts:
        for field, values in fields.items():
            summary["units"][0][field] += values
    summary["units"][0]["values"].sort(key=position)
    store.write_json(f"{place}/{FIELDS}", summary, indent=None)
