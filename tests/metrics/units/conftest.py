"""Campaigns made by degrading a perfect one, and readers for the published examples."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum

Degraded = Callable[..., list[Continuum]]


def degraded_document(
    rng: np.random.Generator,
    *,
    n_annotators: int,
    n_units: int,
    shift: float,
    omission: float,
    confusion: float,
) -> Continuum:
    """Annotators who each see the same units through shifts, omissions and wrong categories."""
    starts = np.sort(rng.uniform(0, 40 * n_units, n_units)).round()
    sizes = rng.uniform(8, 30, n_units).round()
    categories = rng.integers(0, 3, n_units)
    rows = []
    for a in range(n_annotators):
        for start, size, category in zip(starts, sizes, categories, strict=True):
            if rng.random() < omission:
                continue
            moved = max(0.0, start + round(rng.uniform(-shift, shift) * size))
            end = max(moved + 1, start + size + round(rng.uniform(-shift, shift) * size))
            chosen = rng.integers(0, 3) if rng.random() < confusion else category
            rows.append((moved, end, chosen, a))
    columns = list(zip(*rows, strict=True)) if rows else [(), (), (), ()]
    return Continuum(
        *columns,
        tuple(f"annotator {a}" for a in range(n_annotators)),
        ("x", "y", "z"),
        length=40.0 * n_units + 100,
    )


@pytest.fixture
def degraded() -> Degraded:
    def make(
        n_documents: int = 12,
        *,
        n_annotators: int = 3,
        n_units: int = 8,
        shift: float = 0.2,
        omission: float = 0.1,
        confusion: float = 0.1,
        seed: int = 0,
    ) -> list[Continuum]:
        rng = np.random.default_rng(seed)
        return [
            degraded_document(
                rng,
                n_annotators=n_annotators,
                n_units=n_units,
                shift=shift,
                omission=omission,
                confusion=confusion,
            )
            for _ in range(n_documents)
        ]

    return make


@pytest.fixture
def unit_table() -> Callable[[Path], Continuum]:
    """A reader of annotator,category,start,end rows."""

    def read(path: Path) -> Continuum:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
        annotators = sorted({row[0] for row in rows})
        tagset = sorted({row[1] for row in rows})
        return Continuum(
            [float(row[2]) for row in rows],
            [float(row[3]) for row in rows],
            [tagset.index(row[1]) for row in rows],
            [annotators.index(row[0]) for row in rows],
            tuple(annotators),
            tuple(tagset),
        )

    return read
