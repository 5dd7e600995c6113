"""The human range: table 6's humans, each against the other two."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.reference.votes import majority
from accordeur.metrics.scoring.human_range import human_range, leave_one_out

TAGSET = ("A", "B", "C")
HUMANS = np.array([[TAGSET.index(c) for c in row] for row in ("ABCAAB", "ABCBBB", "ABCABA")]).T


def by_majority(codes: np.ndarray) -> np.ndarray:
    return majority(
        LabelMatrix(codes=codes, tagset=TAGSET, annotators=tuple(map(str, range(codes.shape[1]))))
    ).codes


def test_each_human_against_the_others() -> None:
    scores = human_range(HUMANS, by_majority, annotators=("H1", "H2", "H3"), tagset=TAGSET)
    # Without H1 the others agree on ABC-B-, without H2 on ABCA--, without H3 on ABC--B.
    assert [s.score.accuracy.value for s in scores] == [3 / 4, 3 / 4, 3 / 4]
    assert [s.score.counts.n_unreferenced for s in scores] == [2, 2, 2]
    assert all(s.n_others == 2 and "without them" in s.label for s in scores)


def test_an_annotator_is_scored_on_what_they_labelled() -> None:
    codes = HUMANS.copy()
    codes[0, 0] = -1
    scores = human_range(codes, by_majority, annotators=("H1", "H2", "H3"), tagset=TAGSET)
    assert scores[0].score.accuracy.value == 2 / 3
    assert scores[0].score.accuracy.detail["n_unlabelled"] == 0


def test_two_humans_are_too_few() -> None:
    with pytest.raises(MetricsError, match="needs three annotators, found 2"):
        leave_one_out(("H1", "H2"), lambda a: a)
