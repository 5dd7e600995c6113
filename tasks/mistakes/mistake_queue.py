"""The queue of probable errors: probabilities of the model, with reasons, names and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy.stats import beta

from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.reference.label_list import LabelList
from ...metrics.reference.mistakes import Judgments, Mistakes
from ...metrics.reference.place_labels import NOTHING, OTHER_BOUNDS
from ...metrics.reference.systematic import systematic_differences
from ...reports import results as page
from .decided import Decider
from .places import Place

MOST_VARYING = 200
VARYING = 0.5  # probability that two labels are correct


def queue_of(
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
    systematic = {(one.annotator, names[one.own], names[one.others]) for one in differences}
    said = _Said(labels, systems)
    verdicts = _verdict_counts(judgments)
    outcomes: dict[page.Grade, list[bool | None]] = {name: [] for name in page.GRADES}
    open_: list[tuple[bool, float, int, int]] = []
    for row, code in np.argwhere(probability >= at_least).tolist():
        label, by = labels.tagset[code], said.at(row)
        annotators = [name for name, given in by.items() if label in given]
        _, other, _ = _reason_with_majority(label, by, of_units)
        is_systematic = len(annotators) == 1 and (annotators[0], label, other) in systematic
        is_wrong = None if decide is None else decide(label, annotators, place_of(row))
        if not is_systematic:
            outcomes[page.grade_of(probability[row, code])].append(is_wrong)
        if is_wrong is None:
            open_.append((is_systematic, -probability[row, code], row, code))
    grades = [_grade(name, of_grade) for name, of_grade in outcomes.items() if of_grade]
    mistakes = []
    for is_systematic, _, row, code in sorted(open_)[:most]:
        place, label, by = place_of(row), labels.tagset[code], said.at(row)
        annotators = [name for name, given in by.items() if label in given]
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
                systematic=is_systematic,
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
        interval=_clopper_pearson(n_changed, n_decided),
    )


def _grade(name: page.Grade, outcomes: Sequence[bool | None]) -> page.MistakeGrade:
    """Count the labels of a grade: decided ones, and those that were wrong."""
    decided = [one for one in outcomes if one is not None]
    return page.MistakeGrade(
        name=name, n=len(outcomes), n_decided=len(decided), n_changed=sum(decided),
        interval=_clopper_pearson(sum(decided), len(decided)),
    )  # fmt: skip


class _Said:
    """The labels of an item by annotator, without systems."""

    def __init__(self, labels: LabelList, systems: Sequence[str]) -> None:
        self._labels, self._systems = labels, {*systems}
        self._ends = np.cumsum(np.bincount(labels.items, minlength=labels.n_items))

    def at(self, row: int) -> dict[str, list[str]]:
        labels = self._labels
        found: dict[str, list[str]] = {}
        for k in range(int(self._ends[row - 1]) if row else 0, int(self._ends[row])):
            name = labels.annotator_names[labels.annotators[k]]
            if name not in self._systems:
                found.setdefault(name, []).append(labels.tagset[labels.codes[k]])
        return found


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


def _clopper_pearson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact (Clopper–Pearson) interval of k in n; (nan, nan) for n = 0."""
    if not n:
        return float("nan"), float("nan")
    half = (1 - level) / 2
    lower = beta.ppf(half, k, n - k + 1) if k else 0.0
    upper = beta.ppf(1 - half, k + 1, n - k) if k < n else 1.0
    return float(lower), float(upper)
