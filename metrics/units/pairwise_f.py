"""Pairwise F of units between annotators (Hripcsak & Rothschild 2005).

The F-measure of one annotator's units against another's is the same in both directions,
2 m / (n_a + n_b) with m matched pairs of n_a and n_b units. Over a corpus the counts are added over
the documents and the pairs of annotators who share them before the ratio is taken:

    F = Σ units that have a partner / Σ units

where a unit is counted once for each other annotator of its document. `detail["mean_of_pairs"]` is
the unweighted mean of the values of the pairs of annotators, each over all their documents.

| measure | a pair of units matches by |
|---|---|
| `pairwise_f` | the same bounds and category |
| `pairwise_f_bounds` | the same bounds |
| `pairwise_f_overlap` | an overlap |
| `pairwise_f_type` | an overlap and the same category |
| `pairwise_f_characters` | – : counts positions in place of units, by category |

Each unit has one partner at most and the number of pairs is the largest possible
(`metrics.unit_matching`). By characters, a position counts once for each unit that covers it; two
annotators share as many as both have with the same category there. Positions are characters,
milliseconds or tokens, in the unit of the offsets.

Range: 0 to 1, 1 if all annotators marked the same; not corrected for chance. `nan` with a reason if
nobody marked a unit. Documents of one annotator are ignored. In a category, F is the share of its
units that have a partner, of whatever category where the match does not compare categories.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np

from ..alignment.continuum import UNLABELLED, UNLABELLED_NAME, Continuum
from ..arrays import Flags, Floats, Ints
from ..bootstrap import mean_defined, ratio_of_sums
from ..chance.corpus import Corpus, corpus_hash, corpus_of_continua
from ..errors import MetricsError
from ..estimate import Estimate, estimate
from ..estimate_detail import NO_DETAIL, Detail
from ..intervals.evaluate import Share, evaluate, ratio_of_columns
from ..intervals.interval import add_interval
from ..intervals.new_annotators import annotator_groups_without_each
from ..measure import Match
from ..measures import measure_of
from ..options import NO_INTERVALS, Sampling, UnitMatching
from ..reason import Reason, ReasonCode
from ..signature import How, input_hash
from ..unit_matching import STRICT, pair_units, sort_units
from ..unit_rows import Units, whole_numbers
from .annotator_sample import widen_unit_interval

MATCHES: Mapping[str, Match | None] = MappingProxyType(
    {
        "pairwise_f": "exact",
        "pairwise_f_bounds": "bounds",
        "pairwise_f_overlap": "overlap",
        "pairwise_f_type": "type",
        "pairwise_f_characters": None,
    }
)
"""How units match for each measure; None: positions are counted in place of units."""
WITH_TOLERANCE = ("pairwise_f", "pairwise_f_bounds")
WITH_OVERLAP = ("pairwise_f", "pairwise_f_overlap", "pairwise_f_type")


def require_matching_is_used(
    measures: Collection[str], matching: UnitMatching, option: Callable[[str], str]
) -> None:
    """Raise MetricsError for a tolerance or a least overlap that none of the measures uses.

    option  how the user names an option
    """
    if matching.tolerance and not {*measures} & {*WITH_TOLERANCE}:
        raise MetricsError(
            f"{option('tolerance')} is for {', '.join(WITH_TOLERANCE)}: γ "
            "has none, because it weighs each difference of bounds by its size; "
            f"{option('trim')} removes blanks and punctuation at the edges of units for all of them"
        )
    if matching.min_overlap and not {*measures} & {*WITH_OVERLAP}:
        raise MetricsError(f"{option('min_overlap')} is for {', '.join(WITH_OVERLAP)}")


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseCounts:
    """Counts of every pair of annotators, by document and category.

    annotators  A names, in alphabetical order
    tagset      K categories, and `UNLABELLED_NAME` if some unit has none
    present     bool (D, A): who annotated each document
    documents, owners, categories  int64 (U,): the units
    rows        int64 (R, 4): two annotators, document, category
    matched, total  float64 (R,): units (or positions) of both with a partner, and all
    """

    how: How
    annotators: tuple[str, ...]
    tagset: tuple[str, ...]
    present: Flags
    documents: Ints
    owners: Ints
    categories: Ints
    rows: Ints
    matched: Floats
    total: Floats


def pairwise_f(
    continua: Sequence[Continuum],
    measure: str = "pairwise_f",
    matching: UnitMatching = STRICT,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Compute one of `MATCHES` over a corpus, with an interval over documents.

    The interval, Korn & Graubard's of a share, needs two documents with units. Raises RoleError if
    an annotator is not human, MetricsError if no document has two annotators or a bound is not a
    whole number.
    """
    return f_of_counts(pairwise_counts(continua, measure, matching), sampling)


def pairwise_counts(
    continua: Sequence[Continuum], measure: str = "pairwise_f", matching: UnitMatching = STRICT
) -> PairwiseCounts:
    """Match the units of every pair of annotators in the documents that they share.

    Raises RoleError and MetricsError as `pairwise_f`.
    """
    corpus = corpus_of_continua(continua, measure="the pairwise F")
    if (corpus.annotators_per_document < 2).all():
        raise MetricsError("no document has two annotators: there is nothing to compare")
    annotators = tuple(sorted(corpus.annotators))
    units, owners, present = units_of_corpus(corpus, annotators)
    names = corpus.tagset
    if (units.categories == UNLABELLED).any():
        names = (*names, UNLABELLED_NAME)
    together = present.T.astype(np.float64) @ present
    found = [
        (
            a,
            b,
            *_count_matches_of_pair(units, owners, present, a, b, MATCHES[measure], matching),
        )
        for a, b in np.argwhere(np.triu(together, 1)).tolist()
    ]
    keys = [
        np.column_stack([np.full_like(d, a), np.full_like(d, b), d, c]) for a, b, d, c, *_ in found
    ]
    return PairwiseCounts(
        _how(measure, matching).add_settings(input=_input_of(corpus)),
        annotators,
        names,
        present,
        units.documents,
        owners,
        np.where(units.categories < 0, len(corpus.tagset), units.categories),
        np.concatenate([np.empty((0, 4), dtype=np.int64), *keys]),
        np.concatenate([np.empty(0), *(one[4] for one in found)]),
        np.concatenate([np.empty(0), *(one[5] for one in found)]),
    )


def f_of_counts(counts: PairwiseCounts, sampling: Sampling = NO_INTERVALS) -> Estimate:
    """Return F over all pairs and categories, with the mean over the pairs of annotators."""
    n_annotators = len(counts.annotators)
    sums = np.zeros((2, n_annotators, n_annotators))
    where = (counts.rows[:, 0], counts.rows[:, 1])
    np.add.at(sums[0], where, counts.matched)
    np.add.at(sums[1], where, counts.total)
    of_pairs = ratio_of_sums(sums.reshape(2, -1).T)
    every = np.ones(n_annotators, dtype=np.bool_)
    return _estimate(counts, every, None, sampling, mean_of_pairs=float(mean_defined(of_pairs)))


def f_by_category(
    counts: PairwiseCounts, sampling: Sampling = NO_INTERVALS, *, new_annotators: bool = False
) -> dict[str, Estimate]:
    """Return F of each category.

    new_annotators  whether intervals are for new annotators
    """
    every = np.ones(len(counts.annotators), dtype=np.bool_)
    return {
        name: _estimate(counts, every, k, sampling, new_annotators=new_annotators)
        for k, name in enumerate(counts.tagset)
    }


def f_by_pair(
    counts: PairwiseCounts, sampling: Sampling = NO_INTERVALS, *, new_annotators: bool = False
) -> dict[tuple[str, str], Estimate]:
    """Return F of each two annotators; `nan` with a reason without a document in common.

    With `new_annotators` no pair has an interval: it needs three.
    """
    return {
        pair: _estimate(
            counts, _chosen(counts, pair), None, sampling, new_annotators=new_annotators
        )
        for pair in combinations(counts.annotators, 2)
    }


def f_without_each(
    counts: PairwiseCounts, sampling: Sampling = NO_INTERVALS, *, new_annotators: bool = False
) -> dict[str, Estimate]:
    """Return F of the others without each annotator in turn.

    new_annotators  whether intervals are for new annotators
    """
    return {
        left_out: _estimate(
            counts,
            _chosen(counts, [name for name in counts.annotators if name != left_out]),
            None,
            sampling,
            new_annotators=new_annotators,
        )
        for left_out in counts.annotators
    }


def _chosen(counts: PairwiseCounts, names: Sequence[str]) -> Flags:
    return np.isin(counts.annotators, names)


def _estimate(
    counts: PairwiseCounts,
    annotators: Flags,
    category: int | None,
    sampling: Sampling,
    mean_of_pairs: float | None = None,
    *,
    new_annotators: bool = False,
) -> Estimate:
    """Return F of the pairs of some annotators, in one category or all; None: all."""
    n_present = counts.present[:, annotators].sum(axis=1)
    units = annotators[counts.owners] & (n_present > 1)[counts.documents]
    if category is not None:
        units &= counts.categories == category
    own = sums_of_documents(counts, annotators, category)
    drawn = own[own[:, 1] > 0]
    compared = counts.present[n_present > 1][:, annotators]
    reason = None
    if not compared.size:
        reason = Reason(ReasonCode.NO_COMMON_DOCUMENT)
    elif not drawn.size:
        reason = Reason(ReasonCode.NO_UNIT if category is None else ReasonCode.UNUSED_CATEGORY)
    how = counts.how.add_settings(category=None if category is None else counts.tagset[category])
    matched, total = drawn.sum(axis=0).tolist()
    more = NO_DETAIL if mean_of_pairs is None else Detail(mean_of_pairs=mean_of_pairs)
    if category is not None:
        more |= Detail(category=counts.tagset[category])
    value = estimate(
        how,
        matched / total if total else math.nan,
        reason,
        confidence_level=sampling.confidence_level,
        n_items=int(units.sum()),
        n_annotators=int(compared.any(axis=0).sum()),
        detail=Detail(
            n_documents=compared.shape[0],
            n_documents_without_units=compared.shape[0] - drawn.shape[0],
            n_matched=matched,
            n_compared=total,
        )
        | more,
    )
    # an error takes the partners of a unit, once for each other annotator, and theirs
    together = 2 * total / int(units.sum()) if total else 1.0
    fewest = measure_of(value.measure).fewest
    share = Share(ratio_of_columns(0, 1), together=together, fewest=fewest)
    [found] = evaluate(drawn, [share], sampling)
    value = value if found.interval is None else add_interval(value, found.interval)
    if not new_annotators:
        return value
    sharing = np.flatnonzero(annotators)[compared.any(axis=0)].tolist()
    without = [
        ratio_of_sums(
            sums_of_documents(counts, np.isin(np.arange(annotators.size), kept), category).sum(
                axis=0, keepdims=True
            )
        )[0]
        for kept in annotator_groups_without_each(sharing)
    ]
    return widen_unit_interval(value, np.array(without))


def sums_of_documents(
    counts: PairwiseCounts, annotators: Flags | None = None, category: int | None = None
) -> Floats:
    """Return what is matched and what there is in each document, (D, 2); None: of all."""
    rows = np.ones(len(counts.rows), dtype=np.bool_)
    if annotators is not None:
        rows = annotators[counts.rows[:, 0]] & annotators[counts.rows[:, 1]]
    if category is not None:
        rows &= counts.rows[:, 3] == category
    own = np.zeros((counts.present.shape[0], 2))
    np.add.at(own, counts.rows[rows, 2], np.column_stack([counts.matched, counts.total])[rows])
    return own


def _how(measure: str, matching: UnitMatching) -> How:
    """Return the settings that the measure uses."""
    match = MATCHES[measure]
    return How(
        measure=measure,
        match=match or "characters",
        min_overlap=matching.min_overlap or None if match in ("overlap", "type") else None,
        tolerance=matching.tolerance or None if match in ("exact", "bounds") else None,
    )


def _input_of(corpus: Corpus) -> str:
    """Return a hash of what the F reads: also of fragments, if any unit has a gap."""
    hashed = corpus_hash(corpus)
    return input_hash([hashed, corpus.gaps]) if corpus.gaps.any() else hashed


def units_of_corpus(corpus: Corpus, annotators: Sequence[str]) -> tuple[Units, Ints, Flags]:
    """Return the units, their owners (U,), and who annotated each document, bool (D, A)."""
    number = np.array([annotators.index(name) for name in corpus.annotators], dtype=np.int64)
    of_set = number[corpus.set_annotators]
    document_of_set = np.repeat(np.arange(corpus.n_documents), np.diff(corpus.set_offsets))
    sizes = np.diff(corpus.unit_offsets)
    present = np.zeros((corpus.n_documents, len(annotators)), dtype=np.bool_)
    present[document_of_set, of_set] = True
    units = Units(
        np.repeat(document_of_set, sizes),
        whole_numbers(corpus.starts, "start"),
        whole_numbers(corpus.ends, "end"),
        corpus.categories.astype(np.int64),
        corpus.gaps.astype(np.int64),
    )
    return units, np.repeat(of_set, sizes), present


def _count_matches_of_pair(
    units: Units,
    owners: Ints,
    present: Flags,
    a: int,
    b: int,
    match: Match | None,
    matching: UnitMatching,
) -> tuple[Ints, Ints, Floats, Floats]:
    """Return documents, categories, what is matched and what there is, of two annotators."""
    shared = (present[:, a] & present[:, b])[units.documents]
    one, other = (units.select(np.flatnonzero(shared & (owners == who))) for who in (a, b))
    n_categories = int(max(units.categories.max(initial=-1), -1)) + 2
    both = sort_units(one, other)
    cells = both.documents * n_categories + np.where(
        both.categories < 0, n_categories - 1, both.categories
    )
    if match is None:
        weights = (both.ends - both.starts).astype(np.float64)
        edges, lengths = _shared_lengths(cells, both.starts, both.ends, both.sides)
        matched = np.bincount(edges, weights=2.0 * lengths).astype(np.float64)
    else:
        weights = np.ones(cells.size)
        partners, _ = pair_units(both, match, matching)
        matched = np.bincount(cells, weights=partners >= 0).astype(np.float64)
    total = np.bincount(cells, weights=weights).astype(np.float64)
    used = np.flatnonzero(total)
    documents, categories = np.divmod(used, n_categories)
    return documents, categories, matched[used], total[used]


def _shared_lengths(cells: Ints, starts: Ints, ends: Ints, sides: Ints) -> tuple[Ints, Floats]:
    """Return cells (documents and categories) and lengths that both sides cover.

    A stretch that each side covers several times counts for the smaller number.
    """
    cell, place = np.concatenate([cells, cells]), np.concatenate([starts, ends])
    step = np.concatenate([np.ones(starts.size), -np.ones(ends.size)])
    side = np.concatenate([sides, sides])
    order = np.lexsort((place, cell))
    cell, place, step, side = cell[order], place[order], step[order], side[order]
    # after the last end of a cell nothing is covered, so that cells never mix
    covered = np.minimum(np.cumsum(step * (side == 0)), np.cumsum(step * (side == 1)))
    return cell, covered * np.diff(place, append=place[-1:])
