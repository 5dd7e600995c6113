"""Brute force in fractions, small campaigns, and the real files of the resampling tests."""

from __future__ import annotations

import csv
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.resampling.grids.reading_grid import (
    ReadingCurve,
    curve_of_values,
    grid_trial,
)

Campaign = Callable[..., LabelMatrix]


def campaign_of(codes: NDArray[np.integer] | list[list[int]], n_categories: int) -> LabelMatrix:
    array = np.asarray(codes, dtype=np.int32)
    return LabelMatrix(
        codes=array,
        tagset=tuple("abcdefghijkl"[:n_categories]),
        annotators=tuple(f"annotator {a}" for a in range(array.shape[1])),
    )


def winners(labels: list[int], ties: str, values: list[Fraction]) -> dict[int, Fraction]:
    """The majority label of some labels as {category: probability}, straight from the rules."""
    if not labels:
        return {}
    count = {c: labels.count(c) for c in set(labels)}
    tied = [c for c in count if count[c] == max(count.values())]
    if ties == "abstain" and len(tied) > 1:
        return {}
    if ties == "nearest_mean":
        mean = sum((values[c] for c in labels), Fraction(0)) / len(labels)
        nearest = min(abs(values[c] - mean) for c in tied)
        tied = [c for c in tied if abs(values[c] - mean) == nearest]
    return {c: Fraction(1, len(tied)) for c in tied}


def enumerate_rate(
    codes: list[list[int]], k: int, ties: str, values: list[Fraction]
) -> tuple[Fraction, Fraction]:
    """Modified and compared items, means over all k-subsets, by listing every subset."""
    modified, compared, n_subsets = Fraction(0), Fraction(0), 0
    for subset in combinations(range(len(codes[0])), k):
        n_subsets += 1
        for row in codes:
            reference = winners([c for c in row if c >= 0], ties, values)
            label = winners([row[a] for a in subset if row[a] >= 0], ties, values)
            if reference and label:
                compared += 1
                modified += 1 - sum(
                    (p * label.get(c, Fraction(0)) for c, p in reference.items()), Fraction(0)
                )
    return modified / n_subsets, compared / n_subsets


@pytest.fixture(scope="session")
def campaign() -> Campaign:
    return campaign_of


@pytest.fixture(scope="session")
def brute_force() -> Callable[..., tuple[Fraction, Fraction]]:
    return enumerate_rate


@pytest.fixture(scope="session")
def emotion() -> LabelMatrix:
    """25 annotators, 120 items, 5 ordered categories, κ about .4; each item with its difficulty."""
    rng = np.random.default_rng(2018)
    base = rng.integers(0, 5, 120)
    hard = rng.beta(1, 2, 120)
    lot = rng.integers(0, 5, (120, 25))
    return campaign_of(np.where(rng.random((120, 25)) > hard[:, None], base[:, None], lot), 5)


@pytest.fixture(scope="session")
def bluebirds(shared_data: Path) -> LabelMatrix:
    with (shared_data / "bluebirds" / "bluebirds_long.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    return label_matrix(
        items=[r["item"] for r in rows],
        annotators=[r["annotator"] for r in rows],
        labels=[r["label"] for r in rows],
    )


@pytest.fixture(scope="session")
def weather_sentiment(shared_data: Path) -> LabelMatrix:
    with (shared_data / "weather_sentiment" / "CF_amt.csv").open() as lines:
        rows = list(csv.reader(lines))
    return label_matrix(
        items=[r[1] for r in rows], annotators=[r[0] for r in rows], labels=[r[2] for r in rows]
    )


@pytest.fixture(scope="session")
def snow_rte(shared_data: Path) -> LabelMatrix:
    with (shared_data / "snow2008" / "rte.standardized.tsv").open() as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return label_matrix(
        items=[r["orig_id"] for r in rows],
        annotators=[r["!amt_worker_ids"] for r in rows],
        labels=[r["response"] for r in rows],
    )


@pytest.fixture(scope="session")
def hs_brexit(shared_data: Path) -> LabelMatrix:
    with (shared_data / "hs_brexit" / "HS-Brexit_long.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    return label_matrix(
        items=[r["item"] for r in rows],
        annotators=[r["annotator"] for r in rows],
        labels=[r["label"] for r in rows],
    )


@pytest.fixture
def reading_curve() -> Callable[..., ReadingCurve]:
    """A curve of a reading grid from trials of one degradation."""

    def curve(measure, model, degradation, *, magnitudes, trials, **options) -> ReadingCurve:
        values = [
            [
                grid_trial(measure, model, degradation, magnitude, trial=trial, **options)
                for trial in range(trials)
            ]
            for magnitude in magnitudes
        ]
        return curve_of_values(degradation, magnitudes, np.array(values))

    return curve
