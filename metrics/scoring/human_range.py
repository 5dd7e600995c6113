"""What people reach: each human against the reference built without them.

A system's score can be read beside it. It is not agreement, and not a score of the humans: each is
judged by a reference made by fewer people than the systems' one, and by a different one each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MetricsError
from ..estimate import Estimate
from .accuracy import LabelCounts, accuracy, score_labels

LABEL = "human, against a reference built without them (leave-one-out)"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HumanScore(Generic[T]):
    """`score` of one annotator; `n_others` people made the reference it was scored against."""

    annotator: str
    score: T
    n_others: int
    label: str = LABEL


@dataclass(frozen=True, slots=True)
class HumanLabels:
    counts: LabelCounts
    accuracy: Estimate


def leave_one_out(
    annotators: Sequence[str], score_without: Callable[[int], T]
) -> list[HumanScore[T]]:
    """One score an annotator, of whatever kind.

    score_without  given annotator a, builds the reference from the others and scores a against it
    Raises MetricsError with fewer than three annotators: a reference needs two.
    """
    if len(annotators) < 3:
        raise MetricsError(
            f"the human range needs three annotators, found {len(annotators)}: without one of two, "
            "the other's labels would stand for the reference"
        )
    return [
        HumanScore(name, score_without(a), len(annotators) - 1) for a, name in enumerate(annotators)
    ]


def human_range(
    codes: NDArray[np.int32],
    build_reference: Callable[[NDArray[np.int32]], NDArray[np.int32]],
    *,
    annotators: Sequence[str],
    tagset: Sequence[str],
    documents: ArrayLike | None = None,
    n_replicates: int = 0,
    level: float = 0.95,
    seed: int = 0,
) -> list[HumanScore[HumanLabels]]:
    """Accuracy (and counts) of each human against the others' reference.

    codes            int (N, A), -1 for no label
    build_reference  codes of the others (N, A − 1) → reference codes (N,), -1 where unresolved;
                     the rule that made the systems' reference
    An annotator is scored on the items they labelled and the reference resolves.
    """

    def score_without(a: int) -> HumanLabels:
        reference = np.asarray(build_reference(np.delete(codes, a, axis=1)), dtype=np.int64)
        counts = score_labels(
            np.where(codes[:, a] >= 0, reference, -1),
            codes[:, a],
            tagset=tagset,
            documents=documents,
        )
        return HumanLabels(
            counts, accuracy(counts, n_replicates=n_replicates, level=level, seed=seed)
        )

    return leave_one_out(annotators, score_without)
