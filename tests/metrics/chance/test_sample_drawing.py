from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.corpus import Corpus, corpus_of_continua
from accordeur.metrics.chance.random2 import draw_random2
from accordeur.metrics.chance.sample_drawing import PROCESSES, batch_sampler
from accordeur.metrics.chance.shuffle import draw_pivots
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Chance
from tests.metrics.chance.one_draw import draw_continuum


def generator(index: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(3, spawn_key=(index,))))


def pivots(n: int, length: float, min_gap: float, rng: np.random.Generator, axis="real"):
    steps, order, turn = rng.random((1, n - 1)), rng.permutation(n)[None], rng.random(1)
    [placed] = draw_pivots(steps, order, turn, np.array([length]), np.array([min_gap]), axis=axis)
    return placed


def signed_documents(n_documents: int, n_annotators: int = 3) -> Corpus:
    """Document d has d + 1 units per annotator, all of category d: a unit says where it is from."""
    documents = []
    for d in range(n_documents):
        n = d + 1
        starts = np.tile(10.0 * np.arange(n), n_annotators)
        documents.append(
            Continuum(
                starts,
                starts + 4,
                np.full(n * n_annotators, d),
                np.repeat(np.arange(n_annotators), n),
                tuple("abcdefgh"[:n_annotators]),
                tuple(f"document {k}" for k in range(n_documents)),
                length=10.0 * n,
            )
        )
    return corpus_of_continua(documents)


@pytest.mark.parametrize("process", PROCESSES)
def test_a_sample_is_the_same_whenever_it_is_drawn(process, campaign) -> None:
    corpus = corpus_of_continua(campaign())
    draw = batch_sampler(corpus, process, study=5)
    backwards = dict(zip(range(6, -1, -1), draw(range(6, -1, -1)), strict=True))
    for index in range(7):
        alone = draw_continuum(corpus, process=process, study=5, index=index)
        np.testing.assert_array_equal(alone.starts, backwards[index].starts)
        np.testing.assert_array_equal(alone.categories, backwards[index].categories)
    assert not np.array_equal(backwards[0].starts, backwards[1].starts)
    other = draw_continuum(corpus, process=process, study=6, index=0)
    assert not np.array_equal(other.starts, backwards[0].starts)


@pytest.mark.parametrize(
    ("process", "starts"),
    [
        ("random1", [8.82551, 34.924097, 68.117744, 19.064174, 78.514713]),
        ("random2", [0, 30, 70, 4.95098, 51.490196]),
        ("shuffle", [6.688565, 36.688565, 76.688565, 28.305234, 73.305234]),
        ("statistical", [32.011049, 84.336749, 112.833942, 28.071807, 64.534133, 94.498505]),
    ],
)
def test_published_values_rest_on_samples_that_stay_as_they_are(process, starts) -> None:
    documents = [
        Continuum(
            [0, 30, 70, 5, 50 + d],
            [10, 40, 80, 15, 60 + 2 * d],
            [0, 1, 2, 0, 1],
            [0, 0, 0, 1, 1],
            ("a", "b"),
            tuple("xyz"),
            length=100 + d,
        )
        for d in range(3)
    ]
    found = draw_continuum(documents, process=process, study=1, index=2)
    np.testing.assert_allclose(found.starts, starts, atol=1e-6)


@pytest.mark.parametrize("process", PROCESSES)
def test_a_sample_has_the_annotators_of_a_document(process, campaign) -> None:
    virtual = draw_continuum(campaign(n_annotators=4), process=process, study=1, index=0)
    assert virtual.n_annotators == 4
    assert virtual.tagset == ("title", "body")
    assert (virtual.starts >= 0).all()
    assert set(virtual.roles) == {"human"}


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_random2_never_takes_two_annotators_from_one_document(index, n) -> None:
    corpus = signed_documents(7)
    [draw] = draw_random2(corpus, n, [generator(index)])
    sources = []
    for a in range(n):
        own = draw.categories[draw.unit_offsets[a] : draw.unit_offsets[a + 1]]
        assert np.unique(own).size == 1  # one annotator of one document
        assert own.size == own[0] + 1  # and all the units of that annotator
        sources.append(int(own[0]))
    assert len(set(sources)) == n


def test_random2_draws_any_annotator_of_any_document() -> None:
    rng = np.random.default_rng(0)
    documents = []
    for _ in range(4):
        starts = np.array([0.0, 10, 20])
        documents.append(
            Continuum(
                starts, starts + 5, [0, 1, 2], [0, 1, 2], tuple("abc"), tuple("xyz"), length=30
            )
        )
    corpus = corpus_of_continua(documents)
    draws = draw_random2(corpus, 3, [rng] * 600)
    found = [draw.categories.tolist() for draw in draws]
    shares = np.bincount(np.concatenate(found)) / 1800
    np.testing.assert_allclose(shares, 1 / 3, atol=0.05)


def test_random2_takes_documents_of_single_annotators_too() -> None:
    documents = [Continuum([1], [4], [0], [0], ("a",), ("x",), length=10) for _ in range(3)] + [
        Continuum([], [], [], [], ("a", "b"), ("x",), length=10)
    ]
    virtual = draw_continuum(
        corpus_of_continua(documents), process="random2", study=0, index=0, n_annotators=4
    )
    assert virtual.n_units == 3  # each of the four documents stands once


def test_rescaled_documents_keep_their_proportions() -> None:
    corpus = signed_documents(6)
    [draw] = draw_random2(corpus, 3, [generator(1)])
    for a in range(3):
        units = slice(int(draw.unit_offsets[a]), int(draw.unit_offsets[a + 1]))
        n = units.stop - units.start
        np.testing.assert_allclose(draw.starts[units], np.arange(n) * draw.length / n)


def test_tiled_documents_fill_the_length() -> None:
    corpus = signed_documents(6)
    for index in range(20):
        [draw] = draw_random2(corpus, 3, [generator(index)], reconcile="tile")
        assert draw.ends.max() <= draw.length
        for a in range(3):
            own = slice(int(draw.unit_offsets[a]), int(draw.unit_offsets[a + 1]))
            np.testing.assert_allclose(draw.starts[own], 10 * np.arange(round(draw.length / 10)))


def test_truncated_documents_end_with_the_shortest() -> None:
    corpus = signed_documents(6)
    for index in range(20):
        [draw] = draw_random2(corpus, 3, [generator(index)], reconcile="truncate")
        sizes = np.diff(draw.unit_offsets)
        assert (sizes == sizes[0]).all()
        assert draw.length == 10 * sizes[0]


def test_truncation_cuts_the_unit_on_the_border() -> None:
    documents = [
        Continuum([0], [30], [0], [0], ("a",), ("x",), length=30),
        Continuum([0], [8], [0], [0], ("a",), ("x",), length=10),
    ]
    virtual = draw_continuum(
        documents,
        process="random2",
        study=0,
        index=0,
        n_annotators=2,
        chance=Chance(reconcile="truncate"),
    )
    assert sorted(virtual.ends.tolist()) == [8.0, 10.0]


def test_random2_needs_as_many_documents_as_annotators(campaign) -> None:
    with pytest.raises(MetricsError, match=r"3 virtual annotators .* the corpus has 2"):
        draw_continuum(campaign(2), process="random2", study=0, index=0)


def test_random1_keeps_numbers_and_the_stock_of_sizes() -> None:
    corpus = corpus_of_continua(
        [
            Continuum(
                [0, 5, 9, 2],
                [1, 8, 14, 4],
                [0, 1, 1, 0],
                [0, 0, 0, 2],
                tuple("abc"),
                ("x", "y"),
                length=50,
            )
        ]
    )
    for index in range(30):
        virtual = draw_continuum(corpus, process="random1", study=0, index=index)
        assert np.bincount(virtual.owners, minlength=3).tolist() == [3, 1, 0]  # most units first
        sizes = np.round(virtual.ends - virtual.starts, 9)
        assert set(sizes.tolist()) <= {1.0, 2.0, 3.0, 5.0}
        assert virtual.starts.min() >= 0
        assert virtual.ends.max() <= 50 + 1e-9


def test_shuffle_rotates_each_annotator_as_a_block() -> None:
    starts = np.array([0.0, 30, 70, 5, 50])
    document = Continuum(
        starts, starts + 10, [0, 1, 2, 0, 1], [0, 0, 0, 1, 1], ("a", "b"), tuple("xyz"), length=100
    )
    for index in range(30):
        virtual = draw_continuum([document], process="shuffle", study=1, index=index)
        shift = (virtual.starts - starts) % 100
        np.testing.assert_allclose(shift[:3], shift[0])
        np.testing.assert_allclose(shift[3:], shift[3])
        np.testing.assert_allclose(virtual.ends - virtual.starts, 10)
        apart = abs(shift[0] - shift[3])
        assert min(apart, 100 - apart) >= 10 - 1e-9  # one mean unit length


@settings(max_examples=50)
@given(
    st.integers(2, 8), st.floats(0.01, 0.9), st.integers(0, 1000), st.sampled_from([1, 1e-3, 1e6])
)
def test_pivots_are_far_enough_apart_on_any_scale(n, fill, seed, scale) -> None:
    gap = scale * 100 * fill / n
    found = np.sort(pivots(n, 100 * scale, gap, np.random.default_rng(seed)))
    around = np.diff(np.append(found, found[0] + 100 * scale))
    assert around.min() >= gap * (1 - 1e-9)


def test_pivots_on_an_integer_axis_and_without_room() -> None:
    rng = np.random.default_rng(0)
    whole = pivots(3, 100, 7, rng, axis="integer")
    np.testing.assert_array_equal(whole, np.floor(whole))
    crowded = np.sort(pivots(4, 100, 60, rng))
    assert np.diff(crowded).min() >= 12.5 - 1e-9  # half of an even share


def test_a_sample_scales_with_its_document() -> None:
    starts = np.array([0.0, 30, 70, 5, 50])
    for process in ("random1", "shuffle", "statistical"):
        small, large = (
            draw_continuum(
                [
                    Continuum(
                        f * starts,
                        f * (starts + 10),
                        [0, 1, 2, 0, 1],
                        [0, 0, 0, 1, 1],
                        ("a", "b"),
                        tuple("xyz"),
                        length=f * 100,
                    )
                ],
                process=process,
                study=1,
                index=4,
            )
            for f in (1.0, 1024.0)
        )
        np.testing.assert_allclose(large.starts, 1024 * small.starts, rtol=1e-12, atol=1e-9)


def test_statistical_draws_what_it_was_fitted_on(campaign) -> None:
    corpus = corpus_of_continua(campaign(30, n_units=20))
    draw = batch_sampler(corpus, "statistical", study=0)
    draws = draw(range(200))
    sizes = np.concatenate([d.ends - d.starts for d in draws])
    observed = corpus.ends - corpus.starts
    assert sizes.mean() == pytest.approx(observed.mean(), rel=0.02)
    assert sizes.std() == pytest.approx(observed.std(), rel=0.05)
    numbers = np.concatenate([np.diff(d.unit_offsets) for d in draws])
    assert (numbers == 20).all()  # every annotator marked 20 units: no variation to draw
    categories = np.concatenate([d.categories for d in draws])
    assert categories.mean() == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("process", PROCESSES)
def test_a_corpus_without_units_gives_samples_without_units(process) -> None:
    documents = [Continuum([], [], [], [], ("a", "b"), ("x",), length=10) for _ in range(3)]
    assert draw_continuum(documents, process=process, study=0, index=0).n_units == 0


def test_differing_numbers_of_annotators_must_be_said(campaign) -> None:
    corpus = corpus_of_continua(campaign(4) + campaign(4, n_annotators=2))
    with pytest.raises(MetricsError, match="n_annotators"):
        draw_continuum(corpus, process="shuffle", study=0, index=0)
    assert (
        draw_continuum(corpus, process="shuffle", study=0, index=0, n_annotators=2).n_annotators
        == 2
    )
    with pytest.raises(MetricsError, match="no document of the corpus has 5 annotators"):
        draw_continuum(corpus, process="shuffle", study=0, index=0, n_annotators=5)
    assert (
        draw_continuum(corpus, process="random2", study=0, index=0, n_annotators=5).n_annotators
        == 5
    )


def test_an_unknown_process_is_refused(campaign) -> None:
    with pytest.raises(MetricsError, match="choose one of random1, random2, shuffle, statistical"):
        draw_continuum(campaign(), process="dice", study=0, index=0)
    with pytest.raises(MetricsError, match="rescale, tile or truncate"):
        draw_continuum(
            campaign(), process="random2", study=0, index=0, chance=Chance(reconcile="stretch")
        )
