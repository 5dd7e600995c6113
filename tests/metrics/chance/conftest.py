"""A campaign with regularities, and one without, made from a seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum

Campaign = Callable[..., list[Continuum]]


def regular_document(rng: np.random.Generator, n_annotators: int, n_units: int) -> Continuum:
    """A document that every annotator paves, categories in a fixed order: title, body, title, …"""
    length = 40.0 * n_units
    starts, ends, categories, owners = [], [], [], []
    for a in range(n_annotators):
        bounds = 40.0 * np.arange(n_units + 1) + rng.uniform(-8, 8, n_units + 1)
        bounds[0], bounds[-1] = 0.0, length
        starts += bounds[:-1].tolist()
        ends += bounds[1:].tolist()
        categories += [i % 2 for i in range(n_units)]
        owners += [a] * n_units
    return Continuum(
        starts,
        ends,
        categories,
        owners,
        tuple(f"annotator {a}" for a in range(n_annotators)),
        ("title", "body"),
        length=length,
    )


@pytest.fixture
def campaign() -> Campaign:
    def make(
        n_documents: int = 12, *, n_annotators: int = 3, n_units: int = 8, seed: int = 0
    ) -> list[Continuum]:
        rng = np.random.default_rng(seed)
        return [regular_document(rng, n_annotators, n_units) for _ in range(n_documents)]

    return make
