"""Find rows that occur twice under different document names, in one source or in two.

Rows of the same document, annotator and place are rejected one by one (`label_occurs_once`,
`unit_occurs_once`). If a second table or source gives its documents other names, every row would
count twice; sums of the hashes of the rows reveal this, whatever the order of the rows. Equal texts
reveal documents of two sources that are copies of one another, whatever was marked in them; copies
in one source are found by `copied_documents`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from heapq import nsmallest
from itertools import combinations
from operator import attrgetter, itemgetter
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .arrow_columns import as_numpy, codes_and_values, scalar, text_hashes
from .blocks import Block, Rows
from .copied_documents import SHORTEST_TEXT, CopiedDocument
from .errors import DataError

_FEWEST_ROWS = 4  # rows of one document: fewer may be equal by accident
_ROW = {  # rows of two sources: their layers may have been renamed
    "labels": ("item", "annotator", "labels", "pass"),
    "units": ("start_offset", "end_offset", "annotator", "category", "pass"),
}
_FEWEST_SHARE = 0.1  # share of the smaller source
_MOST_KEPT, _MOST_TEXTS = 500, 2_000
_MULTIPLIER = 0x9E3779B97F4A7C15  # odd; its powers distinguish the columns, modulo 2^64
_MOST_WAITING = 1 << 20
_SEPARATOR = "\x1f"  # between the labels of an item

_Sums = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Sketch:
    """Hashes of annotated documents, which are equal where documents of two sources are.

    rows   (sum of the hashes of the rows of all annotators, hash of the document)
    texts  (hash of text and annotator, document) for a document with a text and an annotator

    Only the smallest are kept, so that the sketches of two sources hold the same documents of both.
    """

    rows: _Sums = ()
    texts: Sequence[tuple[int, str]] = ()

    def as_json(self) -> dict[str, object]:
        return {"rows": self.rows, "texts": self.texts}


@dataclass(frozen=True, slots=True)
class SameRows:
    """Two sources, by number, and the minimum number of documents with the same rows in both."""

    first: int
    second: int
    n_documents: int


class SourceContents:
    """Takes the labels and units of one source in any order."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.uint64]] = []
        self._n_waiting = 0
        self._texts: dict[int, tuple[int, str]] = {}  # hash of a document → hash of its text, name

    def add(self, table: str, rows: pa.Table) -> None:
        if table == "documents":
            self._add_texts(rows)
        if table not in _ROW or not rows.num_rows:
            return
        if table == "labels":
            at = rows.schema.get_field_index("labels")
            joined = pc.binary_join(rows["labels"], scalar(_SEPARATOR))
            rows = rows.set_column(at, "labels", joined)
        each = {name: _column_hashes(rows[name]) for name in ("document", *_ROW[table])}
        columns = (("document", "annotator"), ("document",), _ROW[table])
        pairs, documents, sums = (_mixed([each[name] for name in names]) for names in columns)
        sums = _scattered(sums)
        ones = np.ones(rows.num_rows, dtype=np.uint64)
        self._parts.append(_sums_by_key(np.stack([pairs, documents, sums, ones])))
        self._n_waiting += self._parts[-1].shape[1]
        if self._n_waiting > _MOST_WAITING:
            self._parts = [_sums_by_key(np.concatenate(self._parts, axis=1))]
            self._n_waiting = 0

    def _add_texts(self, rows: pa.Table) -> None:
        is_long = pc.and_(
            pc.greater_equal(rows["length"], SHORTEST_TEXT), pc.not_equal(rows["sha256"], "")
        )
        rows = rows.filter(is_long)
        if rows.num_rows:
            documents, texts = (
                _mixed([_column_hashes(rows[name])]) for name in ("document", "sha256")
            )
            texts_and_names = zip(texts.tolist(), rows["document"].to_pylist(), strict=True)
            self._texts |= zip(documents.tolist(), texts_and_names, strict=True)

    def sketch(self) -> Sketch:
        if not self._parts:
            return Sketch()
        pairs, documents, sums, n_rows = _sums_by_key(np.concatenate(self._parts, axis=1))
        whole, _, totals, n_all = _sums_by_key(np.stack([documents, documents, sums, n_rows]))
        enough = np.flatnonzero(n_all >= _FEWEST_ROWS)
        least = enough[np.argsort(totals[enough], kind="stable")[:_MOST_KEPT]]
        of_rows = list(zip(totals[least].tolist(), whole[least].tolist(), strict=True))
        annotators = (pairs - documents).tolist()  # a pair's hash is the sum of both
        texts = (self._texts.get(one, (0, "")) for one in documents.tolist())
        known = {
            ((text * _MULTIPLIER + annotator) % 2**64, name)
            for (text, name), annotator in zip(texts, annotators, strict=True)
            if text
        }
        return Sketch(of_rows, nsmallest(_MOST_TEXTS, known))


def sources_of_same_rows(sketches: Sequence[Sketch]) -> list[SameRows]:
    """Return pairs of sources that hold the same rows under different document names.

    Documents of one source that are alike show how many of two sources are alike by chance, as
    answers to a few questions are: two sources need more than twice as many.
    """
    homes: defaultdict[int, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for source, sketch in enumerate(sketches):
        for total, document in sketch.rows:
            homes[total][source].add(document)
    found: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for of_sources in homes.values():
        for first, second in combinations(of_sources, 2):
            if of_sources[first].isdisjoint(of_sources[second]):  # otherwise rejected row by row
                found[first, second] |= of_sources[second]
    return [
        SameRows(first, second, len(documents))
        for (first, second), documents in sorted(found.items())
        if len(documents)
        >= _FEWEST_SHARE * _n_comparable(sketches[first].rows, sketches[second].rows)
        and _are_more_than_by_chance(sketches[first].rows, sketches[second].rows)
    ]


def _are_more_than_by_chance(first: _Sums, second: _Sums) -> bool:
    """Whether more documents are alike in two sources than those within each lead to expect."""
    one, other = (Counter(total for total, _ in sums) for sums in (first, second))
    within = sum(n * (n - 1) / 2 for counts in (one, other) for n in counts.values())
    n_pairs = sum(n * (n - 1) / 2 for n in (one.total(), other.total()))
    share = within / n_pairs if n_pairs else 0.0
    expected = share * one.total() * other.total()
    across = sum(n * other[total] for total, n in one.items())
    return across > 2 * expected + 3 * math.sqrt(expected)


def copies_in_other_sources(sketches: Sequence[Sketch]) -> list[CopiedDocument]:
    """Return documents with the text and an annotator of one that another source names otherwise.

    Of more than 2,000 documents and annotators in a source, some copies are not found.
    """
    first: dict[int, tuple[int, str]] = {}  # hash of text and annotator → source, document
    found: dict[str, CopiedDocument] = {}
    for source, sketch in enumerate(sketches):
        for total, name in sorted(sketch.texts, key=itemgetter(1)):
            home, original = first.setdefault(total, (source, name))
            if home != source and name != original:
                found.setdefault(name, CopiedDocument(name, original))
    return list(found.values())


def _n_comparable(first: _Sums, second: _Sums) -> int:
    """Count annotated documents of the smaller sketch that the other sketch could also hold."""
    full = [one[-1][0] for one in (first, second) if len(one) == _MOST_KEPT]
    limit = min(full, default=2**64)
    return min(sum(total <= limit for total, _ in one) for one in (first, second))


def _sums_by_key(columns: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return (key, document, sum, rows) for each first value of the columns, sums modulo 2^64."""
    pairs, first, at = np.unique(columns[0], return_index=True, return_inverse=True)
    found = np.zeros((4, pairs.size), dtype=np.uint64)
    found[0], found[1] = pairs, columns[1][first]
    for row in (2, 3):
        np.add.at(found[row], at, columns[row])
    return found


def _mixed(columns: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Return one hash per row of those of its columns, which are one or more."""
    mixed, factor = np.zeros_like(columns[0]), 1
    for hashes in columns:
        factor = factor * _MULTIPLIER % 2**64
        mixed += hashes * np.uint64(factor)
    return mixed


def _scattered(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return other hashes, of which a sum says which values stood together in a row."""
    hashes = (hashes ^ (hashes >> np.uint64(31))) * np.uint64(_MULTIPLIER)
    return hashes ^ (hashes >> np.uint64(29))


def _column_hashes(values: pa.ChunkedArray) -> NDArray[np.uint64]:
    if pa.types.is_integer(values.type):
        return as_numpy(values).astype(np.int64).view(np.uint64)
    codes, names = codes_and_values(values)
    return text_hashes(names)[codes]


def sketch_from_json(value: Mapping[str, Iterable[Any]]) -> Sketch:
    """Return the sketch from JSON, where pairs are lists."""
    return Sketch(*([tuple(pair) for pair in value[name]] for name in ("rows", "texts")))


_COLUMNS = {
    "labels": ("item", "annotator", "labels", "layer", "pass"),
    "units": ("start_offset", "end_offset", "annotator", "category", "layer", "pass"),
}
_MOST_DOCUMENTS = 200_000
_MODULUS = 2**64
_VALUES = {
    table: attrgetter(*("pass_" if name == "pass" else name for name in names))
    for table, names in _COLUMNS.items()
}


@dataclass(slots=True)
class _Sum:
    """Sum of hashes of rows, independent of their order."""

    n_rows: int = 0
    total: int = 0

    def add(self, n_rows: int, total: int) -> None:
        self.n_rows += n_rows
        self.total = (self.total + total) % _MODULUS


@dataclass(slots=True)
class Duplicates:
    """Finds tables of one source that repeat the rows of others."""

    _files: dict[str, dict[str, _Sum]] = field(default_factory=dict)
    _n_documents: int = 0

    def add(self, source: str, row: Rows) -> None:
        """Hash a row, or the rows of a block, of the file `source`."""
        if row.TABLE not in _COLUMNS or self._n_documents > _MOST_DOCUMENTS:
            return
        documents = self._files.setdefault(source, {})
        before = len(documents)
        for document, total in _document_hashes(row):
            documents.setdefault(document, _Sum()).add(1, total)
        self._n_documents += len(documents) - before

    def check(self) -> None:
        """Raise DataError if a table repeats the rows of other tables.

        Either a document repeats one whose name is the same except for folder and extension, or a
        table repeats all other tables together.
        """
        if len(self._files) < 2 or self._n_documents > _MOST_DOCUMENTS:
            return
        self._warn_of_names()
        self._warn_of_merged()

    def _warn_of_names(self) -> None:
        seen: dict[tuple[str, int, int], tuple[str, str]] = {}
        for file, documents in self._files.items():
            for document, found in documents.items():
                if found.n_rows < _FEWEST_ROWS:
                    continue
                bare = PurePosixPath(document).stem
                before = seen.setdefault((bare, *astuple(found)), (file, document))
                if before[0] != file and before[1] != document:
                    raise DataError(
                        f"the {found.n_rows:,} rows of document {document!r} in {file} are the "
                        f"same as the rows of {before[1]!r} in {before[0]} and would count "
                        "twice: remove one of the two files"
                    )

    def _warn_of_merged(self) -> None:
        if len(self._files) < 3:
            return
        of_file = {}
        whole = _Sum()
        for file, documents in self._files.items():
            of_file[file] = _Sum()
            for found in documents.values():
                of_file[file].add(*astuple(found))
                whole.add(*astuple(found))
        for file, found in of_file.items():
            elsewhere = (names for other, names in self._files.items() if other != file)
            if set(self._files[file]) <= {name for names in elsewhere for name in names}:
                continue  # duplicates are rejected one by one
            is_half = 2 * found.n_rows == whole.n_rows and found.n_rows >= _FEWEST_ROWS
            if is_half and 2 * found.total % _MODULUS == whole.total:
                raise DataError(
                    f"{file} holds the same {found.n_rows:,} rows as the other "
                    f"{len(of_file) - 1:,} tables together, and they would count twice: remove "
                    "it, or give it alone"
                )


def _document_hashes(row: Rows) -> Iterator[tuple[str, int]]:
    """Yield (document, hash) of each row."""
    if isinstance(row, Block):
        columns = [row.column(name) for name in _COLUMNS[row.TABLE]]
        yield from zip(row.column("document"), map(hash, zip(*columns, strict=False)), strict=False)
    else:
        yield row.document, hash(_VALUES[row.TABLE](row))
