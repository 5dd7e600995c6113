"""`accordeur score --soft`: systems against the label distribution of an export's annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.tables.distributions import is_distribution_table, read_distributions
from ...data.readers.tables.given import Given, GivenTable
from ...data.schema import Role
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix, sort_categories
from ...metrics.item_name import place_of_item
from ..inputs.assessment_options import ScoreOptions
from ..item_names import document_names
from ..stored_annotations import label_rows, matrix_of_rows
from .evaluation import Evaluation, Presence
from .reference_and_systems import (
    NamedExport,
    choose_systems,
    distinct_names,
    with_reference_documents,
)
from .scored_works import Work
from .shard_to_score import KEY, Side, shard_to_score
from .soft_scores import MAIN, SoftPrediction, SoftSides, score_distributions


@dataclass(frozen=True, slots=True)
class ReferenceAnnotators:
    """Annotators whose labels form the reference; `whole` has the documents of all of them."""

    whole: Work
    members: Mapping[str, Work]

    @property
    def categories(self) -> set[str]:
        rows = self.whole.export.layer.rows
        return {label for name in self.members for label in rows[name]}


@dataclass(frozen=True, slots=True)
class _System:
    """Predictions of a system: its labels, a label for each annotator, or distributions.

    sides  name of each annotator whose labels it predicts → its side; "" for labels of its own
    """

    name: str
    source: Given
    works: tuple[Work, ...] = ()
    is_distribution: bool = False
    sides: Mapping[str, Side] = field(default_factory=dict)

    @property
    def predicts_annotators(self) -> bool:
        return len(self.works) > 1

    def presence(self, annotators: ReferenceAnnotators) -> Presence:
        if not self.sides:
            return Presence(frozenset(annotators.whole.documents))
        works = [side.work for side in self.sides.values()]
        return Presence(
            frozenset().union(*(work.documents for work in works)),
            frozenset().union(*(work.not_assigned for work in works)),
        )


def annotators_of_export(
    works: Mapping[str, Work], named: NamedExport, scored: Sequence[str]
) -> ReferenceAnnotators:
    """Return the humans of an export with labels. Raises DataError for fewer than two.

    scored  annotators of the same export that are scored against the others
    """
    if named.annotator is not None:
        raise DataError(
            f"{option('soft')} takes the labels of all annotators: give {named.path} without "
            f"#{named.annotator}"
        )
    members = {
        name: work
        for name, work in works.items()
        if work.role == Role.HUMAN and work.is_labels and not work.is_empty and name not in scored
    }
    if len(members) < 2:
        raise DataError(
            f"{named.path}: {option('soft')} needs the labels of two annotators or more, "
            f"and it has "
            f"{len(members)}; units and aggregated labels have no distribution"
        )
    first = next(iter(members.values()))
    documents = {name: n for work in members.values() for name, n in work.documents.items()}
    return ReferenceAnnotators(
        replace(first, name=f"{len(members)} annotators", documents=documents), members
    )


def score_soft_exports(
    annotators: ReferenceAnnotators,
    works_of: Callable[[str | GivenTable], Mapping[str, Work]],
    asked: Sequence[NamedExport],
    options: ScoreOptions,
    notes: list[str],
) -> tuple[Evaluation, list[Work]]:
    """Score all systems; also return the annotations that were scored (for the account of rows).

    works_of  function from a path to the annotations of each annotator in it
    """
    found = _systems(annotators, works_of, asked, options)
    systems = _aligned(annotators, found, notes)
    humans = [
        Side(name, Role.HUMAN, work.on({document: document for document in work.documents}))
        for name, work in annotators.members.items()
    ]
    sides = [*humans, *(side for one in systems.values() for side in one.sides.values())]
    scored = shard_to_score(sides, annotators.whole, options)
    layer, names = scored.layer, [side.name for side in sides]
    rows = label_rows(scored.store, KEY, layer, names)
    matrix = matrix_of_rows(rows, layer, names, HUMAN)
    labels = matrix.select_annotators(range(len(humans)))
    predictions = {name: _prediction(name, one, matrix, labels) for name, one in systems.items()}
    presence = {name: one.presence(annotators) for name, one in systems.items()}
    distance = options.distance_between_categories(
        layer.tagset, tagset_is_declared=bool(options.categories)
    )
    soft = SoftSides(labels, predictions, presence, document_names(matrix), distance)
    rule = options.soft or "votes"
    evaluation = score_distributions(soft, rule, options, options.selected_measures(MAIN))
    return evaluation, [work for one in found for work in one.works]


def _systems(
    annotators: ReferenceAnnotators,
    works_of: Callable[[str | GivenTable], Mapping[str, Work]],
    asked: Sequence[NamedExport],
    options: ScoreOptions,
) -> list[_System]:
    """Return the systems: tables of distributions, predicted annotators, or labels."""
    tagset = options.categories or sort_categories(annotators.categories)
    systems: list[_System] = []
    for one in asked:
        path = Path(one.path) if isinstance(one.path, str) else one.path
        if one.annotator is None and is_distribution_table(path, tagset):
            systems.append(_System(path.stem, path, is_distribution=True))
            continue
        works = works_of(one.path)
        is_reference = str(one.path) == annotators.whole.source
        others = works.keys() - annotators.members.keys()
        if one.annotator is None and is_reference and not others:
            raise DataError(
                f"{one.path}: all of its annotators are the reference; name the system as "
                f"{option('system')} {one.path}#NAME, or give its labels in a file of its own"
            )
        if one.annotator is None and not others and len(works) > 1:
            systems.append(_System(path.stem, path, tuple(works.values())))
            continue
        if one.annotator is None:
            works = {name: work for name, work in works.items() if name in others}
        chosen = choose_systems(works, one, None)
        systems += [_System(work.name, path, (work,)) for work in chosen]
    return systems


def _aligned(
    annotators: ReferenceAnnotators, systems: Sequence[_System], notes: list[str]
) -> dict[str, _System]:
    """Return the systems by distinct names, with their sides on documents of the reference."""
    names = distinct_names([(one.name, str(one.source)) for one in systems])
    taken, found = {*annotators.members}, {}
    for name, system in zip(names, systems, strict=True):
        sides = {}
        for work in system.works:
            own = f"{name}, as {work.name}" if system.predicts_annotators else name
            own = _distinct_from(own, taken)
            aligned = with_reference_documents(annotators.whole, work, name, notes)
            key = work.name if system.predicts_annotators else ""
            sides[key] = Side(own, Role.SYSTEM, aligned)
        found[name] = replace(system, sides=sides)
    return found


def _distinct_from(name: str, taken: set[str]) -> str:
    while name in taken:
        name += " (system)"
    taken.add(name)
    return name


def _prediction(
    name: str, system: _System, matrix: LabelMatrix, labels: LabelMatrix
) -> SoftPrediction:
    """Return what a system predicts for each item. labels: those of the annotators."""
    width = len(matrix.tagset)
    if system.is_distribution:
        items = [place_of_item(item) for item in matrix.items]
        rows = read_distributions(system.source, matrix.tagset)
        return SoftPrediction.of_distributions(rows, items, width, name)
    column = {one: a for a, one in enumerate(matrix.annotators)}
    if not system.predicts_annotators:
        return SoftPrediction.of_codes(matrix.codes[:, column[system.sides[""].name]], width)
    codes = np.full(labels.codes.shape, -1, np.int32)
    for a, member in enumerate(labels.annotators):
        if member in system.sides:
            codes[:, a] = matrix.codes[:, column[system.sides[member].name]]
    return SoftPrediction.of_predicted_labels(codes, labels)
