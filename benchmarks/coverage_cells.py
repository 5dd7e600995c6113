"""Simulated systems and panels for coverage_scores.py, and the half of them that chose the rule.

A system is scored against a reference on items with a rare and a common category; a panel of
annotators labels items with two categories. Accuracy, and of a system the prevalence of the rare
category, may differ between documents: a beta distribution whose variance is `icc` of the largest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import betaln, comb
from scipy.stats import binom

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.intervals.binomial import Bounds
from accordeur.metrics.intervals.share_and_rate_intervals import (
    mean_bounds,
    mean_share_bounds,
    share_bounds,
)
from accordeur.metrics.options import Sampling
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.metrics.scores.accuracy import accuracy, count_labels
from accordeur.metrics.scores.precision_recall_f import precision_recall_f, rates_by_category

SEED, KEPT_BACK = 2811, 2812
N_SCORED, N_PANELS = 120, 80  # cells drawn of all combinations
COMMON, RARE = 0, 1
TAGSET = ("common", "rare")
HARD = 0.1  # share of the items on which annotators of a mixed panel are right in HARD_ACCURACY
HARD_ACCURACY = 0.6
SAMPLING = Sampling(200)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
AnyCell = TypeVar("AnyCell")
Halves: TypeAlias = dict[Literal["chose the rule", "kept back"], list[AnyCell]]


@dataclass(frozen=True)
class ScoredCell:
    """One system: n_documents 0 for items without documents."""

    n_items: int
    n_documents: int
    icc: float
    accuracy: float
    prevalence: float

    @property
    def name(self) -> str:
        return (
            f"{self.n_items} items{_in_documents(self.n_documents, self.icc)}, accuracy "
            f"{self.accuracy:g}, prevalence {self.prevalence:g}"
        )

    @property
    def n_drawn(self) -> int:
        """Documents, or items without documents."""
        return self.n_documents or self.n_items

    @cached_property
    def truth(self) -> dict[str, float]:
        p, right = self.prevalence, self.accuracy
        rates: dict[str, float] = {}
        for share, category in ((p, "rare"), (1 - p, "common")):
            matched, false = share * right, (1 - share) * (1 - right)
            rates |= {
                f"precision of {category}": matched / (matched + false),
                f"F of {category}": 2 * matched / (matched + false + share),
            }
        return {
            "accuracy": right,
            "precision of rare": rates["precision of rare"],
            "recall of rare": right,
            "F of rare": rates["F of rare"],
            "macro F": (rates["F of rare"] + rates["F of common"]) / 2,
        }

    def labels(self, rng: np.random.Generator) -> tuple[Ints, Ints, Ints | None]:
        """Return the codes of the reference and of the system, and the documents."""
        documents, sizes = _documents(self.n_items, self.n_documents, rng)
        share, right = (
            _rates(mean, self.icc, sizes.size, rng).repeat(sizes)
            for mean in (self.prevalence, self.accuracy)
        )
        reference = (rng.random(self.n_items) < share).astype(np.int64)
        wrong = rng.random(self.n_items) >= right
        return reference, np.where(wrong, 1 - reference, reference), documents

    def estimates(self, labels: tuple[Ints, Ints, Ints | None]) -> dict[str, Estimate]:
        """Score the system as `accordeur score` does."""
        reference, system, documents = labels
        counts = count_labels(
            reference,
            system,
            tagset=TAGSET,
            documents=documents,
            n_documents=self.n_documents or None,
        )
        rare = rates_by_category(counts.categories, sampling=SAMPLING)["rare"]
        macro = precision_recall_f(counts.categories, average="macro", sampling=SAMPLING)
        return {
            "accuracy": accuracy(counts, SAMPLING),
            "precision of rare": rare.precision,
            "recall of rare": rare.recall,
            "F of rare": rare.f,
            "macro F": macro.f,
        }

    def sums(self, labels: tuple[Ints, Ints, Ints | None]) -> dict[str, Floats]:
        """Return successes and trials by unit, (U, 2); of a macro average (U, 2, 2)."""
        reference, system, documents = labels
        homes = np.arange(self.n_items) if documents is None else documents

        def by_unit(chosen: NDArray[np.bool_]) -> Floats:
            return np.bincount(homes, weights=chosen)

        given = [by_unit(reference == k) for k in (COMMON, RARE)]
        found = [by_unit(system == k) for k in (COMMON, RARE)]
        right = [by_unit((reference == k) & (system == k)) for k in (COMMON, RARE)]
        f = [np.stack([2 * right[k], given[k] + found[k]], axis=1) for k in (COMMON, RARE)]
        return {
            "accuracy": np.stack([right[COMMON] + right[RARE], given[COMMON] + given[RARE]], 1),
            "precision of rare": np.stack([right[RARE], found[RARE]], axis=1),
            "recall of rare": np.stack([right[RARE], given[RARE]], axis=1),
            "F of rare": f[RARE],
            "macro F": np.stack(f, axis=2),
        }

    def intervals(self, name: str, successes: Floats, trials: Floats) -> Bounds:
        """Return the interval of each of T trials, from sums (T, U); of macro F (T, U, 2)."""
        if name != "macro F":
            return share_bounds(successes.T, trials.T, paired=name.startswith("F "))
        pairs = zip(successes, trials, strict=True)
        return Bounds(*np.array([mean_share_bounds(a, b, paired=True) for a, b in pairs]).T)


@dataclass(frozen=True)
class PanelCell:
    """One panel: M(k) of k of its annotators, whose accuracy gives the true value.

    mixed  whether a tenth of the items is hard and the others differ little
    """

    n_items: int
    n_documents: int
    icc: float
    n_annotators: int
    k: int
    mixed: bool
    value: float

    @property
    def name(self) -> str:
        return (
            f"M({self.k}) = {self.value:g} of {self.n_annotators} annotators, {self.n_items} "
            f"items{_in_documents(self.n_documents, self.icc)}{', a tenth hard' * self.mixed}"
        )

    @property
    def n_drawn(self) -> int:
        """Documents, or items without documents."""
        return self.n_documents or self.n_items

    @property
    def truth(self) -> dict[str, float]:
        return {"M(k)": self.value}

    @cached_property
    def item_shares(self) -> Floats:
        """M(k) of an item with 0, 1 … n labels of the second category."""
        n = self.n_annotators
        shares = []
        for second in range(n + 1):
            codes = (np.arange(n) < second).astype(np.int32)[None]
            rate = modification_rate(_matrix(codes), ks=[self.k], n_replicates=0)
            shares.append(float(rate.rate[0]))
        return np.array(shares)

    @cached_property
    def accuracy(self) -> float:
        """Accuracy (on the easier items) at which M(k) is `value`."""

        def beyond(right: float) -> float:
            return float(self._chances(right) @ self.item_shares) - self.value

        return float(brentq(beyond, 0.5, 1 - 1e-9))

    def _chances(self, right: float) -> Floats:
        """P(w wrong labels on an item), w = 0 … n."""
        wrong = np.arange(self.n_annotators + 1)
        easy = _wrong_chances(self.n_annotators, right, self.icc)
        hard = binom.pmf(wrong, self.n_annotators, 1 - HARD_ACCURACY)
        # of a panel with little to change, a smaller share is hard
        share = min(HARD, self.value / 2 / float(hard @ self.item_shares)) * self.mixed
        return np.asarray((1 - share) * easy + share * hard)

    def labels(self, rng: np.random.Generator) -> tuple[LabelMatrix, Ints]:
        """Return the labels of a panel, and the number of second labels of each item."""
        n, a = self.n_items, self.n_annotators
        documents, sizes = _documents(n, self.n_documents, rng)
        hard = binom.pmf(np.arange(a + 1), a, 1 - HARD_ACCURACY)
        share = min(HARD, self.value / 2 / float(hard @ self.item_shares)) * self.mixed
        right = _rates(self.accuracy, self.icc, sizes.size, rng).repeat(sizes)
        right = np.where(rng.random(n) < share, HARD_ACCURACY, right)
        second = (rng.random((n, a)) >= right[:, None]).astype(np.int32)
        return _matrix(second, documents), second.sum(axis=1)

    def estimates(self, labels: tuple[LabelMatrix, Ints]) -> dict[str, Estimate]:
        """Compute the rate as `accordeur resample` does."""
        rate = modification_rate(labels[0], ks=[self.k])
        return {"M(k)": rate.estimates()[0]}

    def sums(self, labels: tuple[LabelMatrix, Ints]) -> dict[str, Floats]:
        """Return changed and compared labels by unit, (U, 2)."""
        matrix, second = labels
        homes = matrix.documents_to_resample
        rows = self.item_shares[second], np.ones(self.n_items)
        at = np.arange(self.n_items) if homes is None else homes
        return {"M(k)": np.stack([np.bincount(at, weights=one) for one in rows], axis=1)}

    def intervals(self, name: str, successes: Floats, trials: Floats) -> Bounds:
        """Return the interval of each of T trials, from sums (T, U)."""
        return mean_bounds(successes.T, trials.T)


def scored_cells() -> Halves[ScoredCell]:
    """Return the cells of scores, the same in every run."""
    found = [
        ScoredCell(n, d, icc, right, p)
        for n, (d, icc), right, p in product(
            (20, 50, 100, 200, 500, 1000),
            ((0, 0.0), (5, 0.05), (10, 0.0), (10, 0.1), (20, 0.05), (20, 0.1), (40, 0.1)),
            (0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999),
            (0.01, 0.05, 0.1, 0.2, 0.5),
        )
        if n >= 2 * d
    ]
    return halves(found, N_SCORED)


def panel_cells() -> Halves[PanelCell]:
    """Return the cells of M(k), the same in every run."""
    found = [
        PanelCell(n, d, icc, *of, mixed, value)
        for n, (d, icc), of, mixed, value in product(
            (20, 50, 100, 200, 500),
            ((0, 0.0), (0, 0.0), (10, 0.05), (20, 0.1)),
            ((3, 1), (4, 3), (5, 1), (5, 3), (7, 3), (9, 3), (9, 5)),
            (False, True),
            (0.001, 0.005, 0.02, 0.05, 0.1, 0.2),
        )
        if n >= 2 * d and (of not in ((9, 5), (7, 3), (5, 3), (4, 3)) or value < 0.2)
    ]
    return halves(found, N_PANELS)


def reported_cells() -> list[ScoredCell | PanelCell]:
    """Return the cells that are reported: very similar items in a document, or few documents."""
    designs = ((3, 0.0), (3, 0.1), (4, 0.1), (20, 0.3), (40, 0.3))
    scored = [ScoredCell(200, d, icc, p, 0.2) for (d, icc), p in product(designs, (0.9, 0.98))]
    panels = [
        PanelCell(200, d, icc, 5, 3, False, p) for (d, icc), p in product(designs, (0.02, 0.1))
    ]
    return [*scored, *panels]


def halves(cells: list[AnyCell], n: int, draw: int = 0) -> Halves[AnyCell]:
    """Return n/2 cells that chose the rule, and n/2 that were not looked at before.

    The first ones are a half of n cells drawn by `SEED`. The other half of these was looked at
    before the present rule was chosen; the cells kept back are drawn by `KEPT_BACK` of the others.
    """
    order = np.random.default_rng([SEED, draw]).permutation(len(cells))[:n]
    drawn = [cells[i] for i in sorted(order.tolist())]
    former = np.random.default_rng([SEED, 1]).permutation(n)[: n // 2]
    seen = {drawn[i] for i in former.tolist()}
    others = [one for one in cells if one not in set(drawn)]
    new = np.random.default_rng([KEPT_BACK, draw]).permutation(len(others))[: n // 2]
    return {
        "chose the rule": [one for one in drawn if one not in seen],
        "kept back": [others[i] for i in sorted(new.tolist())],
    }


def _in_documents(n_documents: int, icc: float) -> str:
    return f" in {n_documents} documents, icc {icc:g}" if n_documents else ""


def _documents(
    n_items: int, n_documents: int, rng: np.random.Generator
) -> tuple[Ints | None, Ints]:
    """Return the document of each item, and the sizes of unequal documents (of items: 1)."""
    if not n_documents:
        return None, np.ones(n_items, dtype=np.int64)
    shares = rng.dirichlet(np.full(n_documents, 4.0))
    sizes = 1 + rng.multinomial(n_items - n_documents, shares)
    return np.repeat(np.arange(n_documents), sizes), sizes.astype(np.int64)


def _rates(mean: float, icc: float, n: int, rng: np.random.Generator) -> Floats:
    if not icc:
        return np.full(n, mean)
    mass = 1 / icc - 1
    return rng.beta(mass * mean, mass * (1 - mean), n)


def _wrong_chances(n: int, right: float, icc: float) -> Floats:
    """P(w of n labels are wrong), w = 0 … n: binomial, or beta-binomial."""
    wrong = np.arange(n + 1)
    if not icc:
        return np.asarray(binom.pmf(wrong, n, 1 - right))
    a, b = (1 / icc - 1) * (1 - right), (1 / icc - 1) * right
    return np.asarray(comb(n, wrong) * np.exp(betaln(wrong + a, n - wrong + b) - betaln(a, b)))


def _matrix(codes: NDArray[np.int32], documents: Ints | None = None) -> LabelMatrix:
    return LabelMatrix(
        codes=codes,
        tagset=TAGSET,
        annotators=tuple(f"a{k}" for k in range(codes.shape[1])),
        documents=documents,
    )
