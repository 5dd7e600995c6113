"""What a source holds, in a few kilobytes: sources that hold the same rows are noticed.

Rows of the same document, annotator and place are rejected one by one. Where a second source names
its documents otherwise, every row would count twice; the sums of the rows' hashes show it.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .keys import keys_of

_ROW = {
    "labels": ("item", "annotator", "labels", "pass"),
    "units": ("start", "end", "annotator", "category", "pass"),
}
_FEWEST_ROWS = 4  # of one annotator in a document: fewer are alike by accident
_FEWEST_SHARE = 0.1  # of the smaller source
_MOST_KEPT = 500
_MOST_WAITING = 1 << 20
_SEPARATOR = "\x1f"  # between the labels of an item

Sketch = Sequence[tuple[int, int]]
"""(sum of the hashes of the rows, hash of the document) of annotated documents: those with the
smallest sums, so that the sketches of two sources hold the same documents of both."""


@dataclass(frozen=True, slots=True)
class SameRows:
    """Two sources, by number, and how many documents at least have the same rows in both."""

    first: int
    second: int
    n_documents: int


class SourceContents:
    """Takes the labels and units of one source in any order."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.uint64]] = []
        self._n_waiting = 0

    def add(self, table: str, rows: pa.Table) -> None:
        if table not in _ROW or not rows.num_rows:
            return
        if table == "labels":
            at = rows.schema.get_field_index("labels")
            rows = rows.set_column(at, "labels", pc.binary_join(rows["labels"], _SEPARATOR))
        columns = (("document", "annotator"), ("document",), _ROW[table])
        pairs, documents, sums = (keys_of(rows, names, hash_of=_stable_hash) for names in columns)
        ones = np.ones(rows.num_rows, dtype=np.uint64)
        self._parts.append(_summed(np.stack([pairs, documents, sums, ones])))
        self._n_waiting += self._parts[-1].shape[1]
        if self._n_waiting > _MOST_WAITING:
            self._parts = [_summed(np.concatenate(self._parts, axis=1))]
            self._n_waiting = 0

    def sketch(self) -> Sketch:
        if not self._parts:
            return []
        _, documents, sums, n_rows = _summed(np.concatenate(self._parts, axis=1))
        enough = np.flatnonzero(n_rows >= _FEWEST_ROWS)
        least = enough[np.argsort(sums[enough], kind="stable")[:_MOST_KEPT]]
        return list(zip(sums[least].tolist(), documents[least].tolist(), strict=True))


def sources_of_same_rows(sketches: Sequence[Sketch]) -> list[SameRows]:
    """Pairs of sources that hold the same rows under different names of documents."""
    homes: defaultdict[int, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for source, sketch in enumerate(sketches):
        for total, document in sketch:
            homes[total][source].add(document)
    found: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for of_sources in homes.values():
        for first, second in combinations(of_sources, 2):
            if of_sources[first].isdisjoint(of_sources[second]):  # else rejected row by row
                found[first, second] |= of_sources[second]
    return [
        SameRows(first, second, len(documents))
        for (first, second), documents in sorted(found.items())
        if len(documents) >= _FEWEST_SHARE * _n_comparable(sketches[first], sketches[second])
    ]


def _n_comparable(first: Sketch, second: Sketch) -> int:
    """Annotated documents of the smaller sketch that the other could hold too."""
    full = [one[-1][0] for one in (first, second) if len(one) == _MOST_KEPT]
    limit = min(full, default=2**64)
    return min(sum(total <= limit for total, _ in one) for one in (first, second))


def _summed(columns: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(pair, document, sum, rows) of each pair of document and annotator, modulo 2^64."""
    pairs, first, at = np.unique(columns[0], return_index=True, return_inverse=True)
    found = np.zeros((4, pairs.size), dtype=np.uint64)
    found[0], found[1] = pairs, columns[1][first]
    for row in (2, 3):
        np.add.at(found[row], at, columns[row])
    return found


def _stable_hash(value: str) -> int:
    """The same in every process, unlike `hash`."""
    digest = hashlib.blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def sketch_of(value: Iterable[Sequence[int]]) -> Sketch:
    """The sketch from JSON, where pairs are lists."""
    return [(total, document) for total, document in value]
