"""The queue of probable errors: probabilities of the model, with reasons, names and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.arrays import Flags, Floats, Ints
from ...metrics.intervals.binomial import clopper_pearson_limits
from ...metrics.references.differences_from_others import (
    SystematicDifference,
    systematic_differences,
)
from ...metrics.references.label_list import LabelList
from ...metrics.references.mistakes import Judgments, Mistakes
from ...metrics.references.place_labels import NOTHING, OTHER_BOUNDS
from ...reports import results as page
from .deciders import Decider
from .places import Place

MOST_VARYING = 200
VARYING = 0.5  # probability that two labels are correct
_UNDECIDED = -1


def mistake_queue(
    labels: LabelList,
    found: Mistakes,
    place_of: Callable[[int], Place],
    *,
    layer: str = "",
    at_least: float,
    most: int | None = None,
    of_units: bool = False,
    judgments: Judgments | None = None,
    n_audited: int = 0,
    decide: Decider | None = None,
) -> page.MistakeQueue:
    """List the labels whose probability of an error is at least `at_least`, most probable first.

    Labels that are decided are counted and not listed. Systematic differences come last, and are
    not counted as probable errors, because annotators who share a habit make them.

    labels    sorted by item
    place_of  function from the number of an item to its place
    most      maximum number to list; all are counted
    decide    whether a label is wrong, where it is decided; the precision follows from these labels
    """
    roles = labels.roles or (HUMAN,) * len(labels.annotator_names)
    with_roles = list(zip(labels.annotator_names, roles, strict=True))
    systems = [name for name, role in with_roles if role != HUMAN]
    probability = np.nan_to_num(found.probability, nan=-1.0)
    absent = [code for code, label in enumerate(labels.tagset) if of_units and label == NOTHING]
    differences = systematic_differences(labels, absent)
    names = labels.tagset
    said = _Said(labels, systems)
    verdicts = _verdict_counts(judgments)
    rows, codes = np.nonzero(probability >= at_least)
    probable = probability[rows, codes]
    is_systematic = _are_systematic(rows, codes, said, differences, of_units=of_units)
    wrong = _decided(rows, codes, said, place_of, decide)
    grades = _grades(probable[~is_systematic], wrong[~is_systematic])
    order = np.lexsort((codes, rows, -probable, is_systematic))
    mistakes = []
    for n in order[wrong[order] == _UNDECIDED][:most].tolist():
        row, code = int(rows[n]), int(codes[n])
        place, label, by = place_of(row), names[code], said.at(row)
        annotators = _givers(label, by)
        reason, other, n_other = _reason_with_majority(label, by, of_units)
        rates = [found.error_rates[labels.annotator_names.index(name)] for name in annotators]
        rejected, judged = verdicts.get((row, code), (0, 0))
        mistakes.append(
            page.Mistake(
                document=place.document,
                where=place.where,
                annotators=annotators,
                label=_label_with_bounds(label, annotators, place),
                probability=float(probability[row, code]),
                reason=reason,
                other=other,
                n_other=n_other,
                n_annotators=len(by),
                error_rate=float(np.mean(rates)),
                n_rejected=rejected,
                n_judged=judged,
                case=place.case,
                systematic=bool(is_systematic[n]),
            )
        )
    n_decided, n_changed = (
        sum(one.n_decided for one in grades),
        sum(one.n_changed for one in grades),
    )
    differs = (probability >= 0).sum(axis=1) > 1
    varying = np.nonzero((np.nan_to_num(found.variation, nan=0.0) >= VARYING) & differs)[0]
    varying = varying[np.argsort(-found.variation[varying], kind="stable")]
    return page.MistakeQueue(
        layer=layer,
        at_least=at_least,
        n_annotations=int((probability >= 0).sum()),
        n_probable=sum(grade.n for grade in grades),
        expected=float(np.nansum(found.probability)),
        mistakes=mistakes,
        grades=grades,
        systematic=[
            page.SystematicDifference.from_measured(
                one, label=names[one.own], other=names[one.others]
            )
            for one in differences
        ],
        n_varying=len(varying),
        varying=[
            _genuine_variation(place_of(row), said.at(row), float(found.variation[row]))
            for row in varying[:MOST_VARYING].tolist()
        ],
        error_rates={
            name: float(rate)
            for (name, role), rate in zip(with_roles, found.error_rates, strict=True)
            if role == HUMAN and not np.isnan(rate)
        },
        systems=systems,
        n_judgments=0 if judgments is None else int((judgments.authors != judgments.judges).sum()),
        n_audited=n_audited,
        n_decided=n_decided,
        n_changed=n_changed,
        interval=clopper_pearson_limits(n_changed, n_decided),
    )


def _grades(probable: Floats, wrong: Ints) -> list[page.MistakeGrade]:
    """Count the labels of each grade: decided ones, and those that were wrong."""
    least = np.array([*page.GRADES.values()])
    grade_of = (probable[:, None] < least).sum(axis=1)
    found = []
    for number, name in enumerate(page.GRADES):
        outcomes = wrong[grade_of == number]
        n_decided, n_changed = int((outcomes != _UNDECIDED).sum()), int((outcomes == 1).sum())
        if outcomes.size:
            interval = clopper_pearson_limits(n_changed, n_decided)
            found.append(
                page.MistakeGrade(
                    name=name, n=outcomes.size, n_decided=n_decided, n_changed=n_changed,
                    interval=interval,
                )
            )  # fmt: skip
    return found


def _decided(
    rows: Ints,
    codes: Ints,
    said: _Said,
    place_of: Callable[[int], Place],
    decide: Decider | None,
) -> Ints:
    """Whether each label is wrong: 1 or 0, or _UNDECIDED."""
    wrong = np.full(rows.size, _UNDECIDED, dtype=np.int64)
    if decide is None:
        return wrong
    for n, (row, code) in enumerate(zip(rows.tolist(), codes.tolist(), strict=True)):
        label = said.labels.tagset[code]
        found = decide(label, partial(said.givers, label, row), place_of(row))
        if found is not None:
            wrong[n] = int(found)
    return wrong


def _are_systematic(
    rows: Ints,
    codes: Ints,
    said: _Said,
    differences: Sequence[SystematicDifference],
    *,
    of_units: bool,
) -> Flags:
    """Whether each label is one of the systematic differences, of the only annotator who gave it.

    The items are read only where an annotator alone gave a label that is part of a difference.
    """
    names, tagset = said.labels.annotator_names, said.labels.tagset
    systematic = {(one.annotator, tagset[one.own], tagset[one.others]) for one in differences}
    is_own = np.zeros((len(names) + 1, len(tagset)), dtype=np.bool_)
    for one in differences:
        is_own[names.index(one.annotator), one.own] = True
    found = np.zeros(rows.size, dtype=np.bool_)
    for n in np.flatnonzero(is_own[said.only_givers()[rows, codes], codes]).tolist():
        label, by = tagset[codes[n]], said.at(int(rows[n]))
        _, other, _ = _reason_with_majority(label, by, of_units)
        found[n] = (_givers(label, by)[0], label, other) in systematic
    return found


def _givers(label: str, by: Mapping[str, Sequence[str]]) -> list[str]:
    return [name for name, given in by.items() if label in given]


class _Said:
    """The labels of an item by annotator, without systems."""

    def __init__(self, labels: LabelList, systems: Sequence[str]) -> None:
        self.labels, self._systems = labels, {*systems}
        self._ends = np.cumsum(np.bincount(labels.items, minlength=labels.n_items))

    def at(self, row: int) -> dict[str, list[str]]:
        labels = self.labels
        found: dict[str, list[str]] = {}
        for k in range(int(self._ends[row - 1]) if row else 0, int(self._ends[row])):
            name = labels.annotator_names[labels.annotators[k]]
            if name not in self._systems:
                found.setdefault(name, []).append(labels.tagset[labels.codes[k]])
        return found

    def givers(self, label: str, row: int) -> list[str]:
        """Return the annotators who gave the label to the item."""
        return _givers(label, self.at(row))

    def only_givers(self) -> Ints:
        """Return the number of the only annotator who gave each label to each item, (N, K).

        The number of annotators where there is none, or several.
        """
        labels, size = self.labels, len(self.labels.annotator_names)
        counts = np.array([name not in self._systems for name in labels.annotator_names])
        given = counts[labels.annotators]
        who = labels.annotators[given]
        cells = labels.items[given] * len(labels.tagset) + labels.codes[given]
        found = np.full(labels.n_items * len(labels.tagset), size, dtype=np.int64)
        found[cells] = who
        found[cells[found[cells] != who]] = size
        return found.reshape(labels.n_items, -1)


def _reason_with_majority(
    label: str, by: Mapping[str, Sequence[str]], of_units: bool
) -> tuple[page.MistakeReason, str, int]:
    """Return the code of the reason, the other annotators' most common label, and its count."""
    counts: dict[str, int] = {}
    for given in by.values():
        if label not in given:
            for one in given:
                counts[one] = counts.get(one, 0) + 1
    if not counts:
        return "single", "", 0
    other = max(counts, key=lambda one: counts[one])
    reason: page.MistakeReason = "category"
    if of_units:
        if label == NOTHING:
            reason = "missed"
        elif label == OTHER_BOUNDS:
            reason = "bounds"
        elif other == NOTHING:
            reason = "alone"
    return reason, other, counts[other]


def _label_with_bounds(label: str, annotators: Sequence[str], place: Place) -> str:
    """Return the label, with the bounds of the unit if the bounds are probably wrong."""
    if label != OTHER_BOUNDS:
        return label
    units = [place.units[name] for name in annotators]
    return "; ".join(f"{one.category} {one.start:g}–{one.end:g}".strip() for one in units)


def _genuine_variation(
    place: Place, by: Mapping[str, Sequence[str]], probability: float
) -> page.Variation:
    said = {name: ", ".join(given) for name, given in by.items()}
    return page.Variation(
        document=place.document, where=place.where, said=said, probability=probability,
        case=place.case,
    )  # fmt: skip


def _verdict_counts(judgments: Judgments | None) -> dict[tuple[int, int], tuple[int, int]]:
    """Map (item, label) to the number of peer verdicts that reject it, and of all verdicts."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    if judgments is None:
        return found
    columns = (judgments.items, judgments.codes, judgments.authors, judgments.judges)
    rows = zip(*(column.tolist() for column in columns), judgments.accepted.tolist(), strict=True)
    for item, code, author, judge, accepted in rows:
        if author != judge:
            rejected, judged = found.get((item, code), (0, 0))
            found[item, code] = rejected + (not accepted), judged + 1
    return found
