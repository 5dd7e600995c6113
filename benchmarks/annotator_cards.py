"""Cards of annotators: order of planted quality, equal annotators called different, coverage.

Annotators have a quality q and items a difficulty d: a label is right with probability
q (1 - d) + d / K, else one of the other categories. Each item goes to some of the annotators, who
label 40 to 400 items each; every other annotator gets hard items more often, so that the plain
agreement with others depends on what one was given.

    python -m benchmarks.annotator_cards [CAMPAIGNS]    prints results/annotator-cards.md
    python -m benchmarks.annotator_cards coverage 2000  prints its table of coverage alone
    python -m benchmarks.annotator_cards equal 500      prints its table of equal annotators alone
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from accordeur.metrics.annotator_card import AnnotatorCard, CardValue, Quantity
from accordeur.metrics.arrays import Floats, Ints
from accordeur.metrics.options import Sampling
from accordeur.metrics.references.annotator_cards import CardInput, annotator_cards
from accordeur.metrics.references.label_list import LabelList

N_CATEGORIES, N_EQUAL = 4, 20
EASY = (1.0, 4.0)  # of the beta distribution of difficulties
COVERED = {  # half, seed → documents, items each; the seed of the other half was drawn once
    ("looked at", 49): ((40, 1), (150, 1), (20, 5), (60, 5)),
    ("kept back", 730_461): ((30, 2), (100, 1), (12, 10), (80, 3)),
}
CREW = np.array([0.98, 0.95, 0.95, 0.9, 0.8, 0.6])  # qualities, for coverage


@dataclass(frozen=True)
class Planted:
    """Labels of annotators with known quality; whether each label is right."""

    labels: LabelList
    quality: Floats
    right: Floats


@dataclass(frozen=True)
class Ranks:
    """Rank correlations with the planted quality."""

    of_cards: float
    of_agreement: float
    of_true_labels: float


def planted_campaign(
    rng: np.random.Generator,
    *,
    n_annotators: int = 30,
    per_item: int = 6,
    equal: bool = False,
    most: int = 400,
) -> Planted:
    quality = np.full(n_annotators, 0.85) if equal else rng.uniform(0.5, 0.98, n_annotators)
    wanted = rng.integers(40, most + 1, n_annotators)
    n_items = int(wanted.sum()) // per_item
    difficulty = rng.beta(*EASY, n_items)
    leaning = np.where(np.arange(n_annotators) % 2, 6.0, -6.0)  # to hard items
    order = np.log(wanted) + leaning * (difficulty - difficulty.mean())[:, None]
    order = order + rng.gumbel(size=order.shape)
    annotators = np.argsort(-order, axis=1)[:, :per_item].ravel()
    items = np.repeat(np.arange(n_items), per_item)
    return _labelled(rng, quality, difficulty, items, annotators)


def _labelled(
    rng: np.random.Generator, quality: Floats, difficulty: Floats, items: Ints, annotators: Ints
) -> Planted:
    hard = difficulty[items]
    right = rng.random(items.size) < quality[annotators] * (1 - hard) + hard / N_CATEGORIES
    truth = rng.integers(0, N_CATEGORIES, difficulty.size)[items]
    other = (truth + rng.integers(1, N_CATEGORIES, items.size)) % N_CATEGORIES
    names = tuple(f"a{a}" for a in range(quality.size))
    codes = np.where(right, truth, other)
    labels = LabelList(items, annotators, codes, difficulty.size, names, tuple("abcd"))
    return Planted(labels, quality, right.astype(float))


def cards(planted: Planted, units: Ints | None = None, *, seed: int = 0) -> list[AnnotatorCard]:
    """Return the cards in the order of the annotators."""
    units = np.arange(planted.labels.n_items) if units is None else units
    found = annotator_cards(CardInput(planted.labels, units), Sampling(seed=seed), places_of=())
    by_name = {one.annotator: one for one in found}
    return [by_name[name] for name in planted.labels.annotator_names]


def rank_correlation(planted: Planted) -> Ranks:
    found, labels = cards(planted), planted.labels
    right = np.bincount(labels.annotators, weights=planted.right) / np.bincount(labels.annotators)
    return Ranks(
        *(
            float(spearmanr(planted.quality, values).statistic)
            for values in (
                [one.difference.value for one in found],
                [one.agreement.value for one in found],
                right,
            )
        )
    )


def equal_labels(rng: np.random.Generator, per_item: int) -> CardInput:
    """Return labels of 20 equal annotators, whose categories are steps of a scale."""
    labels = planted_campaign(
        rng, n_annotators=N_EQUAL, per_item=per_item, equal=True, most=120
    ).labels
    units = np.arange(labels.n_items)
    return CardInput(labels, units, ordered={"label": labels.codes.astype(np.float64)})


def equal_units(rng: np.random.Generator, per_document: int) -> CardInput:
    """Return units of 20 equal annotators at known places, six in each of 60 documents.

    A place is found, and its category right, less often where it is difficult; starts and lengths
    vary with a standard deviation of 2 or more.
    """
    n_documents, n_places, nothing = 60, 6, 3
    who = np.argsort(rng.random((n_documents, N_EQUAL)), axis=1)[:, :per_document]
    difficulty = rng.beta(*EASY, n_documents * n_places)
    items = np.repeat(np.arange(difficulty.size), per_document)
    annotators, hard = np.repeat(who, n_places, axis=0).ravel(), difficulty[items]
    truth = rng.integers(0, nothing, difficulty.size)[items]
    is_found = rng.random(items.size) < 0.9 * (1 - hard) + 0.3 * hard
    is_right = rng.random(items.size) < 0.9 * (1 - hard) + hard / nothing
    other = (truth + rng.integers(1, nothing, items.size)) % nothing
    codes = np.where(is_found, np.where(is_right, truth, other), nothing)
    starts = np.where(is_found, np.round(rng.normal(0, 2, items.size) * (0.5 + hard)), np.nan)
    lengths = np.where(is_found, 8 - starts + np.round(rng.normal(0, 2, items.size)), np.nan)
    kept = (np.bincount(items, is_found, difficulty.size) > 0)[items]
    names = tuple(f"a{a}" for a in range(N_EQUAL))
    labels = LabelList(
        items[kept], annotators[kept], codes[kept], difficulty.size, names, ("a", "b", "c", "none")
    )
    home = np.repeat(np.arange(n_documents), n_places)
    ordered: dict[Quantity, Floats] = {"start": starts[kept], "length": lengths[kept]}
    return CardInput(labels, home, nothing=nothing, ordered=ordered)


def called(given: CardInput, seed: int) -> set[str]:
    """Return in what an annotator is called different: a test, or a habit in a category."""
    found = annotator_cards(given, Sampling(seed=seed), places_of=())
    kinds = {"agreement"} if any(one.differs for one in found) else set()
    kinds |= {one.of for card in found for one in card.directions if one.leans}
    return kinds | {"a habit" for card in found if any(c.systematic for c in card.categories)}


def print_equal(n: int) -> None:
    kinds = ("agreement", "label", "start", "length", "a habit")
    print(f"| equal | labels per item | campaigns | {' | '.join(kinds)} | anything |")
    print("|---|--:|--:" + "|--:" * (len(kinds) + 1) + "|")
    for name, make in (("labels on a scale", equal_labels), ("units", equal_units)):
        for per_item in (3, 6):
            found = []
            for seed in range(n):
                rng = np.random.default_rng([602, per_item, seed, name == "units"])
                found.append(called(make(rng, per_item), seed))
            shares = [sum(kind in one for one in found) / n for kind in kinds]
            cells = [f"{share:.1%}" for share in (*shares, sum(map(bool, found)) / n)]
            print(f"| {name} | {per_item} | {n} | {' | '.join(cells)} |", flush=True)


def _crew(rng: np.random.Generator, n_documents: int, per_document: int) -> tuple[Planted, Ints]:
    """Six annotators label all items; documents differ in difficulty, with a correlation of it."""
    difficulty = np.repeat(rng.beta(*EASY, n_documents), per_document)
    n_items = difficulty.size
    items = np.repeat(np.arange(n_items), CREW.size)
    planted = _labelled(rng, CREW, difficulty, items, np.tile(np.arange(CREW.size), n_items))
    return planted, np.repeat(np.arange(n_documents), per_document)


def _values(card: AnnotatorCard) -> dict[str, CardValue]:
    rare = min(card.categories, key=lambda one: one.category, default=None)
    found = {"agreement": card.agreement, "difference": card.difference, "decided": card.decided}
    return found | ({} if rare is None else {"a category": rare.same})


def coverage(
    n_documents: int, per_document: int, n: int, seed: int
) -> dict[str, tuple[float, float]]:
    """Return the least coverage over the annotators and the share of undefined limits, by value."""
    rng = np.random.default_rng(seed)
    large = cards(*_crew(rng, 40_000 // per_document, per_document))
    true = [{name: one.value for name, one in _values(card).items()} for card in large]
    hits: dict[str, list[list[float]]] = {}
    for trial in range(n):
        found = cards(*_crew(rng, n_documents, per_document), seed=trial)
        for a, card in enumerate(found):
            for name, one in _values(card).items():
                inside = one.lower <= true[a][name] <= one.upper
                given = np.nan if np.isnan(one.lower) else float(inside)
                hits.setdefault(name, [[] for _ in CREW])[a].append(given)
    return {
        name: (
            min(float(np.nanmean(one)) for one in each),
            float(np.mean([np.isnan(one).mean() for one in each])),
        )
        for name, each in hits.items()
    }


def print_coverage(n: int) -> None:
    print("| half | documents | items each | value | least coverage | undefined |")
    print("|---|--:|--:|---|--:|--:|")
    for (half, seed), cells in COVERED.items():
        for n_documents, per_document in cells:
            for name, (covered, undefined) in coverage(n_documents, per_document, n, seed).items():
                where = f"| {half} | {n_documents} | {per_document} | {name}"
                print(f"{where} | {covered:.3f} | {undefined:.1%} |", flush=True)


def main(n: int) -> None:
    rng = np.random.default_rng(60)
    print("| labels per item | cards | plain agreement | true labels |\n|--:|--:|--:|--:|")
    for per_item in (3, 4, 6, 8):
        ranks = [rank_correlation(planted_campaign(rng, per_item=per_item)) for _ in range(n // 20)]
        means = np.mean([(r.of_cards, r.of_agreement, r.of_true_labels) for r in ranks], axis=0)
        print(f"| {per_item} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |", flush=True)
    print()
    print_equal(n)
    print()
    print_coverage(n)
    crowd = planted_campaign(rng, n_annotators=2000, per_item=5, most=120)
    began = time.process_time()
    cards(crowd)
    seconds = time.process_time() - began
    print(f"\n2,000 annotators, {len(crowd.labels):,} labels: {seconds:.1f} s of CPU")


if __name__ == "__main__":
    if sys.argv[1:2] == ["coverage"]:
        print_coverage(int(sys.argv[2]))
    elif sys.argv[1:2] == ["equal"]:
        print_equal(int(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
