"""Tables that hold again what other tables of their folder hold, under other names of documents.

Rows of the same document, annotator and place are refused one by one (`label_occurs_once`,
`unit_occurs_once`). Where a merged table names its documents otherwise than the tables that it was
made of, every row would count twice: the sums of the rows' hashes show it, sixteen bytes a document
and file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, field
from operator import attrgetter
from pathlib import PurePosixPath

from ..blocks import Block, Rows
from ..errors import DataError

_COLUMNS = {
    "labels": ("item", "annotator", "labels", "layer", "pass"),
    "units": ("start", "end", "annotator", "category", "layer", "pass"),
}
_MOST_DOCUMENTS = 200_000
_FEWEST_ROWS = 4
_MODULUS = 2**64
_VALUES = {
    table: attrgetter(*("pass_" if name == "pass" else name for name in names))
    for table, names in _COLUMNS.items()
}


@dataclass(slots=True)
class _Sum:
    """Of hashes of rows, whatever their order."""

    n_rows: int = 0
    total: int = 0

    def add(self, n_rows: int, total: int) -> None:
        self.n_rows += n_rows
        self.total = (self.total + total) % _MODULUS


@dataclass(slots=True)
class Duplicates:
    """The tables of one source as they are read."""

    _files: dict[str, dict[str, _Sum]] = field(default_factory=dict)
    _n_documents: int = 0

    def watched(self, source: str, rows: Iterable[Rows]) -> Iterator[Rows]:
        """The rows of the file `source`, as they are."""
        documents: dict[str, _Sum] = {}
        for row in rows:
            if row.TABLE in _COLUMNS and self._n_documents + len(documents) <= _MOST_DOCUMENTS:
                for document, total in _hashes(row):
                    documents.setdefault(document, _Sum()).add(1, total)
            yield row
        self._n_documents += len(documents)
        if documents:
            self._files[source] = documents

    def check(self) -> None:
        """Raise DataError where a table holds what others hold.

        All that they hold, or a document of the same name but for folder and extension.
        """
        if len(self._files) < 2 or self._n_documents > _MOST_DOCUMENTS:
            return
        self._check_names()
        self._check_merged()

    def _check_names(self) -> None:
        seen: dict[tuple[str, int, int], tuple[str, str]] = {}
        for file, documents in self._files.items():
            for document, found in documents.items():
                if found.n_rows < _FEWEST_ROWS:
                    continue
                bare = PurePosixPath(document).stem
                before = seen.setdefault((bare, *astuple(found)), (file, document))
                if before[0] != file and before[1] != document:
                    raise DataError(
                        f"{file} holds as the document {document!r} the same {found.n_rows:,} rows "
                        f"that {before[0]} holds as {before[1]!r}: they would count twice; leave "
                        "one of the two files out"
                    )

    def _check_merged(self) -> None:
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
                continue  # its rows are refused one by one
            is_half = 2 * found.n_rows == whole.n_rows and found.n_rows >= _FEWEST_ROWS
            if is_half and 2 * found.total % _MODULUS == whole.total:
                raise DataError(
                    f"{file} holds the same {found.n_rows:,} rows as the other "
                    f"{len(of_file) - 1:,} tables together: they would count twice; leave it out, "
                    "or give it alone"
                )


def _hashes(row: Rows) -> Iterator[tuple[str, int]]:
    """(document, hash) of each row."""
    if isinstance(row, Block):
        columns = [row.column(name) for name in _COLUMNS[row.TABLE]]
        yield from zip(row.column("document"), map(hash, zip(*columns, strict=False)), strict=False)
    else:
        yield row.document, hash(_VALUES[row.TABLE](row))
