"""Unit reference from the best alignment of a document's annotations.

Each unitary alignment proposes one unit, which is kept if at least q annotators have a unit in it
and a label rule settles its category; the others are listed for revision, with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..alignment.continuum import UNLABELLED, Continuum, Fragments
from ..arrays import Flags, Floats, Ints, Ints32, shares
from ..coded_warning import CodedWarning
from ..errors import MetricsError
from ..signature import signature_line
from .label_reference import SINGLE_ANNOTATOR, require_humans
from .votes import Ties, majority, unanimity

if TYPE_CHECKING:  # only for types: the engine compiles kernels when it is imported
    from ..alignment.best_alignment import Alignment

Bounds = Literal["median", "best_annotator"]
CategoryRule = Literal["majority", "unanimity"]
Reason = Literal["support", "category"]


@dataclass(frozen=True, slots=True)
class OpenUnit:
    """A unitary alignment that does not give a unit of the reference yet.

    unitary  its row in the alignment
    reason   support: too few annotators; category: not settled by the label rule
    start, end  bounds proposed by the bounds rule; `support` annotators have a unit in it
    """

    unitary: int
    reason: Reason
    start: float
    end: float
    support: int
    disorder: float


@dataclass(frozen=True, slots=True)
class UnitReference:
    """M units that systems may be scored against, and the open cases.

    starts, ends  float64 (M,), in the order of starts
    categories    int32 (M,): index into the tagset, -1 if no annotator gave a category
    support       int64 (M,): number of annotators with a unit there
    confidence    float64 (M,): support / annotators × share of the category among them
    unitary       int64 (M,): rows of the alignment
    fragments     M: those of a discontinuous unit, () for a unit without gaps
    open          cases for revision, the largest disorder first
    """

    starts: Floats
    ends: Floats
    categories: Ints32
    support: Ints
    confidence: Floats
    unitary: Ints
    fragments: tuple[Fragments, ...]
    open: tuple[OpenUnit, ...]
    tagset: tuple[str, ...]
    annotators: tuple[str, ...]
    warnings: tuple[CodedWarning, ...] = ()
    signature: str = ""

    @property
    def n_units(self) -> int:
        return int(self.starts.shape[0])


def reference_units(
    continuum: Continuum,
    alignment: Alignment,
    *,
    support: int | None = None,
    bounds: Bounds = "median",
    category: CategoryRule = "majority",
    ties: Ties = "abstain",
    ordered: bool = False,
    annotator_disorders: Floats | None = None,
    seed: int = 0,
) -> UnitReference:
    """Return the units that at least `support` annotators marked.

    support    q; None: more than half of the annotators
    bounds     median: medians of starts and of ends (of an even number: the mean of the two middle
               ones, rounded down if all bounds are whole); best_annotator: the bounds of the
               annotator with the lowest disorder among those with a unit there
               (and the fragments of that unit; else those of `agreed_fragments`)
    category   label rule for the units' categories; `ties`, `ordered`, `seed` as in
               `metrics.references.votes.majority`
    annotator_disorders  float64 (n,), lower agrees better, for example over the whole corpus; None:
                         mean disorder of the unitary alignments in which the annotator has a unit,
                         in this document

    Raises MetricsError for a support outside 1..n or an unknown rule, RoleError if an annotator is
    not human.
    """
    require_humans(continuum.annotators, continuum.roles, "best alignment")
    n = continuum.n_annotators
    q = n // 2 + 1 if support is None else support
    if not 1 <= q <= n:
        raise MetricsError(f"support is {q}; it must lie in 1..{n}, the number of annotators")
    if bounds not in get_args(Bounds) or category not in get_args(CategoryRule):
        raise MetricsError(
            f"bounds {bounds!r} and category {category!r}: bounds must be one of "
            f"{', '.join(get_args(Bounds))}, category one of {', '.join(get_args(CategoryRule))}"
        )
    units = alignment.units
    present = units >= 0
    n_support = present.sum(axis=1)
    fragments: list[Fragments]
    if bounds == "median":
        starts, ends = median_bounds(continuum, alignment)
        fragments = proposed_fragments(continuum, alignment)
    else:
        if annotator_disorders is None:
            own = mean_disorders([(continuum, alignment)], continuum.annotators)
            annotator_disorders = np.array(list(own.values()))
        disorders = np.asarray(annotator_disorders, dtype=np.float64)
        if disorders.shape != (n,):
            raise MetricsError(f"annotator_disorders have shape {disorders.shape}; expected ({n},)")
        best = np.where(present, np.nan_to_num(disorders, nan=np.inf), np.inf).argmin(axis=1)
        chosen = units[np.arange(units.shape[0]), np.where(present.any(axis=1), best, 0)]
        starts, ends = continuum.starts[chosen], continuum.ends[chosen]
        fragments = [continuum.fragments_of(u) for u in chosen]
    codes = np.where(present, continuum.categories[units], UNLABELLED).astype(np.int32)
    matrix = LabelMatrix(codes=codes, tagset=continuum.tagset, annotators=continuum.annotators)
    if category == "majority":
        labels = majority(matrix, ties=ties, ordered=ordered, seed=seed)
    else:
        labels = unanimity(matrix, min_labels=1)
    unlabelled = (codes == UNLABELLED).all(axis=1)
    settled = ~labels.unresolved | unlabelled
    kept = (n_support >= q) & settled
    rows = np.nonzero(kept)[0]
    rows = rows[np.lexsort((ends[rows], starts[rows]))]
    share = np.where(unlabelled, 1.0, shares(matrix.counts()).max(axis=1, initial=0.0))
    revision = [
        OpenUnit(
            int(row),
            "support" if n_support[row] < q else "category",
            float(starts[row]),
            float(ends[row]),
            int(n_support[row]),
            float(alignment.disorders[row]),
        )
        for row in np.nonzero(~kept)[0]
    ]
    return UnitReference(
        starts[rows],
        ends[rows],
        labels.codes[rows],
        n_support[rows],
        n_support[rows] / n * share[rows],
        rows,
        tuple(fragments[row] for row in rows),
        tuple(sorted(revision, key=lambda case: (-case.disorder, case.start, case.end))),
        continuum.tagset,
        continuum.annotators,
        warnings=(SINGLE_ANNOTATOR,) if n == 1 else (),
        signature=signature_line(
            "reference_units",
            support=q,
            annotators=n,
            bounds=bounds,
            category=category,
            ties=ties if category == "majority" else None,
        ),
    )


def mean_disorders(
    documents: Iterable[tuple[Continuum, Alignment | None]], annotators: Sequence[str]
) -> dict[str, float]:
    """Mean disorder of the unitary alignments with a unit of each annotator, over all documents.

    nan for an annotator without a unit; documents that are not aligned are ignored.
    """
    total, n = dict.fromkeys(annotators, 0.0), dict.fromkeys(annotators, 0)
    for continuum, alignment in documents:
        if alignment is None:
            continue
        present = alignment.units >= 0
        for a, name in enumerate(continuum.annotators):
            total[name] += float(alignment.disorders[present[:, a]].sum())
            n[name] += int(present[:, a].sum())
    return {name: total[name] / n[name] if n[name] else math.nan for name in total}


def has_unmarked_bound(
    continuum: Continuum, alignment: Alignment, reference: UnitReference
) -> Flags:
    """Whether no annotator gave the start or the end of each of the M units; bool (M,).

    The median of an even number of bounds lies between two of them if they differ.
    """
    members = alignment.units[reference.unitary]
    is_given = [
        ((values[members] == chosen[:, None]) & (members >= 0)).any(axis=1)
        for values, chosen in (
            (continuum.starts, reference.starts),
            (continuum.ends, reference.ends),
        )
    ]
    return ~(is_given[0] & is_given[1])


def median_bounds(continuum: Continuum, alignment: Alignment) -> tuple[Floats, Floats]:
    """Median start and end of each unitary alignment, (m,) each; whole if all bounds are."""
    starts, ends = (
        np.array([np.median(values[row[row >= 0]]) for row in alignment.units], dtype=np.float64)
        for values in (continuum.starts, continuum.ends)
    )
    bounds = np.concatenate([continuum.starts, continuum.ends])
    if (bounds == np.floor(bounds)).all():
        return np.floor(starts), np.floor(ends)
    return starts, ends


def proposed_fragments(continuum: Continuum, alignment: Alignment) -> list[Fragments]:
    """Return the fragments of each unitary alignment within its median bounds."""
    if not continuum.discontinuous:
        return [()] * alignment.units.shape[0]
    starts, ends = median_bounds(continuum, alignment)
    return [
        agreed_fragments(
            int(start), int(end), [continuum.fragments_of(u) for u in members[members >= 0]]
        )
        for start, end, members in zip(starts, ends, alignment.units, strict=True)
    ]


def agreed_fragments(start: int, end: int, given: Sequence[Fragments]) -> Fragments:
    """Return what is left of `[start, end)` without the gaps that more than half of the units have.

    given  fragments of each annotator's unit, () for a unit without gaps

    () if nothing is left out.

    >>> agreed_fragments(16, 39, [((16, 20), (31, 39)), ((16, 20), (31, 39)), ()])
    ((16, 20), (31, 39))
    >>> agreed_fragments(16, 39, [((16, 20), (31, 39)), ()])
    ()
    """
    gaps = [(before[1], after[0]) for fragments in given for before, after in pairwise(fragments)]
    inside = {bound for gap in gaps for bound in gap if start < bound < end}
    kept: list[tuple[int, int]] = []
    for first, last in pairwise(sorted({start, end, *inside})):
        if 2 * sum(low <= first and last <= high for low, high in gaps) > len(given):
            continue
        if kept and kept[-1][1] == first:
            first = kept.pop()[0]
        kept.append((first, last))
    return tuple(kept) if len(kept) > 1 else ()


def overlapping_fragments(
    continuum: Continuum, start: float, end: float, category: int
) -> Fragments:
    """Return the `agreed_fragments` of a unit: of each annotator, the unit that overlaps it most.

    Only units of the category count. () if nothing is left out.
    """
    if not continuum.discontinuous:
        return ()
    overlap = np.minimum(continuum.ends, end) - np.maximum(continuum.starts, start)
    shared = np.where(continuum.categories == category, overlap, 0.0)
    given = [
        continuum.fragments_of(own[shared[own].argmax()])
        for own in (np.nonzero(continuum.owners == a)[0] for a in range(continuum.n_annotators))
        if own.size and shared[own].max() > 0
    ]
    return agreed_fragments(int(start), int(end), given)
