"""Names of items as Arrow keeps them, beside the strings that they are."""

from __future__ import annotations

import pickle

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.item_name import ItemName, place_of_item
from accordeur.metrics.pair_names import pair_name
from accordeur.tasks.item_names import StoredItemNames, document_names, item_name

DOCUMENTS, ITEMS = ["b", "b", "a", "c", "a"], ["1", "2", "1", "1", "2"]
NAMES = st.text(alphabet="ab\x1e\x1f01 –“”", min_size=1, max_size=6)
PLAIN = [ItemName(*place) for place in zip(DOCUMENTS, ITEMS, strict=True)]


def test_they_read_like_the_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accordeur.tasks.item_names._NAMES_AT_ONCE", 2)
    names = StoredItemNames(
        pa.array(DOCUMENTS).dictionary_encode(), pa.chunked_array([ITEMS[:2], ITEMS[2:]])
    )
    assert list(names) == PLAIN
    assert [names[k] for k in range(len(names))] == PLAIN
    assert (names[-1], names[1:4]) == (PLAIN[-1], PLAIN[1:4])
    with pytest.raises(IndexError):
        names[5]
    codes = np.zeros((5, 1), dtype=np.int32)
    stored, plain = (
        LabelMatrix(codes=codes, tagset=("x",), annotators=("anna",), items=items)
        for items in (names, tuple(PLAIN))
    )
    assert document_names(stored) == document_names(plain) == ["b", "a", "c"]


@given(st.lists(st.tuples(NAMES, NAMES), max_size=8))
def test_different_places_have_different_names_that_know_them(
    places: list[tuple[str, str]],
) -> None:
    names = [ItemName(*place) for place in places]
    assert [place_of_item(name) for name in names] == places
    assert [a == b for a in names for b in names] == [a == b for a in places for b in places]
    copies = pickle.loads(pickle.dumps(names))
    assert [place_of_item(name) for name in copies] == places
    kept = label_matrix(items=names, annotators=["ann"] * len(names), labels=["x"] * len(names))
    assert [place_of_item(name) for name in kept.items] == [*dict.fromkeys(places)]


def test_a_name_without_a_place_is_never_split() -> None:
    matrix = label_matrix(items=["d\x1fi"], annotators=["ann"], labels=["x"])
    assert item_name(matrix, 0) == "d\x1fi"
    with pytest.raises(TypeError, match="not the name of an item"):
        place_of_item(matrix.items[0])


@given(st.lists(st.tuples(NAMES, NAMES), min_size=2, max_size=6, unique=True))
def test_different_pairs_of_annotators_have_different_names(pairs: list[tuple[str, str]]) -> None:
    assert len({pair_name(*pair) for pair in pairs}) == len(pairs)
