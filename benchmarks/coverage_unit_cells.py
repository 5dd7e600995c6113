"""Simulated campaigns of units for coverage_units.py.

`ShareCell`: counts of a pairwise F and of found, where and what. Annotators find the units of a
document at a rate of its own, a beta distribution whose variance is `icc` of the largest; so are
the overlap of two units that both found, and whether both give the same category.

`CorpusCell`: documents drawn from a large corpus, whose values are the true ones. Documents vary in
difficulty: annotators miss, move and confuse units at up to twice the mean rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.alignment.best_alignment import Alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.bootstrap import percentile_probabilities, resampled_documents
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.intervals.binomial import Bounds
from accordeur.metrics.intervals.share_and_rate_intervals import mean_bounds, share_bounds
from accordeur.metrics.measures import measure_of
from accordeur.metrics.options import Sampling
from accordeur.metrics.quantiles import sample_quantiles
from accordeur.metrics.signature import How
from accordeur.metrics.units.category_pairs import category_pairs
from accordeur.metrics.units.expected_documents import expected_per_document
from accordeur.metrics.units.found_units import FoundRows, found_estimates
from accordeur.metrics.units.gamma import GAMMA_2015, gamma, gamma_value
from accordeur.metrics.units.gamma_cat import gamma_cat, gamma_cat_replicates
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.krippendorff.alpha_u import alpha_u
from accordeur.metrics.units.krippendorff.u_alpha import _coefficients, _Sums, u_alpha
from accordeur.metrics.units.krippendorff.unitized_counts import unitized_counts
from accordeur.metrics.units.observed import align_documents
from accordeur.metrics.units.pairwise_f import PairwiseCounts, f_of_counts
from benchmarks.coverage_cells import SEED, Halves, halves

N_SHARES = 120  # cells drawn of all combinations
ALIGNED = 0.85  # of the units of an annotator, of which bounds and categories are compared
CORPUS = 2500  # documents that define the true values of a `CorpusCell`

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Simulated:
    """Counts of a campaign, as the values of users are computed from."""

    f: PairwiseCounts
    found: FoundRows


@dataclass(frozen=True)
class ShareCell:
    """Annotators whose F, share of units found, overlap and share of one category are `value`."""

    n_documents: int
    n_units: int
    n_annotators: int
    icc: float
    value: float

    @property
    def name(self) -> str:
        return (
            f"{self.n_documents} documents of {self.n_units} units, {self.n_annotators} "
            f"annotators, icc {self.icc:g}, {self.value:g}"
        )

    @property
    def n_drawn(self) -> int:
        return self.n_documents

    @property
    def truth(self) -> dict[str, float]:
        names = ("pairwise F", "units found", "bounds of found", "category of found")
        return dict.fromkeys(names, self.value)

    def labels(self, rng: np.random.Generator) -> Simulated:
        n, a = 1 + rng.poisson(self.n_units - 1, self.n_documents), self.n_annotators
        document = np.repeat(np.arange(n.size), n)

        def by_document(mean: float) -> Floats:
            if not self.icc:
                return np.full(document.size, mean)
            mass = 1 / self.icc - 1
            return rng.beta(mass * mean, mass * (1 - mean), n.size)[document]

        # F = E q² / E q of documents that are found at the rate q
        found = (
            rng.random((document.size, a))
            < by_document((self.value - self.icc) / (1 - self.icc))[:, None]
        )
        # both give the right category: E r² = value
        mean = sqrt(self.icc**2 / 4 + (1 - self.icc) * self.value) - self.icc / 2
        right = rng.random((document.size, a)) < by_document(mean / (1 - self.icc))[:, None]
        same_bounds = by_document(self.value)
        aligned = rng.random((document.size, a)) < ALIGNED
        pairs = list(combinations(range(a), 2))
        rows, sums = [], []
        for first, second in pairs:
            both = found[:, first] & found[:, second]
            pair = aligned[:, first] & aligned[:, second]
            # a beta distribution around the document's mean: bounds nearly alike, some far apart
            overlap = rng.beta(3 * same_bounds, np.maximum(3 * (1 - same_bounds), 1e-9))
            columns = [
                2.0 * both,
                found[:, first].astype(float) + found[:, second],
                pair * overlap,
                pair,
                pair & right[:, first] & right[:, second],
                pair,
            ]
            sums.append(
                np.stack([np.bincount(document, weights=c, minlength=n.size) for c in columns], 1)
            )
            rows.append(np.column_stack([np.full((n.size, 2), (first, second)), np.arange(n.size)]))
        keys, counts = np.concatenate(rows), np.concatenate(sums)
        counts[counts[:, 1] == 0] = 0.0
        names = tuple("abcdefgh"[:a])
        unit, owner = np.nonzero(found)
        of_f = PairwiseCounts(
            How(measure="pairwise_f"),
            names,
            ("x",),
            np.ones((n.size, a), dtype=np.bool_),
            document[unit],
            owner,
            np.zeros(unit.size, dtype=np.int64),
            np.column_stack([keys, np.zeros(len(keys), dtype=np.int64)]),
            counts[:, 0],
            counts[:, 1],
        )
        return Simulated(of_f, FoundRows(keys[:, 2], keys[:, 0], keys[:, 1], counts))

    def estimates(self, labels: Simulated) -> dict[str, Estimate]:
        sampling = Sampling()
        values = [
            f_of_counts(labels.f, sampling),
            *found_estimates(labels.found, sampling, how=How(measure="units_found")),
        ]
        return dict(zip(self.truth, values, strict=True))

    def sums(self, labels: Simulated) -> dict[str, Floats]:
        """Return numerator and denominator by document, (D, 2)."""
        rows = labels.found
        own = np.zeros((self.n_documents, 6))
        np.add.at(own, rows.documents, rows.sums)
        return {
            name: own[:, 2 * k : 2 * k + 2]
            for name, k in zip(self.truth, (0, 0, 1, 2), strict=True)
        }

    def intervals(self, name: str, successes: Floats, trials: Floats) -> Bounds:
        """Return the interval of each of T trials, from sums (T, D)."""
        others = self.n_annotators - 1
        if name == "bounds of found":
            found = mean_bounds(successes.T, trials.T, together=others)
        else:
            together = others if name == "category of found" else 2 * others
            found = share_bounds(successes.T, trials.T, together=together)
        enough = (trials > 0).sum(axis=1) >= measure_of("gamma").fewest
        return Bounds(*(np.where(enough, end, np.nan) for end in (found.lower, found.upper)))


def share_cells() -> Halves[ShareCell]:
    """Return the cells of shares, the same in every run."""
    found = [
        ShareCell(*of)
        for of in product(
            (5, 10, 20, 40),
            (4, 12, 30),
            (2, 3, 5),
            (0.0, 0.05, 0.1),
            (0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99),
        )
    ]
    found = [one for one in found if one.value > 2 * one.icc]
    return halves(found, N_SHARES, draw=2)


def reported_cells() -> list[ShareCell]:
    """Return the cells that are reported: documents very unlike each other, or few of them."""
    designs = ((3, 0.0), (3, 0.1), (4, 0.1), (20, 0.3), (40, 0.3))
    return [ShareCell(d, 12, 2, icc, v) for (d, icc), v in product(designs, (0.8, 0.95))]


@dataclass(frozen=True)
class CorpusCell:
    """Campaigns of documents from one corpus.

    shares       of the categories
    missed, moved, confused  mean rates; `moved` in thirds of the smallest gap
    independent  whether categories are given without regard to the unit
    """

    title: str
    n_documents: int
    n_units: int
    n_annotators: int
    shares: tuple[float, ...]
    missed: float
    moved: float
    confused: float
    independent: bool = False

    @property
    def name(self) -> str:
        return f"{self.title}, {self.n_documents} documents"

    @cached_property
    def corpus(self) -> list[Continuum]:
        rng = np.random.default_rng([SEED, self.n_units, self.n_annotators])
        return [self._document(rng) for _ in range(CORPUS)]

    @cached_property
    def alignments(self) -> Sequence[Alignment | None]:
        return align_documents(self.corpus, GAMMA_2015)

    @property
    def rarest(self) -> str:
        return "uvwxyz"[len(self.shares) - 1]

    @property
    def n_drawn(self) -> int:
        return self.n_documents

    @property
    def resampled(self) -> tuple[str, ...]:
        """Measures with an interval of the former rule."""
        return ("γ", "γ-cat", "uα", "|uα", "cuα")

    @cached_property
    def truth(self) -> dict[str, float]:
        settings = GammaSettings(processes=("random2",), precision=0.003, replicates=0)
        values = self._others(self.corpus, self.alignments, settings)
        of_gamma = gamma_value(self.corpus, GAMMA_2015, settings)
        return {"γ": of_gamma, **{name: one.value for name, one in values.items()}}

    def labels(self, rng: np.random.Generator) -> NDArray[np.int64]:
        return rng.choice(CORPUS, self.n_documents, replace=False)

    def estimates_and_former(
        self, those: NDArray[np.int64], seed: int
    ) -> tuple[dict[str, Estimate], dict[str, tuple[float, float]]]:
        """Return the values of some documents, and intervals of a bootstrap over them."""
        settings = GammaSettings(processes=("random2",), replicates=400, seed=seed)
        documents = [self.corpus[d] for d in those]
        alignments = [self.alignments[d] for d in those]
        found = gamma(documents, GAMMA_2015, settings)
        values = {"γ": found.corpus, **self._others(documents, alignments, settings)}
        chances = expected_per_document(found.observed, found.expected, found.influences).chances
        times = np.concatenate(list(resampled_documents(np.arange(len(documents)), 400, seed)))
        family = _coefficients(_Sums.of(unitized_counts(documents)).weighted(times))
        pairs = category_pairs(documents, alignments, GAMMA_2015)
        drawn = {
            "γ": 1 - (times @ found.observed.totals) / (times @ chances),
            "γ-cat": gamma_cat_replicates(
                pairs, GAMMA_2015, order=np.arange(len(documents)), n_replicates=400, seed=seed
            )[1:],
            "uα": family["u"][0],
            "|uα": family["binary"][0],
            "cuα": family["cu"][0],
        }
        tails = percentile_probabilities(settings.confidence_level, max(2, len(documents)))
        return values, {
            name: tuple(sample_quantiles(one[np.isfinite(one)], tails))
            for name, one in drawn.items()
            if 2 * np.isfinite(one).sum() >= one.size
        }

    def _others(
        self,
        documents: Sequence[Continuum],
        alignments: Sequence[Alignment | None],
        settings: GammaSettings,
    ) -> dict[str, Estimate]:
        """Return the values that sample no chance."""
        options = settings.arguments
        of_categories = gamma_cat(documents, alignments, GAMMA_2015, **options)
        family = u_alpha(documents, **options)
        rarest = self.rarest
        return {
            "γ-cat": of_categories.gamma_cat,
            "γ-k of the rarest": of_categories.gamma_k[rarest],
            "uα": family.u_alpha,
            "|uα": family.u_alpha_binary,
            "cuα": family.cu_alpha,
            "(k)uα of the rarest": family.ku_alpha[rarest],
            "α_U": alpha_u(documents, **options).all,
        }

    def _document(self, rng: np.random.Generator) -> Continuum:
        n, a, k = max(1, rng.poisson(self.n_units)), self.n_annotators, len(self.shares)
        gaps, sizes = rng.integers(6, 30, n), rng.integers(8, 25, n)
        ends, difficulty = np.cumsum(gaps + sizes), 2 * rng.beta(4, 4)
        missed, moved, confused = (
            min(0.95, difficulty * rate) for rate in (self.missed, self.moved, self.confused)
        )
        owner, unit = np.nonzero(rng.random((a, n)) >= missed)
        moves = np.round(rng.uniform(-moved, moved, (2, unit.size)) * 3)
        categories = rng.choice(k, n, p=self.shares)[unit]
        wrong = self.independent | (rng.random(unit.size) < confused)
        categories[wrong] = rng.choice(k, int(wrong.sum()), p=self.shares)
        return Continuum(
            (ends - sizes)[unit] + moves[0],
            ends[unit] + moves[1],
            categories,
            owner,
            tuple("abcdefgh"[:a]),
            tuple("uvwxyz"[:k]),
            length=float(ends[-1]) + 10,
        )


CORPUS_CELLS = (
    CorpusCell("high agreement, 2 annotators", 5, 8, 2, (0.5, 0.3, 0.2), 0.02, 0.1, 0.02),
    CorpusCell("high agreement, 2 annotators", 20, 8, 2, (0.5, 0.3, 0.2), 0.02, 0.1, 0.02),
    CorpusCell("high agreement, short, 2 annotators", 10, 3, 2, (0.6, 0.4), 0.02, 0.1, 0.03),
    CorpusCell("high agreement, rare category, 3 annotators", 10, 8, 3, (0.9, 0.07, 0.03), 0.03,
               0.1, 0.02),
    CorpusCell("high agreement, rare category, 3 annotators", 40, 8, 3, (0.9, 0.07, 0.03), 0.03,
               0.1, 0.02),
    CorpusCell("medium agreement, 3 annotators", 5, 8, 3, (0.5, 0.3, 0.2), 0.15, 0.5, 0.2),
    CorpusCell("medium agreement, 3 annotators", 20, 8, 3, (0.5, 0.3, 0.2), 0.15, 0.5, 0.2),
    CorpusCell("medium agreement, rare category, 5 annotators", 10, 8, 5, (0.85, 0.1, 0.05), 0.15,
               0.5, 0.2),
    CorpusCell("low agreement, 2 annotators", 10, 8, 2, (0.4, 0.3, 0.1, 0.1, 0.1), 0.3, 0.8, 0.5),
    CorpusCell("low agreement, 5 annotators", 20, 6, 5, (0.6, 0.2, 0.2), 0.4, 0.8, 0.6),
    CorpusCell("independent categories, one rare, 2 annotators", 20, 8, 2, (0.97, 0.03), 0.05, 0.2,
               0.0, independent=True),
    CorpusCell("independent categories, 3 annotators", 10, 8, 3, (0.4, 0.3, 0.3), 0.1, 0.3, 0.0,
               independent=True),
)  # fmt: skip

REPORTED_CORPORA = tuple(
    replace(cell, n_documents=n)
    for cell in (CORPUS_CELLS[0], CORPUS_CELLS[5], CORPUS_CELLS[11])
    for n in (3, 4)
)
"""Cells with few documents, which are reported."""
