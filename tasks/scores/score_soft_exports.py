"""`accordeur score --soft`: systems against the label distribution of an export's annotators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...data.errors import DataError
from ...data.in_memory.works import Work
from ...data.option_names import option
from ...data.readers.tables.distributions import is_distribution_table, read_distributions
from ...data.readers.tables.given import Given, GivenTable
from ...data.schema import Role
from ...metrics.agreement.label_matrix import LabelMatrix, sort_categories
from ..inputs.assessment_options import ScoreOptions
from .evaluation import Evaluation, Presence
from .reference_and_systems import (
    NamedExport,
    choose_systems,
    distinct_names,
    with_reference_documents,
)
from .soft_scores import MAIN, SoftPrediction, SoftSides, score_distributions

Items = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Crew:
    """Annotators whose labels form the reference; `whole` has the documents of all of them."""

    whole: Work
    members: Mapping[str, Work]

    @property
    def categories(self) -> set[str]:
        return {label for work in self.members.values() for label in work.labels.values()}


@dataclass(frozen=True, slots=True)
class _System:
    """Predictions of a system: its labels, a label for each annotator, or distributions."""

    name: str
    source: Given
    works: tuple[Work, ...] = ()
    is_distribution: bool = False


def crew_of_export(works: Mapping[str, Work], named: NamedExport, scored: Sequence[str]) -> Crew:
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
        if work.role == Role.HUMAN and work.labels and name not in scored
    }
    if len(members) < 2:
        raise DataError(
            f"{named.path}: {option('soft')} needs the labels of two annotators or more, "
            f"and it has "
            f"{len(members)}; units and aggregated labels have no distribution"
        )
    first = next(iter(members.values()))
    whole = replace(
        first,
        name=f"{len(members)} annotators",
        documents={name: n for work in members.values() for name, n in work.documents.items()},
        labels={key: label for work in members.values() for key, label in work.labels.items()},
        units=[],
    )
    return Crew(whole, members)


def score_soft_exports(
    crew: Crew,
    works_of: Callable[[str | GivenTable], Mapping[str, Work]],
    asked: Sequence[NamedExport],
    options: ScoreOptions,
    notes: list[str],
) -> tuple[Evaluation, list[Work]]:
    """Score all systems; also return the annotations that were scored (for the account of rows).

    works_of  function from a path to the annotations of each annotator in it
    """
    tagset = options.tagset or sort_categories(crew.categories)
    systems: list[_System] = []
    for one in asked:
        path = Path(one.path) if isinstance(one.path, str) else one.path
        if one.annotator is None and is_distribution_table(path, tagset):
            systems.append(_System(path.stem, path, is_distribution=True))
            continue
        works = works_of(one.path)
        is_crew = str(one.path) == crew.whole.source
        others = works.keys() - crew.members.keys()
        if one.annotator is None and is_crew and not others:
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
    names = distinct_names([Work(one.name, source=str(one.source)) for one in systems])
    aligned = {
        name: [with_reference_documents(crew.whole, work, name, notes) for work in one.works]
        for name, one in zip(names, systems, strict=True)
    }
    if not options.tagset:
        given = {label for works in aligned.values() for w in works for label in w.labels.values()}
        tagset = sort_categories(crew.categories | given)
    items = sorted({key for work in crew.members.values() for key in work.labels})
    matrix = _matrix(crew.members, items, tagset)
    predictions = {}
    for name, system in zip(names, systems, strict=True):
        if system.is_distribution:
            found = read_distributions(system.source, tagset)
            predictions[name] = SoftPrediction.of_distributions(found, items, len(tagset), name)
        elif len(system.works) > 1:
            of_name = {work.name: work for work in aligned[name]}
            own = _matrix({m: of_name.get(m, Work(m)) for m in crew.members}, items, tagset)
            predictions[name] = SoftPrediction.of_predicted_labels(own.codes, matrix)
        else:
            codes = _matrix({name: aligned[name][0]}, items, tagset).codes[:, 0]
            predictions[name] = SoftPrediction.of_codes(codes, len(tagset))
    presence = {
        name: Presence(
            frozenset().union(*(work.documents for work in works)) or set(crew.whole.documents),
            frozenset().union(*(work.not_assigned for work in works)),
        )
        for name, works in aligned.items()
    }
    rule = options.soft or "votes"
    distance = options.distance_between_categories(tagset, tagset_is_declared=bool(options.tagset))
    sides = SoftSides(matrix, predictions, presence, sorted({d for d, _ in items}), distance)
    evaluation = score_distributions(sides, rule, options, options.selected_measures(MAIN))
    return evaluation, [work for system in systems for work in system.works]


def _matrix(works: Mapping[str, Work], items: Items, tagset: Sequence[str]) -> LabelMatrix:
    """Return the labels on these items, with one column per annotator."""
    code = {category: k for k, category in enumerate(tagset)}
    number = {document: d for d, document in enumerate(sorted({d for d, _ in items}))}
    codes = np.full((len(items), len(works)), -1, np.int32)
    for column, work in enumerate(works.values()):
        for i, item in enumerate(items):
            if (label := work.labels.get(item)) is not None:
                if label not in code:
                    raise DataError(f"label {label!r} is not in the tagset ({', '.join(tagset)})")
                codes[i, column] = code[label]
    return LabelMatrix(
        codes=codes,
        tagset=tuple(tagset),
        annotators=tuple(works),
        documents=np.array([number[document] for document, _ in items], np.int64),
    )
