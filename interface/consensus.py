"""Consensus of annotators from data frames: labels of items, objects, or units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import numpy as np

from ..data.readers.tables.given import Given
from ..data.row_account import rejection_summary
from ..data.schema import Role
from ..metrics.errors import MetricsError
from ..metrics.objects.object_distance import ObjectDistance
from ..metrics.options import ConsensusRule
from ..reports.columns import OwnColumn, Table, in_own_names
from .distances import Distance, given_distance
from .frames import Column, Kind, frame_kind, make_frame, own_columns, reading_with_order
from .keyword_options import public, require_choice
from .label_tables import Annotators, label_table
from .reading import Data, are_units, read
from .result import Result
from .unit_tables import unit_table

if TYPE_CHECKING:
    from ..metrics.agreement.label_matrix import LabelMatrix
    from ..metrics.alignment.continuum import Continuum
    from ..metrics.coded_warning import CodedWarning
    from ..metrics.references.unit_models.unit_consensus import ConsensusUnit


_Frame: TypeAlias = Callable[[Mapping[str, Sequence[Any]]], Any]
_RULES = {
    "dawid_skene": (
        "dawid_skene (labels weighted by the annotators' reliability, which can overrule a "
        'majority and decide a tie; rule="majority" counts votes and leaves ties open)'
    ),
    "majority": "majority (votes; ties are open)",
    "medoid": "medoid (the object nearest to the others)",
    "reliability": "reliability (units weighted by the annotators' reliability)",
}


@dataclass(frozen=True, repr=False, eq=False)
class Consensus(Result):
    """Consensus of annotators weighted by their reliability, or by their votes.

    ``to_frame`` has the resolved cases, as ``data``, and then the open items, without a label.

    Attributes
    ----------
    data
        A frame with one row per item (``document`` if there is one, ``item``, ``label``, ``votes``,
        the labels of the item with their numbers, ``share``, the share of these that are the
        consensus, and ``predicted_agreement``, the probability that a further annotator gives this
        label; of objects, in place of these three, ``distance``, the mean distance of the others'
        objects to the consensus) or per unit
        (``document``, ``start``, ``end``, ``category``, ``support``, ``confidence_level``,
        ``start_confidence``, ``end_confidence``).
    open
        Uncertain cases to review: items without a label, or units that were not kept, with their
        ``reason``, most probable first.
    annotators
        A frame with the reliability of each annotator (of votes, the share of labels that are those
        of the majority); for units, also the counts by kind of
        error, and a row for each category; for objects, the mean distance to the others and the
        weight.
    rule
        What decides: ``dawid_skene``, ``majority``, the model that ``held_out`` chose, ``medoid``
        (objects), ``reliability`` (units).
    n_overruled, n_ties
        The items with another label than the majority's, and those with a label where votes are
        tied.
    """

    data: Any
    open: Any
    annotators: Any
    warnings: Sequence[str] = ()
    rule: str = "reliability"
    n_overruled: int = 0
    n_ties: int = 0
    _matrix: LabelMatrix | None = None

    @property
    def models(self) -> Any:
        """For labels: a frame with the held-out log-loss of each annotator model, best first.

        It is computed when it is read. None for objects and units.
        """
        from ..metrics.references.label_models.held_out_loss import compare_label_models

        if self._matrix is None:
            return None
        found = compare_label_models(self._matrix)
        names = ("rule", "log_loss", "excess", "error", "is_supported")
        return self._frame({name: [getattr(one, name) for one in found] for name in names})

    def _columns(self) -> dict[str, list[Any]]:
        import narwhals as nw

        from ..tasks.references.label_consensus import columns_of_all_items

        resolved, open_ = (
            nw.from_native(one, eager_only=True).to_dict(as_series=False)
            for one in (self.data, self.open)
        )
        return resolved if self.rule == "reliability" else columns_of_all_items(resolved, open_)

    @property
    def _kind(self) -> Kind:  # type: ignore[override]  # that of its frames
        return frame_kind(self.data) or "pandas"

    def _blocks(self) -> Iterable[str | Table]:
        named = _RULES.get(self.rule, f"{self.rule} (the model that predicts held-out labels best)")
        counts = f"{named}: {len(self.data)} resolved, {len(self.open)} open"
        if self.rule not in _RULES or self.rule == "dawid_skene":
            counts += f"; {self.n_overruled} not the majority's label, {self.n_ties} of tied votes"
        elif self.n_ties:
            counts = counts.replace("ties are open", f"{self.n_ties} ties decided by an annotator")
        return [counts, *self._first_rows()]


@public()
def consensus(
    data: Data,
    *,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    start: Column = "start",
    end: Column = "end",
    category: Column | None = "category",
    rule: ConsensusRule = "dawid_skene",
    ties: str | None = None,
    gold: str | None = None,
    distance: Distance | None = None,
    weighted: bool = True,
) -> Consensus:
    """Build a consensus of labels, or of units if there is a column of their ``start``.

    Labels that are objects, with a ``distance``, have no probabilities: the consensus of an item is
    the annotators' object with the smallest sum of distances to all of them (the medoid).

    Parameters
    ----------
    data
        One row per label or unit of each annotator, as for :func:`agreement` and :func:`gamma`.
    document
        Column of the documents; default: ``document``, which labels may lack. Names of items only
        need to be unique within a document.
    start, end, category
        With a column ``start``, the rows are units from ``start`` to ``end`` with a ``category``,
        and an annotator without a row in a document counts as not having seen it.
    rule
        Of labels: ``dawid_skene`` weighs the annotators by their reliability, ``majority`` counts
        their votes and leaves ties open; ``held_out`` takes the model that predicts labels best on
        which it was not fitted: the first of ``models``, whose name is then the ``rule``.
    ties
        Of votes, the annotator whose label decides a tie, such as an expert.
    gold
        Annotator whose rows are correct: they are kept, and help to estimate the reliabilities of
        the others if held-out gold rows are then predicted better; a warning says if not.
        Not for objects.
    distance
        Distance between objects, as for :func:`agreement`.
    weighted
        Whether objects are weighted by the reliability of annotators, which is the inverse of their
        mean distance to the others (with five objects at the mean distance of all added to those
        of each). Two annotators alone have equal weights, so that items they differ on stay open.

    Returns
    -------
    Consensus
        Frames with the resolved cases, the open cases, and the reliabilities of annotators.

    Raises
    ------
    MetricsError
        Fewer than two annotators, or a missing column.

    References
    ----------
    Braylan & Lease 2020 for the object of the smallest average distance; Meir et al. 2023 for the
    average distance to others as an estimate of reliability.
    """
    from ..tasks.inputs.reading_warnings import warnings_on_reading

    if isinstance(data, str | Path):
        data = read(data)
    has_units = are_units(data, start, category) and label == "label"
    named = {"item": item, "document": document, "label": label, "annotator": annotator}
    objects = given_distance(distance=distance, categories=()).objects
    if distance is not None and objects is None:
        raise MetricsError("the distance of a consensus is between objects, such as word_error")
    require_choice("rule", rule, get_args(ConsensusRule))
    if has_units and (rule != "dawid_skene" or ties is not None):
        raise MetricsError(
            "rule and ties are of labels: a consensus of units always weighs the annotators by "
            "their reliability, and takes no votes; leave them out"
        )
    if rule != "dawid_skene" and (objects is not None or gold is not None):
        other = "gold" if objects is None else "a distance between objects"
        raise MetricsError(f"rule: {rule} is for labels without {other}: leave one of them out")
    if not weighted and objects is None:
        raise MetricsError("weighted is of objects: give their distance, too, or leave it out")
    if ties is not None and rule != "majority":
        raise MetricsError('ties: only votes are tied: give rule="majority", too')
    if objects is not None:
        if gold is not None:
            raise MetricsError("gold is for categories and units: leave it out with a distance")
        table, kind = label_table(data, item, annotator, label, document)
        frame = _framed(kind, own_columns(data, **named))
        return _object_consensus(table, frame, objects, weighted=weighted)
    if not has_units:
        table, kind = label_table(data, item, annotator, label, document)
        frame = _framed(kind, own_columns(data, **named))
        return _label_consensus(table, frame, gold, rule, ties)
    table, kind = unit_table(data, document or "document", annotator, start, end, category)
    of_units = {"start": start, "end": end, "category": category}
    frame = _framed(kind, own_columns(data, document=document, annotator=annotator, **of_units))
    made = _unit_consensus(_humans(table, gold), frame, gold)
    of_reading = _sentences(warnings_on_reading(table.notes))
    return replace(made, warnings=(*of_reading, *made.warnings))


def _framed(kind: Kind, named: Mapping[str, OwnColumn]) -> _Frame:
    """Return how frames are made, with the names of the columns in the data."""
    return lambda columns: make_frame(in_own_names(columns, named), kind)


def _humans(table: Given, gold: str | None) -> dict[str, list[Any]]:
    """Keep the rows of humans and of the gold annotator. Raises MetricsError without gold rows."""
    assert not isinstance(table, Path)
    columns = table.columns.to_pydict()
    names = columns["annotator"]
    if gold is not None and gold not in names:
        raise MetricsError(f"gold: no row is by an annotator {gold!r}")
    roles = columns.get("role", ["human"] * len(names))
    kept = [k for k, role in enumerate(roles) if role == "human" or names[k] == gold]
    return {name: [column[k] for k in kept] for name, column in columns.items()}


def _label_consensus(
    given: Given, frame: _Frame, gold: str | None, rule: ConsensusRule, ties: str | None
) -> Consensus:
    from ..metrics.references.votes import majority
    from ..tasks.inputs.exported_labels import read_exported_labels
    from ..tasks.references.label_consensus import label_consensus

    reading = reading_with_order(given)
    if gold is not None:
        reading = replace(reading, roles={gold: Role.HUMAN})
    labels = read_exported_labels([given], reading)
    whole = labels.matrix_with_documents()
    if gold is not None and gold not in whole.annotators:
        raise MetricsError(f"gold: no row is by an annotator {gold!r}")
    who = [a for a, name in enumerate(whole.annotators) if name != gold]
    if len(who) < 2:
        raise MetricsError("a consensus needs two annotators besides the gold annotator")
    known = None if gold is None else whole.codes[:, whole.annotators.index(gold)]
    matrix = whole.select_annotators(who)
    made = label_consensus(matrix, rule, known, ties=ties)
    voted, codes = majority(matrix).codes, made.reference.codes
    reliability = made.reliability.tolist()
    resolved, open_ = (
        made.columns(resolved=one, documents=labels.names_documents) for one in (True, False)
    )
    return Consensus(
        frame(resolved),
        frame(open_),
        frame({"annotator": list(matrix.annotators), "reliability": reliability}),
        (
            *filter(None, [rejection_summary(labels.shard.rejected)]),
            *_sentences([*labels.warnings(matrix=matrix, distance=None), *made.reference.warnings]),
        ),
        made.reference.rule if rule == "held_out" else rule,
        int(((voted >= 0) & (codes >= 0) & (voted != codes)).sum()),
        int(((voted < 0) & (codes >= 0)).sum()),
        matrix,
    )


def _object_consensus(
    given: Given, frame: _Frame, distance: ObjectDistance, *, weighted: bool
) -> Consensus:
    from ..metrics.item_name import place_of_item
    from ..metrics.references.object_consensus import consensus_of_objects
    from ..tasks.inputs.exported_labels import read_exported_labels

    labels = read_exported_labels([given], reading_with_order(given), objects=distance)
    matrix = labels.matrix_with_documents()
    made = consensus_of_objects(matrix, distance, weighted=weighted)

    def items_at(rows: Sequence[int]) -> dict[str, list[Any]]:
        at = [place_of_item(matrix.items[i]) for i in rows]
        named = {"document": [home for home, _ in at]} if labels.names_documents else {}
        return {**named, "item": [name for _, name in at]}

    if np.isnan(made.weights).all():
        raise MetricsError("no item has objects of two annotators, so there is no consensus")
    resolved, open_ = (np.flatnonzero(one).tolist() for one in (made.codes >= 0, made.codes < 0))
    reasons = ["tie" if made.is_tied[i] else "one annotator" for i in open_]
    return Consensus(
        frame(
            {
                **items_at(resolved),
                "label": [matrix.tagset[made.codes[i]] for i in resolved],
                "distance": made.distance[resolved].tolist(),
            }
        ),
        frame({**items_at(open_), "reason": reasons}),
        frame(
            {
                "annotator": list(matrix.annotators),
                "mean_distance": made.distances.tolist(),
                "weight": made.weights.tolist(),
            }
        ),
        warnings=(
            *filter(None, [rejection_summary(labels.shard.rejected)]),
            *_sentences(labels.warnings(distance=None)),
        ),
        rule="medoid",
    )


def _sentences(warnings: Sequence[CodedWarning]) -> tuple[str, ...]:
    from ..reports.warnings import in_english

    return tuple(in_english(one) for one in warnings)


def _unit_consensus(columns: Mapping[str, list[Any]], frame: _Frame, gold: str | None) -> Consensus:
    from ..metrics.references.unit_models.unit_consensus import consensus_of_units
    from ..tasks.inputs.data_warnings import warnings_on_units
    from ..tasks.stored_annotations import AnnotatedDocument

    categories = columns.get("category", [""] * len(columns["start"]))
    tagset = tuple(sorted({one for one in categories if one}))
    rows: dict[str, list[tuple[int, int, int, str]]] = {}
    for name, who, start, end, code in zip(
        columns["document"],
        columns["annotator"],
        columns["start"],
        columns["end"],
        (tagset.index(one) if one else -1 for one in categories),
        strict=True,
    ):
        rows.setdefault(name, []).append((start, end, code, who))
    documents = [
        AnnotatedDocument(name, _continuum(one, tagset, gold), []) for name, one in rows.items()
    ]
    made = consensus_of_units([one.continuum for one in documents], gold=gold)
    results = list(zip(rows, made.documents, strict=True))
    units = [(name, one) for name, result in results for one in result.units]
    open_ = [(name, one) for name, result in results for one in result.open]
    open_.sort(key=lambda row: -row[1].unit.confidence)
    columns_open = _unit_frame([(name, one.unit) for name, one in open_], tagset)
    errors = made.errors
    kinds = (
        *("annotator", "category", "reliability", "n_units"),
        *("exact", "boundary", "confused", "spurious", "missed"),
    )
    return Consensus(
        frame(_unit_frame(units, tagset)),
        frame({**columns_open, "reason": [one.reason for _, one in open_]}),
        frame({name: [getattr(one, name) for one in errors] for name in kinds}),
        warnings=_sentences([*warnings_on_units(documents), *made.warnings]),
    )


def _continuum(
    units: Sequence[tuple[int, int, int, str]], tagset: tuple[str, ...], gold: str | None
) -> Continuum:
    from ..metrics.alignment.continuum import Continuum

    names = tuple(sorted({who for *_, who in units}))
    starts, ends, codes = np.array([unit[:3] for unit in units]).T
    owners = np.array([names.index(who) for *_, who in units])
    roles = tuple("reference" if name == gold else "human" for name in names)
    return Continuum(starts, ends, codes, owners, names, tagset, roles=roles)


def _unit_frame(
    units: Sequence[tuple[str, ConsensusUnit]], tagset: Sequence[str]
) -> dict[str, list[Any]]:
    return {
        "document": [name for name, _ in units],
        "start": [int(one.start) for _, one in units],
        "end": [int(one.end) for _, one in units],
        "category": [tagset[one.category] if one.category >= 0 else "" for _, one in units],
        **{
            name: [getattr(one, name) for _, one in units]
            for name in ("support", "confidence", "start_confidence", "end_confidence")
        },
    }
