"""Yield the documents and assignments that rows of a table mention, each once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa

from ....annotator_names import role_of
from ....arrow_columns import as_numpy, number_column
from ....blocks import Block, Rows
from ....schema import Document, OffsetUnit, Record, Role, State
from ...base import SourceOptions
from .make_records import make_assignment, make_document

NO_ROLES: Mapping[str, Role] = MappingProxyType({})


class HashSet:
    """A set of 64-bit hashes, 8 bytes each: recent ones in a set, older ones in a sorted array.

    recent  most hashes in the set, which takes 100 bytes each but is faster
    fewest  hashes that are in the set while they are few; the set then grows to an eighth of all
    """

    def __init__(self, recent: int = 65_536, fewest: int | None = None) -> None:
        self._most = recent
        self._fewest = recent if fewest is None else fewest
        self._recent: set[int] = set()
        self._old = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._recent) + len(self._old)

    def __contains__(self, value: int) -> bool:
        return value in self._recent or self._is_old(value)

    def add(self, value: int) -> bool:
        """Add `value` (an int64, as `hash` returns); return whether it was new."""
        if value in self:
            return False
        self._recent.add(value)
        if len(self._recent) >= min(self._most, max(self._fewest, len(self._old) // 8)):
            recent = np.fromiter(self._recent, np.int64, len(self._recent))
            self._old = np.sort(np.concatenate([self._old, recent]), kind="stable")
            self._recent.clear()
        return True

    def _is_old(self, value: int) -> bool:
        at = int(self._old.searchsorted(value))
        return at < len(self._old) and int(self._old[at]) == value


@dataclass(slots=True)
class FirstMentions:
    """Documents and assignments of a table with rows in any order; each is yielded once.

    It holds 8 bytes per document and per assignment, never a row.
    """

    source: str
    options: SourceOptions
    offset_unit: str = OffsetUnit.CHAR
    _hashes: HashSet = field(default_factory=HashSet)
    _last: tuple[str, str, int] | None = None

    def new(
        self, document: str, annotator: str, pass_: int = 1, role: Role = Role.HUMAN
    ) -> list[Record]:
        """Return the records to emit at the first row of this document or annotator."""
        key = (document, annotator, pass_)
        if key == self._last:
            return []
        self._last = key
        if not self._is_new(key):
            return []
        brought: list[Record] = []
        if self._is_new(document):
            brought.append(self._document(document, -1))
        brought.append(
            make_assignment(
                document,
                annotator,
                State.FINISHED,
                self.source,
                self.options,
                role=role,
                pass_=pass_,
            )
        )
        return brought

    def with_length(self, document: str, length: int) -> Document:
        """Return the document with the length that a row states, and mark it as seen."""
        self._is_new(document)
        return self._document(document, length)

    def _document(self, document: str, length: int) -> Document:
        return make_document(
            document, self.source, self.options, length=length, offset_unit=self.offset_unit
        )

    def new_of_rows(
        self, columns: Sequence[Any], roles: Mapping[str, Role] = NO_ROLES
    ) -> Iterator[Block]:
        """Yield the records of `new` for many rows, as blocks of both tables.

        columns  documents, annotators and passes, as for `distinct_rows`
        roles    annotator to role; annotators that are not in it are human
        """
        keys = [key for key in distinct_rows(columns) if self._is_new(key)]
        if not keys:
            return
        names = [name for name in dict.fromkeys(key[0] for key in keys) if self._is_new(name)]
        if names:
            unit, batch = self.offset_unit, self.options.batch
            known = {"length": -1, "offset_unit": unit, "batch": batch, "source": self.source}
            yield Block("documents", n_rows=len(names), columns={"document": names, **known})
        people = [annotator for _, annotator, _ in keys]
        role = self.options.role
        found = {
            "document": [document for document, _, _ in keys],
            "annotator": people,
            "role": role or [roles.get(name) or role_of(name) for name in people],
            "pass": [pass_ for *_, pass_ in keys],
            "state": State.FINISHED,
            "source": self.source,
        }
        yield Block("assignments", n_rows=len(keys), columns=found)

    def has_seen(self, document: str, annotator: str, pass_: int) -> bool:
        """Return whether a row of this work was kept."""
        return hash((document, annotator, pass_)) in self._hashes

    def _is_new(self, key: str | tuple[str, str, int]) -> bool:
        """Mark a document, or an annotator's pass on it, as seen; return whether it was new."""
        return self._hashes.add(hash(key))


class RepeatedDocuments:
    """Finds records of documents that repeat an earlier one; it holds 8 bytes per document.

    A document with another text or length repeats none: validation decides on it.
    """

    def __init__(self) -> None:
        self._seen = HashSet(fewest=256)

    def has_seen(self, row: Rows) -> bool:
        """Return whether a row is the record of a document that was seen before; remember it."""
        return isinstance(row, Document) and not self._seen.add(
            hash((row.document, row.sha256, row.length, row.offset_unit))
        )


def distinct_rows(columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the different rows of some columns, in the order of their first occurrence.

    A column is an Arrow array without nulls, or the value of every row.
    """
    keys: Any = np.zeros(1, dtype=np.int64)
    values: list[list[Any]] = []
    for column in columns:
        if isinstance(column, pa.Array):
            coded = column.dictionary_encode()
            values.append(coded.dictionary.to_pylist())
            keys = keys * len(values[-1]) + as_numpy(coded.indices)
        else:
            values.append([column])
    rows: Any = as_numpy(number_column(keys).unique())
    found = []
    for own in reversed(values):
        rows, at = np.divmod(rows, len(own))
        found.append([own[k] for k in at])
    return [*zip(*reversed(found), strict=True)]
