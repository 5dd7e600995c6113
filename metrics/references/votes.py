"""References by vote: majority with three rules for ties, and unanimity with its bias.

A unanimous reference keeps the items that annotators find easiest; the result therefore reports
which items were dropped, and how hard they were (Mathet & Widlöcher 2016; Brégeon 2018 for the tie
rules).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints, divide
from ..bootstrap import mean_defined
from ..coded_warning import CodedWarning
from ..errors import MetricsError
from ..signature import input_hash, signature_line
from .label_reference import (
    SINGLE_ANNOTATOR,
    UNRESOLVED,
    Reference,
    require_humans,
)

Ties = Literal["abstain", "random", "nearest_mean"]


def majority(
    matrix: LabelMatrix,
    *,
    ties: Ties = "abstain",
    ordered: bool = False,
    values: Floats | None = None,
    seed: int = 0,
) -> Reference:
    """Return the most frequent label of each item; items without labels are unresolved.

    ties     abstain: no label, the item is unresolved; random: one of the tied categories, drawn
             with `seed`; nearest_mean: the tied category nearest the mean of the item's labels; if
             several are equally near (as when only two categories were given), one of them is drawn
    ordered  whether the tagset is a scale: the ranks 0..K-1 are then the categories' values
    values   float64 (K,): the values, if they are not the ranks

    `detail["n_drawn"]` counts the items whose label was drawn at random.
    Raises MetricsError for an unknown rule and for nearest_mean on categories neither `ordered` nor
    given `values`, RoleError if an annotator is not human.
    """
    require_humans(matrix.annotators, matrix.roles, "majority")
    if ties not in ("abstain", "random", "nearest_mean"):
        raise MetricsError(f"ties is {ties!r}; it must be abstain, random or nearest_mean")
    scale = np.arange(len(matrix.tagset), dtype=np.float64) if values is None else values
    if ties == "nearest_mean" and values is None and not ordered:
        raise MetricsError(
            "ties='nearest_mean' takes the mean of the labels, which needs ordered categories: "
            "declare the categories ordered, give values, or use ties='random'"
        )
    if scale.shape != (len(matrix.tagset),):
        raise MetricsError(f"values have shape {scale.shape}; expected ({len(matrix.tagset)},)")
    counts = matrix.counts()
    most = counts.max(axis=1, initial=0)
    labelled = most > 0
    winners = (counts == most[:, None]) & labelled[:, None]
    tied = winners.sum(axis=1) > 1
    codes = np.where(labelled, winners.argmax(axis=1) if len(matrix.tagset) else 0, UNRESOLVED)
    if ties == "abstain":
        codes[tied] = UNRESOLVED
        n_drawn = 0
    else:
        candidates = winners[tied]
        if ties == "nearest_mean":
            candidates = _nearest_mean(counts[tied], candidates, scale)
        codes[tied] = _draw_winners(candidates, np.random.default_rng(seed))
        n_drawn = int((candidates.sum(axis=1) > 1).sum())
    n_ties = int(tied.sum())
    warnings = [SINGLE_ANNOTATOR] if matrix.n_annotators == 1 else []
    if n_ties and ties != "abstain":
        warnings.append(CodedWarning("ties_by_rule", {"n": n_ties, "rule": ties}))
    return Reference(
        codes=codes.astype(np.int32),
        tagset=matrix.tagset,
        rule="majority",
        n_ties=n_ties,
        annotators=matrix.annotators,
        items=tuple(matrix.items),
        warnings=tuple(warnings),
        signature=signature_line(
            "majority",
            ties=ties,
            seed=seed if ties != "abstain" else None,
            input=input_hash([matrix.codes]),
        ),
        detail={"n_unlabelled": int((~labelled).sum()), "n_drawn": n_drawn, "ties": ties},
    )


def unanimity(matrix: LabelMatrix, *, min_labels: int = 2) -> Reference:
    """Return the label of items with unanimous labels; the other items are unresolved.

    min_labels  minimum number of labels of a unanimous item

    The bias of unanimity is in `detail`: `coverage`; `dropped_disagreement` and
    `kept_disagreement`, the mean share of pairs of labels that differ; for each category X,
    `coverage of X`, the share of items with majority X that unanimity keeps (tied items have no
    majority). Values without items are nan. Raises MetricsError for min_labels < 1, RoleError if an
    annotator is not human.
    """
    require_humans(matrix.annotators, matrix.roles, "unanimity")
    if min_labels < 1:
        raise MetricsError(f"min_labels is {min_labels}; it must be 1 or more")
    counts = matrix.counts()
    n_labels = counts.sum(axis=1)
    most = counts.max(axis=1, initial=0)
    kept = (most == n_labels) & (n_labels >= min_labels)
    codes = np.where(kept, counts.argmax(axis=1) if len(matrix.tagset) else 0, UNRESOLVED)
    n_ties = int((((counts == most[:, None]).sum(axis=1) > 1) & (most > 0)).sum())
    detail, warning = _bias_of_unanimity(matrix, counts, kept)
    warnings = [SINGLE_ANNOTATOR] if matrix.n_annotators == 1 else []
    if warning is not None:
        warnings.append(warning)
    return Reference(
        codes=codes.astype(np.int32),
        tagset=matrix.tagset,
        rule="unanimity",
        n_ties=n_ties,
        annotators=matrix.annotators,
        items=tuple(matrix.items),
        warnings=tuple(warnings),
        signature=signature_line(
            "unanimity", min_labels=min_labels, input=input_hash([matrix.codes])
        ),
        detail=detail,
    )


def item_disagreement(counts: Ints) -> Floats:
    """Share of an item's pairs of labels that differ, (N,): nan with fewer than two labels."""
    n_labels = counts.sum(axis=1)
    pairs = n_labels * (n_labels - 1)
    alike = (counts * (counts - 1)).sum(axis=1)
    return divide(pairs - alike, pairs)


def _bias_of_unanimity(
    matrix: LabelMatrix, counts: Ints, kept: Flags
) -> tuple[dict[str, float | int | str], CodedWarning | None]:
    disagreement = item_disagreement(counts)
    dropped = ~kept
    detail: dict[str, float | int | str] = {
        "coverage": float(kept.mean()) if kept.size else float("nan"),
        "n_dropped": int(dropped.sum()),
        "dropped_disagreement": float(mean_defined(disagreement[dropped])),
        "kept_disagreement": float(mean_defined(disagreement[kept])),
    }
    by_majority = majority(matrix).codes
    for code, category in enumerate(matrix.tagset):
        of_category = by_majority == code
        detail[f"coverage of {category}"] = (
            float(kept[of_category].mean()) if of_category.any() else float("nan")
        )
    if not dropped.any():
        return detail, None
    share, differing = float(kept.mean()), float(mean_defined(disagreement[dropped]))
    return detail, CodedWarning("unanimity_keeps", {"share": share, "differing": differing})


def _draw_winners(winners: Flags, rng: np.random.Generator) -> Ints:
    """Draw one True of each row, all with the same probability."""
    rank = (rng.random(winners.shape[0]) * winners.sum(axis=1)).astype(np.int64)
    return (np.cumsum(winners, axis=1) == rank[:, None] + 1).argmax(axis=1)


def _nearest_mean(counts: Ints, winners: Flags, values: Floats) -> Flags:
    """Select the tied categories nearest the mean of the item's labels."""
    means = (counts @ values) / counts.sum(axis=1)
    away = np.where(winners, np.abs(values[None, :] - means[:, None]), np.inf)
    # The mean is a quotient: equal distances may differ in their last bits.
    slack = 1e-9 * (np.ptp(values) + 1.0)
    return winners & (away <= away.min(axis=1, keepdims=True) + slack)
