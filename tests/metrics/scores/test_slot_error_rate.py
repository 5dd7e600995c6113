"""Slot error rate: Makhoul's and Grouin's weights."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.slot_error_rate import GROUIN, slot_error_counts, slot_error_rate
from accordeur.metrics.scores.unit_match_counts import ERRORS, count_unit_errors
from accordeur.metrics.unit_rows import Units

ONE_OF_EACH = {name: np.array([1]) for name in ERRORS}


def test_one_of_each() -> None:
    """5 units of the reference; 5 errors by Makhoul, 0.5 + 0.5 + 1 + 1 + 1 by Grouin et al."""
    assert slot_error_rate(ONE_OF_EACH).value == 5 / 5
    assert slot_error_rate(ONE_OF_EACH, weights=GROUIN).value == 4 / 5


def test_counts_of_documents_add_up() -> None:
    errors = {name: np.array([2, 0, 1]) for name in ERRORS}
    counts = slot_error_counts(errors, weights=GROUIN)
    assert counts.tolist() == [[8, 10], [0, 0], [4, 5]]
    score = slot_error_rate(errors, weights=GROUIN, sampling=Sampling(100))
    assert score.value == 12 / 15
    assert score.detail.spurious == 3
    assert "wrong_bounds=0.5" in score.signature


def test_more_errors_than_units() -> None:
    reference = Units([0], [0], [5], [0])
    system = Units([0, 0], [6, 8], [7, 9], [0, 0])
    assert slot_error_rate(count_unit_errors(reference, system)).value == 3.0


def test_empty_reference_and_bad_weights() -> None:
    score = slot_error_rate(count_unit_errors(Units.empty(), Units.empty(), n_documents=2))
    assert math.isnan(score.value)
    assert str(score.reason) == "the reference annotates nothing"
    with pytest.raises(MetricsError, match="weights 0 or more"):
        slot_error_rate(ONE_OF_EACH, weights={"missed": -1})
    with pytest.raises(MetricsError, match="classes are"):
        slot_error_rate(ONE_OF_EACH, weights={"typo": 1})
