"""α_U, agreement on unitizing a continuum (Krippendorff 1995; 2004, section 11.6).

Each category has its own continuum, which every annotator tiles with units and gaps. Two segments
that intersect differ by (Δstart)² + (Δend)² if both are units; a unit inside a gap differs from it
by the square of its length.

    D_o = Σ_{i≠j} Σ_g Σ_h δ²(g, h) / (m (m - 1) L²)
    D_e = 2/L · Σ_units [(N - 1)/3 · (2l³ - 3l² + l) + l² Σ_{gaps h, l_h ≥ l} (l_h - l + 1)]
          / (mL (mL - 1) - Σ_units l (l - 1))
    α_U = 1 - Σ_k D_ok / Σ_k D_ek

where m is the number of annotators, L the length and N the number of units of the category by all
annotators. D_e has the sign that the 2004 book corrected (1995 printed l_h + l + 1). Lengths are
counted in offset units, so the coefficient depends on their granularity; 1995 prints the limit for
a fine one.

Over several documents the sums over segments add, with L the sum of their lengths; a gap never
extends over two documents. Units without a category are a category of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ...alignment.continuum import UNLABELLED, UNLABELLED_NAME, Continuum
from ...arrays import Floats, Ints
from ...bootstrap import MOST_DRAWN
from ...chance.corpus import continua_of_corpus, corpus_hash, corpus_of_continua
from ...errors import MetricsError, UndefinedError
from ...estimate import Estimate, estimate
from ...estimate_detail import Detail
from ...options import Sampling
from ...reason import Reason, ReasonCode
from ...signature import How
from ..disagreement_interval import STEP, add_disagreement_interval, exposures_of_documents
from .segments import GAP, Line, annotator_line, require_no_overlaps


@dataclass(frozen=True, slots=True, eq=False)
class AlphaUResult:
    """α_U over all categories and for each; observed and expected are D_o and D_e."""

    all: Estimate
    categories: dict[str, Estimate]


class Segments(NamedTuple):
    """Segments of one category over D documents, all annotators together, by length.

    units, gaps  float64 (X,) and (Y,): the distinct lengths, sorted
    unit_counts, gap_counts  sparse (D, X) and (D, Y): number of each length in each document
    room         int64 (X,): index in `gaps` of the shortest gap that can contain a unit of this
                 length
    observed     float64 (D,): Σ δ² over ordered pairs of annotators
    """

    units: Floats
    unit_counts: csr_array
    gaps: Floats
    gap_counts: csr_array
    room: Ints
    observed: Floats

    @property
    def n_units(self) -> int:
        return int(self.unit_counts.sum())

    @property
    def n_by_length(self) -> Floats:
        """Number of units of each length, (X,)."""
        return np.asarray(self.unit_counts.sum(axis=0)).ravel()

    @property
    def n_by_document(self) -> Floats:
        """Number of units in each document, (D,)."""
        return np.asarray(self.unit_counts.sum(axis=1)).ravel()


def alpha_u(
    continua: Sequence[Continuum],
    *,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> AlphaUResult:
    """Compute α_U of a corpus, with intervals over documents (at least two with units).

    `nan` with a reason if no unit was marked, or for a category that nobody marked. The value is
    defined if only one annotator marked units (negative or 0). Documents of one annotator are
    ignored. Raises RoleError if an annotator is not human; MetricsError if units of one category by
    one annotator overlap, if documents differ in their number of annotators, or if all have fewer
    than two.
    """
    given = corpus_hash(corpus_of_continua(continua, measure="α_U"))
    continua = [c for c in continua if c.n_annotators >= 2]
    m = common_number_of_annotators(continua, "α_U")
    corpus = corpus_of_continua(continua)
    documents = continua_of_corpus(corpus)
    require_no_overlaps(documents, "α_U", by_category=True)
    codes = [*range(len(corpus.tagset))]
    if (corpus.categories == UNLABELLED).any() or not codes:
        codes.append(UNLABELLED)
    names = [UNLABELLED_NAME if code == UNLABELLED else corpus.tagset[code] for code in codes]
    segments = [category_segments(documents, code) for code in codes]
    square = float(corpus.lengths.sum()) ** 2
    observed = np.stack([s.observed / (m * (m - 1)) for s in segments], axis=1)
    expected = np.stack([expected_of_documents(s, corpus.lengths, m) for s in segments], axis=1)
    sampling = Sampling(n_replicates, level, seed)
    how = How(measure="alpha_u", length=corpus.length_setting, input=given)

    def of_categories(name: str, columns: Sequence[int], how: How) -> Estimate:
        of_documents, by_chance = (part[:, columns].sum(axis=1) for part in (observed, expected))
        d_o, d_e = float(of_documents.sum()) / square, float(by_chance.sum()) / square
        marked = [segments[k] for k in columns]
        n_units = sum(s.n_units for s in marked)
        reason = None if n_units else Reason(ReasonCode.NO_UNIT)
        if n_units and d_e == 0:
            reason = Reason(ReasonCode.NO_DISAGREEMENT)
        value = estimate(
            how,
            1.0 - d_o / d_e if d_e else math.nan,
            reason,
            observed=d_o,
            expected=d_e,
            confidence_level=level,
            n_items=n_units,
            n_annotators=m,
            detail=Detail(n_documents=len(continua), category=name),
        )
        # a unit that nobody else marked differs from the gaps of all others by its length squared
        squares = sum(float((s.units**2 * s.n_by_length).sum()) for s in marked)
        return add_disagreement_interval(
            value,
            of_documents,
            by_chance,
            np.any([s.n_by_document > 0 for s in marked], axis=0),
            sampling,
            event=2 * squares / max(1, n_units) / m,
        )

    return AlphaUResult(
        of_categories("all", range(len(codes)), how),
        {
            name: of_categories(name, [k], how.add_settings(category=name))
            for k, name in enumerate(names)
        },
    )


def category_segments(continua: Sequence[Continuum], category: int) -> Segments:
    """Return the segments of one category; units of one annotator must not overlap."""
    observed = np.zeros(len(continua))
    lengths: dict[bool, list[Floats]] = {True: [], False: []}
    documents: dict[bool, list[Ints]] = {True: [], False: []}
    for d, continuum in enumerate(continua):
        lines = [
            annotator_line(continuum, a, category=category) for a in range(continuum.n_annotators)
        ]
        observed[d] = squared_differences(lines)
        for line in lines:
            is_gap = line.categories == GAP
            for kind, chosen in ((True, is_gap), (False, ~is_gap)):
                lengths[kind].append(line.lengths[chosen])
                documents[kind].append(np.full(lengths[kind][-1].size, d))
    units, unit_counts = _counts_by_length(lengths[False], documents[False], len(continua))
    gaps, gap_counts = _counts_by_length(lengths[True], documents[True], len(continua))
    return Segments(units, unit_counts, gaps, gap_counts, np.searchsorted(gaps, units), observed)


def _counts_by_length(
    lengths: Sequence[Floats], documents: Sequence[Ints], n: int
) -> tuple[Floats, csr_array]:
    found, which = np.unique(np.concatenate(lengths), return_inverse=True)
    ones = np.ones(which.shape[0])
    counts = csr_array((ones, (np.concatenate(documents), which)), shape=(n, found.size))
    return found, counts


def squared_differences(lines: Sequence[Line]) -> float:
    """Return Σ δ² over ordered pairs of annotators and their intersecting segments."""
    return 2.0 * math.fsum(_squared_differences(a, b) for a, b in combinations(lines, 2))


def _squared_differences(first: Line, second: Line) -> float:
    starts, ends = first.bounds[:-1, None], first.bounds[1:, None]
    others, other_ends = second.bounds[None, :-1], second.bounds[None, 1:]
    intersect = (starts < other_ends) & (others < ends)
    unit, other_unit = (first.categories != GAP)[:, None], (second.categories != GAP)[None, :]
    both = intersect & unit & other_unit
    # a unit and a gap that contains it; each such pair occurs once in either direction
    inside = unit & ~other_unit & (others <= starts) & (ends <= other_ends)
    outside = ~unit & other_unit & (starts <= others) & (other_ends <= ends)
    return float(
        (((starts - others) ** 2 + (ends - other_ends) ** 2) * both).sum()
        + ((ends - starts) ** 2 * inside).sum()
        + ((other_ends - others) ** 2 * outside).sum()
    )


def expected_of_documents(segments: Segments, lengths: Floats, n_annotators: int) -> Floats:
    """Return the part of each document in D_e · L², which they sum to; float64 (D,).

    It is the derivative of the sum with respect to the weight of the document.

    lengths  float64 (D,)
    """
    n_documents, n_kinds = segments.unit_counts.shape[0], segments.units.size + segments.gaps.size
    totals = [part.sum(axis=0) for part in (segments.unit_counts, segments.gap_counts)]
    length = float(lengths.sum())
    more, less = np.empty(n_documents), np.empty(n_documents)
    step = max(1, MOST_DRAWN // max(1, n_kinds))
    for those in (slice(d, d + step) for d in range(0, n_documents, step)):
        own = [part[those].toarray() for part in (segments.unit_counts, segments.gap_counts)]
        for found, sign in ((more, STEP), (less, -STEP)):
            found[those] = _expected(
                segments,
                totals[0] + sign * own[0],
                totals[1] + sign * own[1],
                length + sign * lengths[those],
                n_annotators,
            )
    everything = _expected(
        segments, totals[0][None], totals[1][None], np.array([length]), n_annotators
    )
    return exposures_of_documents(more, less, float(everything[0]))


def _expected(
    segments: Segments, numbers: Floats, gap_numbers: Floats, lengths: Floats, n_annotators: int
) -> Floats:
    """Return D_e · L² of one category, float64 (B,), 0 without units.

    numbers, gap_numbers  float64 (B, X) and (B, Y): units and gaps by length
    lengths               float64 (B,): total length
    """
    l = segments.units  # noqa: E741 - the paper's symbol
    # over the gaps from each length to the longest: their number and total length
    number = _from_each_on(gap_numbers)[:, segments.room]
    extent = _from_each_on(gap_numbers * segments.gaps)[:, segments.room]
    fits = l**2 * (extent - (l - 1) * number)
    against_units = (numbers.sum(axis=1, keepdims=True) - 1) / 3 * (2 * l**3 - 3 * l**2 + l)
    numerator = (numbers * (against_units + fits)).sum(axis=1)
    atoms = n_annotators * lengths
    denominator = atoms * (atoms - 1) - numbers @ (l * (l - 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(denominator > 0, 2 * lengths * numerator / denominator, 0.0)


def _from_each_on(values: Floats) -> Floats:
    """Sum the columns from each one to the last, with a final column of zeros for "none"."""
    sums = np.cumsum(values[:, ::-1], axis=1)[:, ::-1]
    return np.concatenate([sums, np.zeros((values.shape[0], 1))], axis=1)


def common_number_of_annotators(continua: Sequence[Continuum], measure: str) -> int:
    """Number of annotators of every document. Raises MetricsError if documents differ."""
    numbers = {c.n_annotators for c in continua}
    if not numbers:
        raise MetricsError(f"{measure} needs two annotators on a document, but no document has two")
    if len(numbers) > 1:
        listed = ", ".join(map(str, sorted(numbers)))
        raise UndefinedError(
            Reason(ReasonCode.NUMBERS_OF_ANNOTATORS, measure=measure, numbers=listed)
        )
    return numbers.pop()
