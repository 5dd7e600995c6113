"""Names of items as Arrow keeps them, beside the strings that they are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.tasks.item_names import StoredItemNames, document_names

DOCUMENTS, ITEMS = ["b", "b", "a", "c", "a"], ["1", "2", "1", "1", "2"]
PLAIN = [f"{document}\x1f{item}" for document, item in zip(DOCUMENTS, ITEMS, strict=True)]


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
