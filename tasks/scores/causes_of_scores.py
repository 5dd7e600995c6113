"""Causes of low scores: the parts, categories and positions where a system differs most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...metrics.arrays import Flags, Ints
from ...metrics.causes.disagreement import Comparisons, Disagreement, Part
from ...metrics.measure import MATCHES
from ...metrics.unit_rows import Units
from ...metrics.units.disagreement_of_pairs import disagreement_of_pairs
from ...metrics.units.unit_disagreement import UnitGroups
from ...reports import results as page
from ..cause_examples import LabelExamples, TextsOf, UnitExamples
from ..causes import cause_fields
from .label_scores import LabelSides
from .unit_scores import UnitSides

PartsOf = Callable[[Sequence[str]], tuple[tuple[Part, Flags], ...]]
_SIDES = ("reference", "system")
_MISSING, _CATEGORY = 0, 2
_F_OF_MATCH = {match: f"pairwise_f_{match}" for match in MATCHES} | {"exact": "pairwise_f"}


def causes_of_scores(
    sides: LabelSides | UnitSides,
    scores: page.SystemScores,
    reference: str,
    parts: PartsOf,
    texts_of: TextsOf,
) -> dict[str, Any]:
    """Return the fields of causes of a system's scores.

    reference  its name
    parts, texts_of  of documents by their names
    """
    own = (reference, scores.system), [one.measure for one in scores.values], parts, texts_of
    if isinstance(sides, LabelSides):
        return _causes_of_labels(sides, *own)
    return _causes_of_units(sides, *own)


def _causes_of_labels(
    sides: LabelSides,
    named: tuple[str, str],
    measures: Sequence[str],
    parts: PartsOf,
    texts_of: TextsOf,
) -> dict[str, Any]:
    """Return the fields of causes of all scores of a system's labels, which count its errors."""
    _, system = named
    chosen = (sides.reference >= 0) & sides.assigned(system)
    documents, names = sides.documents[chosen], sides.document_names
    correct, given = sides.reference[chosen], sides.systems[system][chosen]
    usage = np.zeros((len(names), len(sides.tagset) + 1))
    np.add.at(usage, (documents, correct), 1)
    by = UnitGroups.of_documents(usage, _SIDES, sides.tagset, parts(names))
    groups, wrong = by.documents[documents], correct != given
    kind = by.kind[
        np.where(given[wrong] < 0, _MISSING, _CATEGORY),
        by.category[correct[wrong]],
        by.category[np.where(given < 0, correct, given)[wrong]],
    ]
    found = by.nothing_compared(usage)
    np.add.at(found.amounts, (groups[wrong], 0, 1, kind), 1)
    found.chances[:, 0, 1] += np.bincount(groups, minlength=found.chances.shape[0])
    nothing, no_strata = np.zeros_like(groups), np.empty((0, groups.size), dtype=np.int64)
    comparisons = Comparisons(
        np.arange(groups.size), documents, groups, nothing, nothing + 1, by.category[correct],
        np.where(given < 0, -1, by.category[given]), nothing, nothing, ~wrong, no_strata,
    )  # fmt: skip
    found = replace(found, comparisons=lambda: iter([comparisons]))

    codes = np.column_stack([correct, given])
    examples = LabelExamples(
        codes, sides.tagset, named, documents, lambda i: (names[documents[i]], ""), texts_of
    )
    return cause_fields(dict.fromkeys(measures, _counted(found)), examples)


def _causes_of_units(
    sides: UnitSides,
    named: tuple[str, str],
    measures: Sequence[str],
    parts: PartsOf,
    texts_of: TextsOf,
) -> dict[str, Any]:
    """Return the fields of causes of the scores of a system's units, by how units match."""
    excluded = sides.not_assigned(named[1])
    names = [name for name in sorted(sides.reference) if name not in excluded]
    of_sides = (sides.reference, sides.decided(sides.systems[named[1]]))
    rows = [
        (d, who, *row)
        for who, of_side in enumerate(of_sides)
        for d, name in enumerate(names)
        for row in of_side.get(name, np.empty((0, 4), np.int64)).tolist()
    ]
    if not rows:
        return {}
    documents, owners, starts, ends, categories, gaps = np.array(rows, dtype=np.int64).T
    usage = np.zeros((len(names), len(sides.tagset) + 1))
    np.add.at(usage, (documents, categories), 1)
    by = UnitGroups.of_documents(usage, _SIDES, sides.tagset, parts(names))
    units = Units(documents, starts, ends, categories, gaps)
    both = units, owners, np.ones((len(names), 2), dtype=np.bool_)
    _, of_f = disagreement_of_pairs(
        by.nothing_compared(usage), both, by, list(_F_OF_MATCH.values())
    )
    return cause_fields(
        {
            measure: of_f[_F_OF_MATCH[match]]
            for measure in measures
            for match in MATCHES
            if measure.startswith(f"{match}_") and _F_OF_MATCH[match] in of_f
        },
        UnitExamples(both, named, sides.tagset, names, texts_of),
    )


def _counted(found: Disagreement) -> Disagreement:
    """Return the same with as many errors and comparisons as their amounts."""
    counts: Ints = found.amounts.astype(np.int64)
    return replace(found, counts=counts, compared=found.chances.astype(np.int64))
