from __future__ import annotations

import pickle

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.chance.corpus import continua_of_corpus, corpus_of_continua
from accordeur.metrics.errors import MetricsError, RoleError


def two_documents() -> list[Continuum]:
    return [
        Continuum([9, 2, 4], [12, 5, 6], [1, 0, -1], [0, 0, 1], ("a", "b"), ("x", "y"), length=20),
        Continuum([1], [3], [0], [2], ("b", "c", "a"), ("x", "y"), length=10),
    ]


def test_the_corpus_holds_every_unit_set_and_document() -> None:
    corpus = corpus_of_continua(two_documents())
    assert corpus.n_documents == 2
    assert corpus.set_sizes.tolist() == [2, 1, 0, 0, 1]
    assert corpus.annotators_per_document.tolist() == [2, 3]
    assert corpus.starts.tolist() == [2, 9, 4, 1]  # by annotator, then by start
    assert corpus.categories.tolist() == [0, 1, -1, 0]
    assert corpus.lengths.tolist() == [20, 10]
    assert [corpus.annotators[a] for a in corpus.set_annotators] == ["a", "b", "b", "c", "a"]


def test_continua_of_gives_the_documents_back() -> None:
    for before, after in zip(
        two_documents(), continua_of_corpus(corpus_of_continua(two_documents())), strict=True
    ):
        assert after.annotators == before.annotators
        assert sorted(
            zip(after.starts, after.ends, after.categories, after.owners, strict=True)
        ) == (
            sorted(zip(before.starts, before.ends, before.categories, before.owners, strict=True))
        )


def test_one_document_of_the_corpus_is_that_document() -> None:
    documents = two_documents()
    alone, cut = corpus_of_continua(documents[1:]), corpus_of_continua(documents).document(1)
    for name in ("starts", "ends", "categories", "unit_offsets", "set_offsets", "lengths"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(cut, name))


def test_documents_of_one_number_of_annotators_are_taken_together() -> None:
    one, other = two_documents()
    corpus = corpus_of_continua([one, other, one])
    draws = corpus.as_virtual_documents(np.array([2, 0]))
    assert len(draws) == draws.n_annotators == 2
    assert draws.owners.tolist() == [0, 0, 1] * 2
    for draw in draws:
        assert draw.starts.tolist() == [2, 9, 4]
        assert draw.unit_offsets.tolist() == [0, 2, 3]
        assert draw.length == 20
    with pytest.raises(MetricsError, match="same number of annotators"):
        corpus.as_virtual_documents(np.array([0, 1]))


def test_a_document_of_unknown_length_begins_at_its_first_unit() -> None:
    near = Continuum([5, 9], [8, 12], [0, 0], [0, 1], ("a", "b"), ("x",))
    far = Continuum([5 + 1e8, 9 + 1e8], [8 + 1e8, 12 + 1e8], [0, 0], [0, 1], ("a", "b"), ("x",))
    np.testing.assert_array_equal(
        corpus_of_continua([near]).starts, corpus_of_continua([far]).starts
    )
    assert corpus_of_continua([far]).lengths.tolist() == [7.0]
    known = Continuum([5, 9], [8, 12], [0, 0], [0, 1], ("a", "b"), ("x",), length=12)
    assert corpus_of_continua([known]).starts.tolist() == [5.0, 9.0]


def test_the_corpus_pickles_to_little_more_than_its_arrays(campaign) -> None:
    corpus = corpus_of_continua(campaign(200))
    arrays = 8 * 2 * corpus.n_units + 4 * corpus.n_units
    assert len(pickle.dumps(corpus)) < 1.5 * arrays


def test_a_system_is_refused() -> None:
    document = Continuum([1], [2], [0], [0], ("a", "tagger"), ("x",), roles=("human", "system"))
    with pytest.raises(RoleError, match="'tagger' is a system"):
        corpus_of_continua([document])


def test_differing_tagsets_are_refused() -> None:
    documents = [
        Continuum([1], [2], [0], [0], ("a", "b"), tagset) for tagset in (("x",), ("x", "y"))
    ]
    with pytest.raises(MetricsError, match="document 1 has the tagset"):
        corpus_of_continua(documents)
    with pytest.raises(MetricsError, match="at least one"):
        corpus_of_continua([])
