"""What a planted campaign's numbers are, in plain Python and NumPy: counts, agreement, scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import numpy as np

from tests.flows.life.planted_life import SENTIMENTS, SYSTEM, Document, Span

Row = tuple[str, str, str, str]  # document, item, annotator, label


def labels_of(documents: Iterable[Document]) -> list[Row]:
    """Return the labels that humans gave in the exports of some documents."""
    return [
        (one.name, f"s{k + 1}", who, label)
        for one in documents
        for who in one.humans()
        for k, label in enumerate(one.given[who])
    ]


def answers(rows: Iterable[Mapping[str, str]], *purposes: str) -> list[Row]:
    """Return the labels of a filled queue that were requested for one of the purposes."""
    return [
        (row["document"], row["item"], row["annotator"], row["label"])
        for row in rows
        if row["purpose"] in purposes
    ]


def spans_of(documents: Iterable[Document], *, system: bool = False) -> list[Span]:
    """Return the spans that humans marked in some documents, or those of the system."""
    return [
        span
        for one in documents
        for who in ([SYSTEM] if system else one.humans())
        for span in one.marked[who]
        if span
    ]


@dataclass(frozen=True)
class Agreement:
    """Coefficients for nominal labels, of items with two labels or more, and what they rest on."""

    n_items: int
    observed: float
    expected: float
    krippendorff_alpha: float
    fleiss_kappa: float
    bennett_s: float
    gwet_ac1: float
    percent_agreement: float


def agreement(rows: Iterable[Row]) -> Agreement:
    """Return α (Krippendorff 2011); κ, S and AC1 with missing labels as Gwet (2014) has them."""
    return _agreement(_counts(rows))


def _counts(rows: Iterable[Row]) -> np.ndarray:
    """Count labels: items × categories, of items with two labels or more."""
    found: dict[tuple[str, str], np.ndarray] = {}
    for document, item, _, label in rows:
        counts = found.setdefault((document, item), np.zeros(len(SENTIMENTS)))
        counts[SENTIMENTS.index(label)] += 1
    counted = np.array(list(found.values()))
    return counted[counted.sum(1) > 1]


def _agreement(counts: np.ndarray) -> Agreement:
    per_item, n, k = counts.sum(1), counts.sum(), counts.shape[1]
    pairs = (counts * (counts - 1)).sum(1)
    of_pairs = float((pairs / (per_item - 1)).sum() / n)  # weighted by labels, as α does
    of_items = float((pairs / (per_item * (per_item - 1))).mean())
    of_category = counts.sum(0)
    by_chance = float((of_category * (of_category - 1)).sum() / (n * (n - 1)))
    shares = (counts / per_item[:, None]).mean(0)
    chance = float((shares**2).sum())
    chance_ac1 = float((shares * (1 - shares)).sum() / (k - 1))
    return Agreement(
        n_items=len(counts),
        observed=of_pairs,
        expected=by_chance,
        krippendorff_alpha=(of_pairs - by_chance) / (1 - by_chance),
        fleiss_kappa=(of_items - chance) / (1 - chance),
        bennett_s=(of_items - 1 / k) / (1 - 1 / k),
        gwet_ac1=(of_items - chance_ac1) / (1 - chance_ac1),
        percent_agreement=of_items,
    )


def alpha_interval(rows: Sequence[Row], *, seed: int = 0, n: int = 2000) -> tuple[float, float]:
    """Return the percentile interval of α from `n` bootstrap samples of documents."""
    rng = np.random.default_rng(seed)
    by_document: dict[str, list[Row]] = {}
    for row in rows:
        by_document.setdefault(row[0], []).append(row)
    parts = [_counts(one) for one in by_document.values()]
    drawn = rng.integers(0, len(parts), (n, len(parts)))
    values = [
        _agreement(np.concatenate([parts[i] for i in one])).krippendorff_alpha for one in drawn
    ]
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def paces(documents: Iterable[Document]) -> dict[str, tuple[int, float]]:
    """Return name → number of timed documents and median seconds, from one to the next of a day."""
    ends: dict[str, list[datetime]] = {}
    for one in documents:
        for who, end in one.ended.items():
            ends.setdefault(who, []).append(end)
    found = {}
    for who, times in ends.items():
        pairs = [(a, b) for a, b in pairwise(sorted(times)) if a.date() == b.date()]
        seconds = [(b - a).total_seconds() for a, b in pairs]
        found[who] = (len(seconds), float(np.median(seconds)))
    return found


def work_of(rows: Iterable[Row]) -> set[tuple[str, str]]:
    """Return (document, annotator) of the labels; with the spans of this life, of all work."""
    return {(document, who) for document, _, who, _ in rows}


def distinct_labels(rows: Iterable[Row]) -> int:
    """Return the number of different labels of each item, summed."""
    return len({(document, item, label) for document, item, _, label in rows})


def disagreeing_items(rows: Iterable[Row]) -> set[tuple[str, str]]:
    """Return the items whose labels are not all the same."""
    labels: dict[tuple[str, str], set[str]] = {}
    for document, item, _, label in rows:
        labels.setdefault((document, item), set()).add(label)
    return {item for item, found in labels.items() if len(found) > 1}


def disagreeing_places(documents: Iterable[Document]) -> set[tuple[str, Span]]:
    """Return the right spans that annotators did not all mark, or not all alike."""
    return {
        (one.name, span)
        for one in documents
        for k, span in enumerate(one.spans)
        if len({one.marked[who][k] for who in one.humans()}) > 1
    }


def unanimous_spans(documents: Iterable[Document]) -> list[tuple[str, Span]]:
    """Return the spans that all annotators of a document marked alike, right or wrong."""
    return [
        (one.name, next(iter(marks)))  # type: ignore[misc]  # `None` is not among them
        for one in documents
        for k in range(len(one.spans))
        if len(marks := {one.marked[who][k] for who in one.humans()}) == 1 and None not in marks
    ]


def reference_labels(
    rows: Iterable[Row], decided: Mapping[tuple[str, str], str]
) -> dict[tuple[str, str], str]:
    """Return the label of each item on which all agree, or which was decided."""
    found: dict[tuple[str, str], str] = {}
    rows = list(rows)
    open_items = disagreeing_items(rows)
    for document, item, _, label in rows:
        if (document, item) not in open_items:
            found[document, item] = label
    return found | dict(decided)


def accuracy(documents: Iterable[Document], reference: Mapping[tuple[str, str], str]) -> float:
    """Return the share of the reference's items on which the system gives its label."""
    given = {
        (one.name, f"s{k + 1}"): label
        for one in documents
        for k, label in enumerate(one.given[SYSTEM])
    }
    return float(np.mean([given[item] == label for item, label in reference.items()]))


def wrong_in_reference(
    gold: Iterable[Row], reference: Mapping[tuple[str, str], str]
) -> tuple[int, int]:
    """Return how many audited items of the reference have a wrong label, and of how many."""
    audited = [(reference[row[:2]], row[3]) for row in gold if row[:2] in reference]
    return sum(label != right for label, right in audited), len(audited)


def exact_scores(
    documents: Iterable[Document],
    reference: Iterable[tuple[str, Span]],
    open_places: Collection[tuple[str, Span]] = (),
) -> tuple[float, float, float]:
    """Return precision, recall and F of the system's spans: the same bounds and category.

    What the system has at a place that the reference leaves open is not counted.
    """
    found = {
        (one.name, span)
        for one in documents
        for right, span in zip(one.spans, one.marked[SYSTEM], strict=True)
        if span and (one.name, right) not in open_places
    }
    wanted = set(reference)
    correct = len(found & wanted)
    return correct / len(found), correct / len(wanted), 2 * correct / (len(found) + len(wanted))
