"""The uα family (Krippendorff, Mathet, Bouvry & Widlöcher 2016; Krippendorff 2019, section 12.6).

Each annotator's document is tiled with segments: units with a category, and gaps (φ).

    ℓ_ck  Σ over ordered pairs of annotators of the length where one has c, the other k, / (m - 1)
    s_c   Σ over segments of c of length² for units, of length for gaps;  s = Σ s_c
    ε_ck  (ℓ_c ℓ_k - [c = k] s_c) / (ℓ - s/ℓ)

| coefficient | asks | computed on |
|---|---|---|
| uα | where are units, and of which category? | ℓ, ε: 1 - (ℓ - Σℓ_cc) / (Σε_ck - Σε_cc) |
| \\|uα | where are units? | the same with all categories merged against φ |
| cuα | which category, where both marked a unit? | ℓ, ε without φ; s_c of the covered parts |
| (k)uα | who calls k what others call k? | the same matrices, column k |

In cuα and (k)uα the self term of a unit is the squared length of its part that units of other
annotators cover. With segments of length 1 everywhere each is Krippendorff's α on these atoms.
Lengths are counted in offset units: gaps are made of units of length 1, so the value depends a
little on the grain, as the definition has it.

Counts of documents add (a segment never runs across two documents). Units without a category are
a category of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.continuum import UNLABELLED, Continuum
from metrics.chance.corpus import continua_of, corpus_hash, corpus_of
from metrics.errors import MetricsError
from metrics.estimate import Estimate
from metrics.signature import signature
from metrics.unitizing.reasons import (
    NO_OVERLAP,
    NO_UNIT,
    NOTHING_BUT_UNITS,
    SINGLE_CATEGORY,
    UNUSED_CATEGORY,
)
from metrics.unitizing.resample import percentile_interval, resampled_documents
from metrics.unitizing.segments import GAP, line_of

UNLABELLED_NAME = "(unlabelled)"


@dataclass(frozen=True, slots=True, eq=False)
class UnitizedCounts:
    """Additive counts of D documents; K' = K + 2: the tagset, units without category, gaps.

    coincidences  float64 (D, K', K'): ℓ_ck
    self_terms    float64 (D, K'): s_c
    covered       float64 (D, K'): s_c of the parts of units that other annotators' units cover
    """

    coincidences: NDArray[np.float64]
    self_terms: NDArray[np.float64]
    covered: NDArray[np.float64]

    def __add__(self, other: UnitizedCounts) -> UnitizedCounts:
        return UnitizedCounts(
            np.concatenate([self.coincidences, other.coincidences]),
            np.concatenate([self.self_terms, other.self_terms]),
            np.concatenate([self.covered, other.covered]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class UAlphaResult:
    """uα, |uα, cuα, and (k)uα for each category; observed and expected are lengths that differ."""

    u_alpha: Estimate
    u_alpha_binary: Estimate
    cu_alpha: Estimate
    ku_alpha: dict[str, Estimate]
    counts: UnitizedCounts


def unitized_counts(continua: Sequence[Continuum]) -> UnitizedCounts:
    """The counts of every document; a document with fewer than two annotators counts for nothing.

    Raises MetricsError where units of one annotator overlap.
    """
    if not continua:
        raise MetricsError("no document was given")
    size = len(continua[0].tagset) + 2
    coincidences = np.zeros((len(continua), size, size))
    self_terms, covered = np.zeros((len(continua), size)), np.zeros((len(continua), size))
    for d, continuum in enumerate(continua):
        if continuum.n_annotators >= 2:
            coincidences[d], self_terms[d], covered[d] = _document_counts(continuum, size)
    return UnitizedCounts(coincidences, self_terms, covered)


def _document_counts(
    continuum: Continuum, size: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    m, gap = continuum.n_annotators, size - 1
    lines = [line_of(continuum, a, measure="uα") for a in range(m)]
    bounds = np.unique(np.concatenate([line.bounds for line in lines]))
    pieces = np.diff(bounds)
    # which segment of which annotator each elementary piece of the document lies in
    inside = [np.searchsorted(line.bounds, bounds[:-1], side="right") - 1 for line in lines]
    renamed = {GAP: gap, UNLABELLED: size - 2}
    codes = [
        np.array([renamed.get(c, c) for c in line.categories.tolist()], dtype=np.int64)
        for line in lines
    ]
    given = np.zeros((pieces.size, size))
    for segment, code in zip(inside, codes, strict=True):
        given[np.arange(pieces.size), code[segment]] += 1
    coincidences = (given * pieces[:, None]).T @ given
    coincidences[np.diag_indices(size)] -= (given * pieces[:, None]).sum(axis=0)
    marked = given[:, :gap].sum(axis=1)
    self_terms, covered = np.zeros(size), np.zeros(size)
    for line, segment, code in zip(lines, inside, codes, strict=True):
        is_unit = code != gap
        terms = np.where(is_unit, line.lengths**2, line.lengths)
        self_terms += np.bincount(code, weights=terms, minlength=size)
        by_others = marked - is_unit[segment] > 0
        shared = np.bincount(segment, weights=pieces * by_others, minlength=code.size)
        covered += np.bincount(code[is_unit], weights=shared[is_unit] ** 2, minlength=size)
    return coincidences / (m - 1), self_terms, covered


def u_alpha(
    continua: Sequence[Continuum],
    *,
    n_bootstrap: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> UAlphaResult:
    """uα, |uα, cuα and (k)uα of a corpus, with intervals over resampled documents (two or more).

    At most 1; `nan` with a reason where no unit was marked, where units fill everything and are
    of one category, where (cuα) units nowhere meet or are of one category only. One annotator
    alone having marked units is defined for uα and |uα. `detail["coverage"]` of (k)uα is the
    share of k's pairable length that meets another's unit. Raises RoleError where an annotator is
    not human, MetricsError where units of one annotator overlap.
    """
    corpus = corpus_of(continua, measure="uα")
    if (corpus.annotators_per_document < 2).all():
        raise MetricsError("uα needs two annotators on a document, and none has")
    counts = unitized_counts(continua_of(corpus))
    size = counts.self_terms.shape[1]
    whole = np.ones((1, len(continua)))
    draws = resampled_documents(len(continua), n_bootstrap, seed)
    line = signature(
        "u_alpha",
        gap_self_term="length",
        bootstrap=n_bootstrap,
        seed=seed,
        input=corpus_hash(corpus),
    )
    values = _family(counts, whole)
    replicates = _family(counts, draws) if draws.shape[0] else {}
    n_units = int(corpus.n_units)
    full = counts.coincidences.sum(axis=0)

    def estimate(name: str, measure: str, reason: str, **detail: float | str) -> Estimate:
        value, observed, expected = (float(x[0]) for x in values[name])
        if not reason and math.isnan(value):
            reason = SINGLE_CATEGORY
        return Estimate(
            measure=measure,
            value=math.nan if reason else value,
            reason=reason,
            observed=observed,
            expected=expected,
            interval=percentile_interval(
                replicates[name][0] if replicates and not reason else [], level
            ),
            level=level,
            n_items=n_units,
            n_annotators=int(corpus.annotators_per_document.max()),
            signature=line,
            detail={"n_documents": len(continua), **detail},
        )

    nothing = NO_UNIT if n_units == 0 else ""
    no_gap = "" if full[-1].sum() > 0 else NOTHING_BUT_UNITS
    apart = "" if full[:-1, :-1].sum() > 0 else NO_OVERLAP
    names = [*corpus.tagset, UNLABELLED_NAME]
    shown = [k for k in range(size - 1) if k < size - 2 or full[k].sum() > 0]
    with np.errstate(invalid="ignore"):
        coverage = full[:-1, :-1].sum(axis=0) / full[:, :-1].sum(axis=0)
    return UAlphaResult(
        estimate("u", "u_alpha", nothing),
        estimate("binary", "u_alpha_binary", nothing or no_gap),
        estimate("cu", "cu_alpha", nothing or apart),
        {
            names[k]: estimate(
                f"k{k}",
                "ku_alpha",
                _ku_reason(full, k),
                category=names[k],
                coverage=float(coverage[k]),
            )
            for k in shown
        },
        counts,
    )


def _ku_reason(full: NDArray[np.float64], k: int) -> str:
    if full[:, k].sum() == 0:
        return UNUSED_CATEGORY
    return "" if full[:-1, k].sum() > 0 else NO_OVERLAP


def _family(
    counts: UnitizedCounts, times: NDArray[np.float64]
) -> dict[str, tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]]:
    """(value, observed, expected) of each coefficient for B weightings of the documents (B, D)."""
    observed = np.tensordot(times, counts.coincidences, axes=1)
    self_terms, covered = times @ counts.self_terms, times @ counts.covered
    gap = observed.shape[1] - 1
    merged = np.empty((times.shape[0], 2, 2))
    merged[:, 0, 0] = observed[:, :gap, :gap].sum(axis=(1, 2))
    merged[:, 0, 1] = merged[:, 1, 0] = observed[:, :gap, gap].sum(axis=1)
    merged[:, 1, 1] = observed[:, gap, gap]
    merged_self = np.stack([self_terms[:, :gap].sum(axis=1), self_terms[:, gap]], axis=1)
    restricted = observed[:, :gap, :gap]
    found = {
        "u": _alpha(observed, self_terms),
        "binary": _alpha(merged, merged_self),
        "cu": _alpha(restricted, covered[:, :gap]),
    }
    chance = _expected(restricted, covered[:, :gap])
    for k in range(gap):
        column, expected = restricted[:, :, k].sum(axis=1), chance[:, :, k].sum(axis=1)
        differ = column - restricted[:, k, k]
        by_chance = expected - chance[:, k, k]
        with np.errstate(invalid="ignore", divide="ignore"):
            # as shares of k's length: (k)uα = 1 - observed share / expected share
            shares = differ / column, by_chance / expected
            value = np.where(by_chance > 0, 1.0 - shares[0] / shares[1], np.nan)
        found[f"k{k}"] = (value, *shares)
    return found


def _expected(
    observed: NDArray[np.float64], self_terms: NDArray[np.float64]
) -> NDArray[np.float64]:
    margins = observed.sum(axis=2)
    total = margins.sum(axis=1)
    products = margins[:, :, None] * margins[:, None, :]
    index = np.arange(observed.shape[1])
    products[:, index, index] -= self_terms
    with np.errstate(invalid="ignore", divide="ignore"):
        return products / (total - self_terms.sum(axis=1) / total)[:, None, None]


def _alpha(
    observed: NDArray[np.float64], self_terms: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    expected = _expected(observed, self_terms)
    differ = observed.sum(axis=(1, 2)) - np.trace(observed, axis1=1, axis2=2)
    by_chance = expected.sum(axis=(1, 2)) - np.trace(expected, axis1=1, axis2=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(by_chance > 0, 1.0 - differ / by_chance, np.nan), differ, by_chance
