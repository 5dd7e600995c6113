"""k-rater reliability: how well the labels of k annotators together would be reproduced.

Two disjoint panels of k annotators label the items; each panel's labels are made one, and the
coefficient is computed between the two.

* Means of numbers: α with the interval distance is a ratio of variances, so the formula of Spearman
  and Brown is exact, k α / (1 + (k − 1) α), and its interval is that of α, transformed.
* Majorities: of one annotator, the coefficient itself. Else panels are drawn again and again; pairs
  of majority labels are counted over all draws, then the coefficient is computed once, with the
  number of labels of one draw where it enters (the expected disagreement of α). Ties are resolved
  at random. Only items with 2 k labels can be split, so that k is at most half of the labels of an
  item. A coefficient of two annotators, such as π, is that of the two panels for each k.

Source: Wong & Paritosh (2022), "k-Rater Reliability: The Correct Unit of Reliability for Aggregated
Human Annotations", ACL. Where every annotator labelled every item, panels are of annotators, else
of the labels of each item.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from ..arrays import Ints32
from ..bootstrap import stream
from ..errors import MetricsError
from ..estimate import Estimate
from ..measures import specification
from ..options import Sampling
from ..reason import Reason, ReasonCode
from .distances import Distance
from .evaluate import evaluate_matrix
from .intraclass import reliability_of_mean
from .label_matrix import LabelMatrix

Together = Literal["mean", "majority"]
NAME = "k_rater_reliability"
_ROWS = 100_000  # of the panels of all draws
_FEWEST, _MOST = 20, 200  # draws of panels
_PURPOSE = 31  # of the stream of random numbers


def k_rater_reliability(
    matrix: LabelMatrix,
    *,
    measure: str = "krippendorff_alpha",
    ks: Sequence[int] = (),
    together: Together | None = None,
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[Estimate]:
    """The reliability of k annotators together, for each k.

    ks        each at least 1; default: up to half of the annotators, of means up to all of them
    together  how the labels of a panel are made one; default: the mean for α with the interval
              distance, else the majority

    Values have the range of the coefficient; `detail` has `k` and, of majorities, the number of
    `draws`. Undefined, with a reason, where no item has 2 k labels. Raises MetricsError for a k
    below 1, and for means without the interval distance.
    """
    matrix.require_humans("k-rater reliability")
    is_mean = measure == "krippendorff_alpha" and distance == "interval"
    together = together or ("mean" if is_mean else "majority")
    if together not in get_args(Together):
        raise MetricsError(f"together is {together!r}; it must be mean or majority")
    most = int((matrix.codes >= 0).sum(axis=1).max(initial=0))
    ks = ks or range(1, max(1, most if together == "mean" else most // 2) + 1)
    if min(ks) < 1:
        raise MetricsError(f"k-rater reliability needs one annotator or more, not {min(ks)}")
    if together == "majority":
        return [_reliability_of_majorities(matrix, k, measure, distance, sampling) for k in ks]
    if not is_mean:
        raise MetricsError(
            "the reliability of means needs krippendorff_alpha with the distance interval; "
            "for other coefficients choose majorities, for ratings icc_1_k, icc_2_k or icc_3_k"
        )
    [single] = evaluate_matrix(matrix, measures=[measure], distance=distance, sampling=sampling)[:1]
    return [
        replace(
            single,
            measure=NAME,
            value=_spearman_brown(single.value, k),
            interval=(
                _spearman_brown(single.interval[0], k),
                _spearman_brown(single.interval[1], k),
            ),
            observed=math.nan,
            expected=math.nan,
            signature=single.signature.of_measure(NAME).with_settings(
                of=measure, k=k, together="mean", formula="spearman-brown"
            ),
            detail={"k": k, "of": measure},
        )
        for k in ks
    ]


def _spearman_brown(single: float, k: int) -> float:
    """Agreement below chance has no variance of items that a mean would bring out: it stays."""
    return reliability_of_mean(single, k) if single > 0 else single


def _reliability_of_majorities(
    matrix: LabelMatrix, k: int, measure: str, distance: Distance, sampling: Sampling
) -> Estimate:
    split = (matrix.codes >= 0).sum(axis=1) >= 2 * k
    n_items = int(split.sum())
    if n_items < 2:
        reason = Reason(ReasonCode.FEW_LABELS_TO_SPLIT, k=k, labels=2 * k)
        return Estimate(NAME, math.nan, reason=reason, detail={"k": k, "of": measure})
    of_two = bool(specification(measure).generalisation)
    if k == 1 and not (of_two and matrix.n_annotators > 2):
        [single] = evaluate_matrix(
            matrix, measures=[measure], distance=distance, sampling=sampling
        )[:1]
        line = single.signature.of_measure(NAME)
        return replace(
            single,
            measure=NAME,
            signature=line.with_settings(of=measure, k=k, together="majority"),
            detail={"k": k, "of": measure},
        )
    codes = matrix.codes[split]
    by_annotator = bool((codes >= 0).all())
    n_draws = max(_FEWEST, min(_MOST, _ROWS // n_items))
    rng = stream(sampling.seed, _PURPOSE + 1000 * k)
    panels = np.concatenate(
        [_two_panels(codes, k, len(matrix.tagset), rng, by_annotator) for _ in range(n_draws)]
    )
    documents = matrix.drawn_documents
    over = "items" if documents is None else "documents"
    homes = np.arange(n_items) if documents is None else documents[split]
    drawn = replace(
        matrix,
        codes=panels,
        annotators=("first panel", "second panel"),
        roles=(),
        items=(),
        documents=np.tile(homes, n_draws),
    )
    [found] = evaluate_matrix(drawn, measures=[measure], distance=distance, sampling=sampling)[:1]
    if measure == "krippendorff_alpha":
        found = _with_labels_of_one_draw(found, 2 * n_items, n_draws)
    line = found.signature.of_measure(NAME)
    if "interval" in line.settings:
        line = line.with_settings(
            interval=line.settings["interval"].replace("/documents/", f"/{over}/")
        )
    return replace(
        found,
        measure=NAME,
        n_items=n_items,
        n_annotators=matrix.n_annotators,
        signature=line.with_settings(
            of=measure, k=k, together="majority", draws=n_draws, ties="random",
            panels="annotators" if by_annotator else "labels",
        ),
        detail={"k": k, "of": measure, "draws": n_draws},
    )  # fmt: skip


def _with_labels_of_one_draw(alpha: Estimate, n_labels: int, n_draws: int) -> Estimate:
    """α of all draws with D_e over n (n − 1) pairs of the labels of one draw, not of all."""
    ratio = n_draws * (n_labels - 1) / (n_draws * n_labels - 1)  # of D_e: all draws, one draw
    low, high = alpha.interval
    return replace(
        alpha,
        value=1 - (1 - alpha.value) * ratio,
        interval=(1 - (1 - low) * ratio, 1 - (1 - high) * ratio),
        expected=1 - (1 - alpha.expected) / ratio,
    )


def _two_panels(
    codes: Ints32,
    k: int,
    n_categories: int,
    rng: np.random.Generator,
    by_annotator: bool,
) -> Ints32:
    """The majority labels of two disjoint panels of k: int32 (N, 2)."""
    shape = (codes.shape[1],) if by_annotator else codes.shape
    order = np.broadcast_to(np.argsort(rng.random(shape), axis=-1), codes.shape)
    shuffled = np.take_along_axis(codes, order, axis=1)
    if not by_annotator:  # the labels that there are come first, in random order
        there = np.argsort(shuffled < 0, axis=1, kind="stable")
        shuffled = np.take_along_axis(shuffled, there, axis=1)
    majorities = []
    for panel in (shuffled[:, :k], shuffled[:, k : 2 * k]):
        counts = (panel[:, :, None] == np.arange(n_categories)).sum(axis=1)
        majorities.append((counts + rng.random(counts.shape) / 2).argmax(axis=1))
    return np.stack(majorities, axis=1).astype(np.int32)
