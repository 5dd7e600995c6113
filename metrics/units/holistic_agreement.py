"""Holistic agreement of Mathet & Widlöcher (2011): the reduction of disorder compared with chance.

    agreement = (e_random - e) / e_random

where e is the mean disorder of the unitary alignments of the ideal alignment, which minimises this
mean (equations 5–7). The paper approximates it by its greedy Algorithm 1. Here the ideal alignment
is exact; the greedy result can be computed as well, with the difference, and each algorithm is used
for both observed and expected disorder.

At most 1, 0 for chance, `nan` with a reason if no annotator marked a unit. If only one annotator
marked units, every unitary alignment has one unit and e = Δ∅, the maximum disorder. Over several
documents, unitary disorders and numbers of unitary alignments add.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..alignment.greedy import greedy_alignment, search_space_size
from ..arrays import Floats
from ..chance.chance_samples import ChanceSample, ExpectedDisorder
from ..chance.corpus import Corpus, corpus_of_continua
from ..chance.disorders import alignment_counts
from ..chance.expected_disorder import Compute
from ..chance.sample_drawing import redraw_samples
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from .expected_disorder_by_document import chance_influences
from .gamma import GammaResult, gamma
from .gamma_from_counts import gamma_of_counts
from .gamma_settings import DEFAULT_SETTINGS, GammaSettings, set_mean_length
from .observed import Observed

HOLISTIC_2011 = Dissimilarity.sporadic()
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class GreedyComparison:
    """Result of Algorithm 1 of 2011 in place of the ideal alignment.

    agreement  the greedy agreement, on the same virtual documents as the exact one; its `detail`
               has the difference, the number of documents with an excess, the largest excess, and
               the size of the search space before and after the bound n·Δ∅ (`search_space_size`)
    observed   counts of the greedy alignments, one row per document
    excess     float64 (D,): greedy disorder over exact disorder, minus 1; 0 if both are 0, nan
               without units
    difference greedy agreement minus exact agreement
    """

    agreement: Estimate
    observed: Observed
    excess: Floats
    difference: float


def holistic(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = HOLISTIC_2011,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    compute: Compute | None = None,
) -> GammaResult:
    """Compute the exact holistic agreement of a corpus and of each document; measure `holistic`.

    The objective is always `mean`, whatever `settings` has. See `metrics.units.gamma.gamma` for
    the exceptions.
    """
    return gamma(continua, dissimilarity, replace(settings, objective="mean"), compute=compute)


def compare_greedy(
    continua: Sequence[Continuum],
    exact: GammaResult,
    dissimilarity: Dissimilarity = HOLISTIC_2011,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
) -> GreedyComparison:
    """Compute the greedy agreement for the same documents and settings as an exact result.

    The virtual documents are the same as those of `exact` (its chance model and numbers of
    samples), aligned greedily. Raises MetricsError for expectations per document.
    """
    corpus = corpus_of_continua(continua, measure="holistic agreement")
    dissimilarity = set_mean_length(dissimilarity, corpus)
    rows = np.zeros((len(continua), 3))
    compared = [d for d, continuum in enumerate(continua) if continuum.n_annotators >= 2]
    for d in compared:
        rows[d] = _greedy_counts(continua[d], dissimilarity)
    spaces = [search_space_size(continua[d], dissimilarity) for d in compared]
    within = [inside for _, inside in spaces if inside is not None]
    counts = replace(
        exact.observed, totals=rows[:, 0], weights=rows[:, 1], gaps=np.zeros(len(continua))
    )
    if not isinstance(exact.expected, ExpectedDisorder):
        raise MetricsError(
            "the greedy comparison needs one expectation for the whole corpus: compute the exact "
            "agreement with per='corpus'"
        )
    expected = _greedy_expected(corpus, exact.expected, dissimilarity, settings)
    agreement = gamma_of_counts(
        counts,
        expected,
        **settings.arguments,
        how=exact.corpus.how.for_measure("holistic_greedy"),
        influences=chance_influences(corpus, counts, expected, study=settings.seed),
        n_paired_annotators=corpus.n_paired_annotators,
        lone_unit=dissimilarity.delta_empty,
    )
    before, after = exact.observed.disorders, counts.disorders
    with np.errstate(invalid="ignore", divide="ignore"):
        excess = np.where(after == before, 0.0, after / before - 1.0)
    excess[np.isnan(before)] = math.nan
    difference = agreement.value - exact.corpus.value
    above = excess[np.isfinite(excess)]
    detail = agreement.detail | Detail(
        difference_from_exact=difference,
        n_documents_not_ideal=int((above > _ROUNDING).sum()),
        largest_excess_of_disorder=float(above.max(initial=0.0)),
        n_unitary_alignments=sum(in_all for in_all, _ in spaces),
        n_candidates=sum(within) if len(within) == len(spaces) else math.nan,
    )
    return GreedyComparison(replace(agreement, detail=detail), counts, excess, difference)


def _greedy_counts(
    continuum: Continuum, dissimilarity: Dissimilarity
) -> tuple[float, float, float]:
    total, weight, _ = alignment_counts(greedy_alignment(continuum, dissimilarity), "mean")
    return total, weight, 0.0


def _greedy_expected(
    corpus: Corpus,
    exact: ExpectedDisorder,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
) -> ExpectedDisorder:
    samples = []
    for sample, documents in redraw_samples(corpus, exact, study=settings.seed, chance=settings):
        counts = [_greedy_counts(document, dissimilarity) for document in documents]
        samples.append(
            ChanceSample(sample.process, sample.n_annotators, np.array(counts), sample.weighting)
        )
    return replace(exact, samples=tuple(samples))
