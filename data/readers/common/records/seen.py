"""Documents and assignments that the rows of a table bring, each when it is first seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ....blocks import Rows, block
from ....schema import Document, OffsetUnit, Record, Role, State
from ...base import SourceOptions
from .hash_set import HashSet
from .steps import assignment

# odd multipliers that mix the hashes of a document, an annotator and a pass into one, modulo 2^64
_DOCUMENT, _ANNOTATOR, _PASS = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9

NO_ROLES: Mapping[str, Role] = MappingProxyType({})


@dataclass(slots=True)
class Seen:
    """Documents and assignments of a table whose rows come in any order: each is yielded once.

    It holds eight bytes per document and per assignment, never a row.
    """

    source: str
    options: SourceOptions
    offset_unit: str = OffsetUnit.CHAR
    _hashes: HashSet = field(default_factory=HashSet)
    _last: tuple[str, str, int] | None = None

    def new(
        self, document: str, annotator: str, pass_: int = 1, role: Role = Role.HUMAN
    ) -> list[Record]:
        """The records that a first row of this document or of this annotator on it brings."""
        key = (document, annotator, pass_)
        if key == self._last:
            return []
        self._last = key
        of_document = hash(document) * _DOCUMENT
        if not self._hashes.add(_int64(of_document + hash(annotator) * _ANNOTATOR + pass_ * _PASS)):
            return []
        brought: list[Record] = []
        if self._hashes.add(_int64(of_document)):
            brought.append(self._document(document, -1))
        brought.append(
            assignment(
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
        """The document as a row says how long it is; it is then seen."""
        self._hashes.add(_int64(hash(document) * _DOCUMENT))
        return self._document(document, length)

    def _document(self, document: str, length: int) -> Document:
        return Document(
            document=document,
            length=length,
            offset_unit=self.offset_unit,
            batch=self.options.batch,
            source=self.source,
        )

    def new_of_rows(
        self,
        documents: pa.Array | str,
        annotators: pa.Array,
        passes: pa.Array | int,
        roles: Mapping[str, Role] = NO_ROLES,
    ) -> Iterator[Rows]:
        """What `new` gives for each of the rows, as a block of either table.

        roles  of the annotators; one that is not there is human
        """
        n_rows = len(annotators)
        of_document = _hashes(documents, n_rows) * np.uint64(_DOCUMENT)
        numbers = passes if isinstance(passes, int) else passes.to_numpy().astype(np.uint64)
        keys = of_document + _hashes(annotators, n_rows) * np.uint64(_ANNOTATOR)
        keys += np.uint64(_PASS) * numbers
        rows = self._first_rows(keys)
        if not len(rows):
            return
        found = {"document": documents, "annotator": annotators, "pass": passes}
        taken = pa.array(rows)
        found = {k: v.take(taken) if isinstance(v, pa.Array) else v for k, v in found.items()}
        fresh = self._first_rows(of_document[rows])
        if len(fresh):
            names = found["document"]
            brought = {
                "document": names.take(pa.array(fresh)) if isinstance(names, pa.Array) else names,
                "length": -1,
                "offset_unit": self.offset_unit,
                "batch": self.options.batch,
                "source": self.source,
            }
            yield block("documents", len(fresh), brought)
        role: Role | pa.Array = self.options.role or Role.HUMAN
        if roles and self.options.role is None:
            names = found["annotator"].to_pylist()
            role = pa.array([str(roles.get(name, Role.HUMAN)) for name in names], pa.string())
        said = {"role": role, "state": State.FINISHED}
        yield block("assignments", len(rows), {"source": self.source} | said | found)

    def _first_rows(self, keys: NDArray[np.uint64]) -> NDArray[np.intp]:
        """The rows whose key was never seen before, in their order."""
        unique, rows = np.unique(keys.view(np.int64), return_index=True)
        new: NDArray[np.intp] = np.sort(rows[self._hashes.add_each(unique)])
        return new


def _int64(value: int) -> int:
    """The value modulo 2^64, as NumPy's int64 has it."""
    return (value + 2**63) % 2**64 - 2**63


def _hashes(names: pa.Array | str, n_rows: int) -> NDArray[np.uint64]:
    """Python's hash of each name."""
    if isinstance(names, str):
        return np.full(n_rows, hash(names), dtype=np.int64).view(np.uint64)
    encoded = names.dictionary_encode()
    hashes = np.array([*map(hash, encoded.dictionary.to_pylist())], dtype=np.int64)
    return hashes.view(np.uint64)[encoded.indices.to_numpy()]
