"""The queue of probable errors: probabilities of the model, with reasons, names and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import beta

from ...data.label_sets import set_labels
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.reference.adjudication import Decision
from ...metrics.reference.disagreements import Said
from ...metrics.reference.label_list import LabelList
from ...metrics.reference.mistakes import Judgments, Mistakes
from ...metrics.reference.place_labels import NOTHING, OTHER_BOUNDS
from ...reports import results as page

MOST_VARYING = 200
VARYING = 0.5  # probability that two labels are correct


@dataclass(frozen=True, slots=True)
class Place:
    """An item, or a place of units: its name, and the bounds of each annotator's unit."""

    document: str
    where: str
    case: str
    units: Mapping[str, Said] = field(default_factory=dict)


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
    decisions: Mapping[str, Decision] | None = None,
    sets: bool = False,
) -> page.MistakeQueue:
    """List the labels whose probability of an error is at least `at_least`, most probable first.

    labels     sorted by item
    place_of   function from the number of an item to its place
    most       maximum number to list; all are counted
    decisions  decisions by case, from which the precision of the queue is computed
    sets       whether a decided category is the name of a set of labels
    """
    roles = labels.roles or (HUMAN,) * len(labels.annotator_names)
    with_roles = list(zip(labels.annotator_names, roles, strict=True))
    systems = [name for name, role in with_roles if role != HUMAN]
    probability = np.nan_to_num(found.probability, nan=-1.0)
    rows, codes = np.nonzero(probability >= at_least)
    order = np.lexsort((codes, rows, -probability[rows, codes]))
    said = _Said(labels, systems)
    verdicts = _verdict_counts(judgments)
    mistakes: list[page.Mistake] = []
    n_decided = n_changed = 0
    for row, code in zip(rows[order].tolist(), codes[order].tolist(), strict=True):
        is_listed = most is None or len(mistakes) < most
        if not is_listed and not decisions:
            break
        place = place_of(row)
        decision = (decisions or {}).get(place.case)
        label = labels.tagset[code]
        by = said.at(row)
        annotators = [name for name, given in by.items() if label in given]
        if decision is not None:
            n_decided += 1
            n_changed += _is_changed(label, annotators, place, decision, of_units, sets)
        if is_listed:
            rates = [found.error_rates[labels.annotator_names.index(name)] for name in annotators]
            rejected, judged = verdicts.get((row, code), (0, 0))
            reason, other, n_other = _reason_with_majority(label, by, of_units)
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
                )
            )
    differs = (probability >= 0).sum(axis=1) > 1
    varying = np.nonzero((np.nan_to_num(found.variation, nan=0.0) >= VARYING) & differs)[0]
    varying = varying[np.argsort(-found.variation[varying], kind="stable")]
    return page.MistakeQueue(
        layer=layer,
        at_least=at_least,
        n_annotations=int((probability >= 0).sum()),
        n_probable=len(rows),
        expected=float(np.nansum(found.probability)),
        mistakes=mistakes,
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


def _is_changed(
    label: str,
    annotators: Sequence[str],
    place: Place,
    decision: Decision,
    of_units: bool,
    sets: bool,
) -> bool:
    """Whether the decision differs from the suspected annotation."""
    if not of_units:
        decided = set_labels(decision.category) if sets else (decision.category,)
        return not decision.keep or label not in decided
    if label == NOTHING or not decision.keep:
        return decision.keep == (label == NOTHING)
    if label != OTHER_BOUNDS:
        return decision.category != label
    unit = place.units[annotators[0]]
    return (unit.start, unit.end) != (decision.start, decision.end)


def _clopper_pearson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact (Clopper–Pearson) interval of k in n; (nan, nan) for n = 0."""
    if not n:
        return float("nan"), float("nan")
    half = (1 - level) / 2
    lower = beta.ppf(half, k, n - k + 1) if k else 0.0
    upper = beta.ppf(1 - half, k + 1, n - k) if k < n else 1.0
    return float(lower), float(upper)
