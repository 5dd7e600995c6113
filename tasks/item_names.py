"""Names of items: document and item, as texts that know both, or as Arrow columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..data.arrow_columns import (
    as_numpy,
    column,
    number_column,
)
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.item_name import ItemName, place_of_item

_NAMES_AT_ONCE = 50_000


class StoredItemNames(Sequence[str]):
    """Item names, stored as Arrow data and converted to `ItemName` when an item is accessed.

    As Python strings, the names of a few million items would take gigabytes.
    """

    def __init__(self, documents: pa.DictionaryArray, items: pa.Array) -> None:
        self.documents: list[str] = documents.dictionary.to_pylist()
        self.columns = {"document": documents.dictionary_decode(), "item": items}
        self._home = as_numpy(documents.indices).astype(np.int64)
        self._items = items

    def where(self, kept: NDArray[np.bool_]) -> StoredItemNames:
        """Return the names where `kept`, bool (N,), is true; all documents keep their numbers."""
        homes = number_column(self._home[kept].astype(np.int32))
        documents = pa.DictionaryArray.from_arrays(homes, column(self.documents, pa.string()))
        return StoredItemNames(documents, self._items.filter(number_column(kept)))

    def __len__(self) -> int:
        return len(self._home)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StoredItemNames) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]  # like a list

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        return ItemName(*self.document_and_item(at))

    def document_and_item(self, at: int) -> tuple[str, str]:
        """Return the names of an item's document and of the item in it."""
        return self.documents[self._home[at]], self._items[at].as_py()

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _NAMES_AT_ONCE):
            homes = self._home[first : first + _NAMES_AT_ONCE].tolist()
            items = self._items.slice(first, _NAMES_AT_ONCE).to_pylist()
            yield from (
                ItemName(self.documents[home], item)
                for home, item in zip(homes, items, strict=True)
            )


def document_names(matrix: LabelMatrix) -> list[str]:
    """Names of the documents of a campaign's matrix, in the order of its indices."""
    if isinstance(matrix.items, StoredItemNames):
        return matrix.items.documents
    return list(dict.fromkeys(place_of_item(name)[0] for name in matrix.items))


def item_name(matrix: LabelMatrix, item: int) -> str:
    """Return the name of an item for readers: with its document if there are several."""
    if not matrix.items:
        return str(item + 1)
    name = matrix.items[item]
    if not isinstance(name, ItemName):
        return name
    return name.item if matrix.documents is None else f"{name.document}/{name.item}"


def documents_and_items(matrix: LabelMatrix) -> list[tuple[str, str]]:
    """Return the document and the name of each item of a campaign's matrix."""
    names = cast(StoredItemNames, matrix.items)
    columns = (names.columns[one].to_pylist() for one in ("document", "item"))
    return list(zip(*columns, strict=True))


def item_column(matrix: LabelMatrix) -> pa.Array:
    """Return the names of the items without their documents, as an Arrow column."""
    names = matrix.items
    if isinstance(names, StoredItemNames):
        return names.columns["item"]
    if names and not isinstance(names[0], ItemName):  # bare ones, then
        return column([*names], pa.string())
    return column([n.item if isinstance(n, ItemName) else n for n in names], pa.string())


def bare_item_names(matrix: LabelMatrix) -> list[str]:
    """Return the names of the items without their documents."""
    found: list[str] = item_column(matrix).to_pylist()
    return found
