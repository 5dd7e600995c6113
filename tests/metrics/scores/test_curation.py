"""A real curation against its annotators, and scores in the campaign's own dissimilarity."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.formats.inception_project import READER
from accordeur.data.schema import Unit
from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.disorder import observed_disorder
from accordeur.metrics.scores.precision_recall_f import precision_recall_f
from accordeur.metrics.scores.unit_match_counts import count_unit_errors, match_units
from accordeur.metrics.unit_rows import Units

PROJECT = Path("inception_pos_project") / "Example_Project_POS.zip"


def units_of(records: list[Unit], annotator: str, tagset: tuple[str, ...]) -> Units:
    rows = [
        (0, u.start_offset, u.end_offset, tagset.index(u.category))
        for u in records
        if u.annotator == annotator
    ]
    return Units(*np.array(rows).reshape(-1, 4).T)


@pytest.fixture(scope="module")
def curated(shared_data: Path) -> list[Unit]:
    """The units of test3.txt, the one document with a curation."""
    records = READER.read(shared_data / PROJECT, SourceOptions())
    return [r for r in records if isinstance(r, Unit) and r.document == "test3.txt"]


@pytest.mark.shared
def test_annotators_against_the_curation(curated: list[Unit]) -> None:
    tagset = tuple(sorted({u.category for u in curated}))
    curation = {
        (u.start_offset, u.end_offset, u.category)
        for u in curated
        if u.annotator == "CURATION_USER"
    }
    assert len(curation) == 16
    for annotator in ("ia-test1", "ia-test2", "ia-test3"):
        theirs = {
            (u.start_offset, u.end_offset, u.category) for u in curated if u.annotator == annotator
        }
        gold, found = (units_of(curated, name, tagset) for name in ("CURATION_USER", annotator))
        scores = precision_recall_f(match_units(gold, found, tagset=tagset))
        shared = len(curation & theirs)
        assert scores.precision.value == shared / len(theirs)
        assert scores.recall.value == shared / len(curation)
        errors = {name: int(n.sum()) for name, n in count_unit_errors(gold, found).items()}
        assert errors["correct"] == shared
        assert errors["correct"] + errors["wrong_category"] == 16  # tokens are given: same bounds


HOW = {"dissimilarity": "combined", "alpha": 1.0, "mean_length": None}


def two(reference: list[tuple[int, int, int]], system: list[tuple[int, int, int]]) -> Continuum:
    rows = np.array([*reference, *system]).reshape(-1, 3)
    owners = np.repeat([0, 1], [len(reference), len(system)])
    return Continuum(*rows.T, owners, ("reference", "system"), ("X", "Y"))


def test_observed_disorder() -> None:
    same = best_alignment(two([(0, 5, 0)], [(0, 5, 0)]))
    other = best_alignment(two([(0, 5, 0)], [(0, 5, 1)]))
    lone = best_alignment(two([(0, 5, 0)], []))
    # d_cat = 1 between X and Y; a lone unit costs Δ∅ = 1; mean numbers of units 1, 1, ½.
    assert observed_disorder([same], dissimilarity=HOW).value == 0.0
    score = observed_disorder([same, other, lone], dissimilarity=HOW, sampling=Sampling(50))
    assert score.value == pytest.approx((0 + 1 + 1) / (1 + 1 + 0.5))
    assert score.signature.startswith("observed_disorder|dissimilarity:combined|alpha:1|interval:")
    nothing = observed_disorder([], dissimilarity=HOW)
    assert math.isnan(nothing.value)
    assert nothing.reason
    three = Continuum([0, 0, 0], [5, 5, 5], [0, 0, 0], [0, 1, 2], ("a", "b", "c"), ("X",))
    with pytest.raises(MetricsError, match="has 3 annotators"):
        observed_disorder([best_alignment(three)], dissimilarity=HOW)
