"""What each document adds to chance, and what that makes of the interval of γ."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.corpus import corpus_of_continua, in_one_order
from accordeur.metrics.chance.sample_drawing import Process, batch_sampler, source_documents
from accordeur.metrics.units.difference import gamma_difference
from accordeur.metrics.units.expected_disorder_by_document import chance_influences
from accordeur.metrics.units.gamma import gamma
from tests.metrics.units.gamma_cases import FAST

N_DOCUMENTS = 8


def documents(n: int = N_DOCUMENTS, seed: int = 0) -> list[Continuum]:
    """Documents of three annotators, the harder the more units are left out; some with two."""
    rng = np.random.default_rng(seed)
    made = []
    for d in range(n):
        starts, sizes = np.arange(12) * 20.0, rng.integers(4, 16, 12).astype(float)
        people = 2 if d == 0 else 3
        owner, unit = np.nonzero(rng.random((people, 12)) >= rng.uniform(0, 0.7))
        moved = rng.uniform(-3, 3, unit.size).round()
        made.append(
            Continuum(
                np.maximum(0.0, starts[unit] + moved),
                starts[unit] + moved + sizes[unit],
                rng.integers(0, 2, 12)[unit].astype(np.int32),
                owner.astype(np.int32),
                tuple("abc"[:people]),
                ("x", "y"),
                length=260.0,
            )
        )
    return made


@pytest.mark.long
@pytest.mark.parametrize("process", ["random2", "shuffle"])
def test_influences_are_those_of_leaving_a_document_out(process: Process) -> None:
    # of one number of annotators, so that any can be left out
    corpus = list(in_one_order(documents()[1:]))
    settings = {"processes": [process], "precision": 0.004, "replicates": 0}
    whole = gamma(corpus, **settings)
    without = np.array(
        [gamma(corpus[:d] + corpus[d + 1 :], **settings).corpus.value for d in range(len(corpus))]
    )
    left_out = without.mean() - without
    chance = whole.observed.weights * whole.corpus.expected
    ratio = whole.observed.totals.sum() / chance.sum()
    assert whole.influences is not None
    held_fixed = ratio * chance - whole.observed.totals
    linked = held_fixed + ratio * whole.influences
    assert np.corrcoef(left_out, linked)[0, 1] > 0.94  # .95 to .97 by seed
    left_out *= (len(corpus) - 1) / len(corpus)
    errors = [np.linalg.norm(left_out - one / chance.sum()) for one in (linked, held_fixed)]
    assert errors[0] < errors[1] / 2


def test_influences_sum_to_nothing_and_leave_the_value() -> None:
    result = gamma(documents(), **FAST)
    assert result.influences is not None
    assert result.influences.sum() == pytest.approx(0, abs=1e-9)
    assert "/documents-in-chance/" in result.corpus.signature
    fixed = 1 - result.observed.totals.sum() / (
        result.observed.weights.sum() * result.corpus.expected
    )
    assert result.corpus.value == pytest.approx(fixed)


def test_documents_without_units_have_no_influence() -> None:
    nothing = np.array([])
    empty = Continuum(nothing, nothing, nothing, nothing, tuple("abc"), ("x", "y"), length=260.0)
    result = gamma([*documents(), empty], processes=["shuffle"], precision=0.05)
    assert result.influences is not None
    assert result.influences[-1] == 0
    assert result.influences.sum() == pytest.approx(0, abs=1e-9)


def test_chance_is_held_fixed_where_it_must() -> None:
    few = gamma(documents(4), processes=["shuffle"], precision=0.05)
    assert few.influences is None
    assert "/documents+chance/" in few.corpus.signature
    own = gamma(documents(), processes=["shuffle"], per="document", precision=0.05)
    assert own.influences is None
    many = documents(40)
    rough = gamma(many, precision=0.5, replicates=10)  # 30 samples of each number of annotators
    assert rough.corpus.detail.n_samples == 60
    assert rough.influences is not None
    corpus = corpus_of_continua(documents(80))
    rough = gamma(documents(80), processes=["shuffle"], precision=0.5, replicates=10)
    assert chance_influences(corpus, rough.observed, rough.expected, study=0) is None


@pytest.mark.parametrize("process", get_args(Process))
def test_documents_drawn_are_those_of_the_samples(process: Process) -> None:
    """Each document has units of its own size, and its own category."""
    corpus = [
        Continuum(
            np.arange(6) * 10.0,
            np.arange(6) * 10.0 + 2 + d,
            np.full(6, d, np.int32),
            np.repeat(np.arange(3, dtype=np.int32), 2),
            tuple("abc"),
            tuple("klmnop"),
            length=100.0,
        )
        for d in range(6)
    ]
    flat = corpus_of_continua(corpus)
    draws = batch_sampler(flat, process, study=3, n_annotators=3)(range(40))
    found = source_documents(flat, process, study=3, n_annotators=3, indices=range(40))
    assert found.shape == (40, 3 if process == "random2" else 1)
    assert len(set(map(tuple, found.tolist()))) > 3
    if process in ("random2", "shuffle"):  # the others take categories from anywhere
        drawn = [sorted(set(draw.categories.tolist())) for draw in draws]
        assert drawn == [sorted(set(row)) for row in found.tolist()]


def test_a_difference_resamples_chance_as_its_values_do() -> None:
    one, two = gamma(documents(), **FAST), gamma(documents(seed=1), **FAST)
    expected = (one.observed, one.expected, two.observed, two.expected)
    linked = gamma_difference(*expected, influences=(one.influences, two.influences))
    fixed = gamma_difference(*expected)
    assert (linked.over, fixed.over) == ("documents-in-chance", "documents+chance")
    assert linked.value == pytest.approx(fixed.value)
    assert (linked.lower, linked.upper) != (fixed.lower, fixed.upper)
