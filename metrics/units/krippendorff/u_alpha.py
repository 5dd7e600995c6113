"""The uα family (Krippendorff, Mathet, Bouvry & Widlöcher 2016; Krippendorff 2019, section 12.6).

Each annotator's document is tiled with segments: units with a category, and gaps (φ).

    ℓ_ck  Σ over ordered pairs of annotators of the length where one has c, the other k, / (m - 1)
    s_c   Σ over segments of c of length² for units, of length for gaps;  s = Σ s_c
    ε_ck  (ℓ_c ℓ_k - [c = k] s_c) / (ℓ - s/ℓ)

| coefficient | question | computed from |
|---|---|---|
| uα | where are units, and of which category? | ℓ, ε: 1 - (ℓ - Σℓ_cc) / (Σε_ck - Σε_cc) |
| \\|uα | where are units? | the same with all categories merged against φ |
| cuα | which category, if both marked a unit? | ℓ, ε without φ; s_c of these lengths |
| (k)uα | do others use k where one annotator uses k? | the same matrices, column k |

In cuα and (k)uα, the length of a unit in ℓ is each stretch times the share of the other annotators
with a unit there, and its self term is the square of this length: what pairing the unit with itself
would add to ℓ_c ℓ_c. If all segments have length 1, each coefficient is Krippendorff's α on these
atoms (cuα only if the same number of annotators has a unit on each). Lengths are counted in offset
units: gaps consist of units of length 1, so the value depends slightly on the granularity, by
definition.

Counts of documents add (a segment never extends over two documents). Units without a category are a
category of their own.

Intervals of uα and |uα are of the ratio of disagreeing lengths, observed to expected
(`metrics.units.disagreement_interval`); those of cuα and (k)uα are of a posterior over
documents (`metrics.units.category_posterior`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...alignment.continuum import UNLABELLED_NAME, Continuum
from ...arrays import Floats
from ...beyond_chance import beyond_chance
from ...chance.corpus import continua_of_corpus, corpus_hash, corpus_of_continua
from ...errors import MetricsError
from ...estimate import Estimate, estimate
from ...estimate_detail import NO_DETAIL, Detail
from ...options import Sampling
from ...reason import Reason, ReasonCode
from ...signature import How
from ..category_posterior import add_posterior_interval, posterior_weights, pseudo_pairs
from ..disagreement_interval import STEP, add_disagreement_interval, exposures_of_documents
from .unitized_counts import UnitizedCounts, unitized_counts

_OF_POSITIONS = ("u", "binary")  # which count where units are, not their categories alone
_POPULATION = 1e6  # documents of each drawn one, so that self terms vanish


@dataclass(frozen=True, slots=True, eq=False)
class UAlphaResult:
    """uα, |uα, cuα, and (k)uα for each category; observed and expected are disagreeing lengths."""

    u_alpha: Estimate
    u_alpha_binary: Estimate
    cu_alpha: Estimate
    ku_alpha: dict[str, Estimate]
    counts: UnitizedCounts


def u_alpha(
    continua: Sequence[Continuum],
    *,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> UAlphaResult:
    """Compute uα, |uα, cuα and (k)uα of a corpus, with intervals over documents.

    At most 1; `nan` with a reason if no unit was marked, if units of one category fill everything,
    or, for cuα, if units never meet or are of one category only. uα and |uα are defined if only one
    annotator marked units. `detail["coverage"]` of (k)uα is the share of k's pairable length that
    meets another annotator's unit. Documents of one annotator are ignored; intervals need two
    documents with units (cuα, (k)uα: that meet). Raises RoleError if an annotator is not human,
    MetricsError if units of one annotator overlap.
    """
    corpus = corpus_of_continua(continua, measure="uα")
    compared = [c for c in continua if c.n_annotators >= 2]
    if not compared:
        raise MetricsError("uα needs two annotators on a document, but no document has two")
    counts = unitized_counts(continua_of_corpus(corpus_of_continua(compared)))
    size, n_units = counts.self_terms.shape[1], sum(c.n_units for c in compared)
    mean_length = float(counts.margins[:, :-1].sum()) / max(1, n_units)
    how = How(measure="u_alpha", gap_self_term="length", input=corpus_hash(corpus))
    length = dict.fromkeys(
        ("u_alpha", "u_alpha_binary"), corpus_of_continua(compared).length_setting
    )
    of_documents = _Sums.of(counts)
    total = _coefficients(of_documents.weighted(np.ones((1, len(compared)))))
    sampling = Sampling(n_replicates, level, seed)
    drawn = _coefficients(_posterior_sums(of_documents, mean_length, sampling))
    each = _coefficients(of_documents)
    more, less = (_coefficients(of_documents.with_more_of_each(step)) for step in (STEP, -STEP))
    full = counts.coincidences

    def of_family(
        name: str, measure: str, reason: Reason | None, detail: Detail = NO_DETAIL
    ) -> Estimate:
        value, observed, expected = total[name][:, 0].tolist()
        if not reason and math.isnan(value):
            reason = Reason(ReasonCode.SINGLE_CATEGORY)
        own = how.for_measure(measure, length=length.get(measure), category=detail.category or None)
        found = estimate(
            own,
            value,
            reason,
            observed=observed,
            expected=expected,
            confidence_level=level,
            n_items=n_units,
            n_annotators=corpus.n_paired_annotators,
            detail=Detail(n_documents=len(compared)) | detail,
        )
        if name in _OF_POSITIONS:
            return add_disagreement_interval(
                found,
                each[name][1],
                exposures_of_documents(more[name][2], less[name][2], expected),
                counts.margins[:, :-1].sum(axis=1) > 0,
                sampling,
                event=2 * mean_length,
            )
        meeting = counts.with_units > 0
        n_content = int((meeting.any(axis=1) if name == "cu" else meeting[:, int(name[1:])]).sum())
        sizes = {"n_documents": len(compared), "n_content": n_content}
        return add_posterior_interval(found, drawn[name][0], sampling, **sizes)

    nothing = None if n_units else Reason(ReasonCode.NO_UNIT)
    no_gap = None if full[-1].sum() > 0 else Reason(ReasonCode.NO_GAP)
    apart = None if full[:-1, :-1].sum() > 0 else Reason(ReasonCode.NO_OVERLAP)
    names = [*corpus.tagset, UNLABELLED_NAME]
    shown = [k for k in range(size - 1) if k < size - 2 or full[k].sum() > 0]
    with np.errstate(invalid="ignore"):
        coverage = full[:-1, :-1].sum(axis=0) / full[:, :-1].sum(axis=0)
    return UAlphaResult(
        of_family("u", "u_alpha", nothing),
        of_family("binary", "u_alpha_binary", nothing or no_gap),
        of_family("cu", "cu_alpha", nothing or apart),
        {
            names[k]: of_family(
                f"k{k}",
                "ku_alpha",
                _ku_reason(full, k),
                Detail(category=names[k], coverage=float(coverage[k])),
            )
            for k in shown
        },
        counts,
    )


def _ku_reason(full: Floats, k: int) -> Reason | None:
    if full[:, k].sum() == 0:
        return Reason(ReasonCode.UNUSED_CATEGORY)
    return None if full[:-1, k].sum() > 0 else Reason(ReasonCode.NO_OVERLAP)


class _Sums(NamedTuple):
    """`UnitizedCounts` of documents or their sums, float64 (B, K') each."""

    margins: Floats
    same: Floats
    with_units: Floats
    self_terms: Floats
    covered: Floats

    @classmethod
    def of(cls, counts: UnitizedCounts) -> _Sums:
        return cls(
            counts.margins, counts.same, counts.with_units, counts.self_terms, counts.covered
        )

    def weighted(self, times: Floats) -> _Sums:
        """Sum with B vectors of weights, (B, D)."""
        return _Sums(*(times @ part for part in self))

    def with_more_of_each(self, step: float) -> _Sums:
        """Return the sums of all documents with `step` more of each in turn, (D, K')."""
        return _Sums(*(part.sum(axis=0) + step * part for part in self))


def _posterior_sums(sums: _Sums, mean_length: float, sampling: Sampling) -> _Sums:
    """Draw sums of an infinite population of documents and pseudo-pairs of units of mean length."""
    size = sums.margins.shape[1]
    in_use = np.append(sums.with_units[:, :-1].sum(axis=0), 0.0)
    kinds, masses = pseudo_pairs(in_use, 1.0 - np.eye(size), *sums)
    first, second = np.eye(size)[kinds[:, 0]], np.eye(size)[kinds[:, 1]]
    lengths, squares = mean_length * (first + second), mean_length**2 * (first + second)
    pseudo = _Sums(lengths, 2 * mean_length * first * second, lengths, squares, squares)
    blocks = [
        [_POPULATION * (drawn + pairs @ part) for drawn, part in zip(some, pseudo, strict=True)]
        for times, pairs in posterior_weights(masses, sampling, *sums)
        for some in [sums.weighted(times)]
    ]
    empty = [np.empty((0, size))] * len(pseudo)
    return _Sums(*(np.concatenate(parts) for parts in zip(empty, *blocks, strict=True)))


def _coefficients(sums: _Sums) -> dict[str, Floats]:
    """Return (value, observed, expected) of each coefficient, (3, B)."""
    margins, same, with_units, self_terms, covered = sums
    units = slice(0, margins.shape[1] - 1)

    def merged(part: Floats, marked: Floats) -> Floats:
        return np.stack([marked[:, units].sum(axis=1), part[:, -1]], axis=1)

    found = {
        "u": _alpha(margins, same, self_terms),
        "binary": _alpha(
            merged(margins, margins), merged(same, with_units), merged(self_terms, self_terms)
        ),
        "cu": _alpha(with_units[:, units], same[:, units], covered[:, units]),
    }
    total = with_units.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs = total - covered.sum(axis=1) / total
        for k in range(margins.shape[1] - 1):
            column = with_units[:, k]
            by_chance = (total * column - column**2) / pairs
            expected = (total * column - covered[:, k]) / pairs
            # as shares of k's length: (k)uα = 1 - observed share / expected share
            shares = (column - same[:, k]) / column, by_chance / expected
            value = beyond_chance(*shares)
            found[f"k{k}"] = np.stack([value, *shares])
    return found


def _alpha(margins: Floats, same: Floats, self_terms: Floats) -> Floats:
    """(value, Σ off-diagonal ℓ, Σ off-diagonal ε) from margins, diagonal and self terms (B, C)."""
    total = margins.sum(axis=1)
    differ = (margins - same).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # the self terms are only on the diagonal, which is excluded
        by_chance = total**2 - (margins**2).sum(axis=1)
        by_chance = by_chance / (total - self_terms.sum(axis=1) / total)
        value = beyond_chance(differ / total, by_chance / total)
    return np.stack([value, differ, by_chance])
