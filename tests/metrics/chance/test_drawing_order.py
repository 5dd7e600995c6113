"""Chance samples depend on units only: names and the order of rows change no γ, and parts share
random numbers with the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.chance.corpus import continua_of_corpus, corpus_of_continua, in_one_order
from accordeur.metrics.chance.sample_drawing import PROCESSES, batch_sampler
from accordeur.metrics.units.annotator_sample import documents_without_each
from accordeur.metrics.units.breakdown import (
    gamma_by_category,
    gamma_by_pair,
    gamma_without_each,
)
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_settings import GammaSettings

FAST = GammaSettings(precision=0.2, min_samples=20, max_samples=20, replicates=0)
ANNOTATORS, TAGSET = ("anna", "ben", "chen"), ("x", "y")


@st.composite
def documents(draw: st.DrawFn) -> list[Continuum]:
    """Two to four documents with few units, many of which are alike, in any order of rows."""
    found = []
    for _ in range(draw(st.integers(2, 4))):
        places = st.tuples(st.integers(0, 2), st.integers(-1, 1), st.integers(0, 2))
        rows = draw(st.lists(places, min_size=1, max_size=6))
        start, category, owner = (np.array(column) for column in zip(*rows, strict=True))
        length = 40.0 + draw(st.integers(0, 1))
        found.append(
            Continuum(10 * start, 10 * start + 7, category, owner, ANNOTATORS, TAGSET, length)
        )
    return found


def renamed(some: Sequence[Continuum], rng: np.random.Generator) -> list[Continuum]:
    """The same documents in another order, with annotators, categories and rows permuted."""
    who, what = rng.permutation(3), np.append(rng.permutation(2), -1)
    found = []
    for d in rng.permutation(len(some)).tolist():
        one, rows = some[d], rng.permutation(some[d].n_units)
        found.append(
            replace(
                one,
                starts=one.starts[rows],
                ends=one.ends[rows],
                categories=what[one.categories[rows]].astype(np.int32),
                owners=who[one.owners[rows]].astype(np.int32),
                gaps=one.gaps[rows],
            )
        )
    return found


@pytest.mark.parametrize("process", PROCESSES)
@settings(max_examples=25)
@given(documents(), st.integers(0, 1000))
def test_names_and_orders_change_no_sample(process, some, seed) -> None:
    if process == "random2" and len(some) < 3:
        return
    one, two = (
        batch_sampler(corpus_of_continua(them), process, study=1)(range(8))
        for them in (some, renamed(some, np.random.default_rng(seed)))
    )
    assert two.unit_offsets.tolist() == one.unit_offsets.tolist()
    np.testing.assert_allclose(two.starts, one.starts)
    np.testing.assert_allclose(two.ends, one.ends)
    for given_, other in zip(one, two, strict=True):  # categories have the same pattern
        assert len(set(zip(given_.categories, other.categories, strict=True))) == len(
            set(given_.categories.tolist())
        )


def test_names_and_orders_change_no_part(campaign) -> None:
    rng = np.random.default_rng(3)
    some, order = campaign(8), rng.permutation(3)
    names = some[0].annotators
    other = [
        replace(
            one,
            owners=order[one.owners].astype(np.int32),
            categories=(1 - one.categories).astype(np.int32),
        )
        for one in (some[d] for d in rng.permutation(8).tolist())
    ]
    now = {name: names[order[a]] for a, name in enumerate(names)}
    for per in ("corpus", "document"):
        how = replace(FAST, per=per)
        assert gamma(other, Dissimilarity(), how).corpus.value == pytest.approx(
            gamma(some, Dissimilarity(), how).corpus.value
        )
        without, other_without = (gamma_without_each(them, settings=how) for them in (some, other))
        assert [other_without[now[name]].value for name in names] == pytest.approx(
            [without[name].value for name in names], nan_ok=True
        )
    pairs, other_pairs = (
        {frozenset(k): v.value for k, v in gamma_by_pair(them, settings=FAST).items()}
        for them in (some, other)
    )
    for pair, value in pairs.items():
        assert other_pairs[frozenset(now[name] for name in pair)] == pytest.approx(value)
    one, two = (
        [of.value for of in gamma_by_category(them, settings=FAST).values()]
        for them in (some, other)
    )
    assert two[::-1] == pytest.approx(one, nan_ok=True)


def test_a_part_keeps_the_order_of_the_whole(campaign) -> None:
    whole = in_one_order(campaign(9))
    order = corpus_of_continua(whole).order
    for part in documents_without_each(whole):
        corpus = corpus_of_continua(part)
        assert corpus.order.documents.tolist() == order.documents.tolist()
        who = [whole[0].annotators.index(name) for name in corpus.annotators]
        assert corpus.order.annotators.tolist() == order.annotators[who].tolist()
    again = corpus_of_continua(continua_of_corpus(corpus_of_continua(whole)))
    assert again.order.documents.tolist() == order.documents.tolist()
