"""Best alignments of documents, kept by content, so that only new or changed documents are aligned.

An alignment depends on the units of its document, their annotators and the dissimilarity, and on no
other document: keeping it changes no result. A shard writes what it had to align into one file,
named by the range of its documents' slots and by its own content; a later run reads the files whose
ranges overlap its own, so that a large campaign never reads those of other shards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...data.intake.spill import slot_of
from ...data.store.hashes import Digest
from ...data.store.ownership import Folder
from ...data.store.parquet_format import table_bytes, table_of_bytes
from ...data.store.store import Store
from ...metrics.alignment.best_alignment import Alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.signature import input_hash
from ...metrics.units.observed import align_documents
from ..node import Composed, Parts, place_of

_FILE = re.compile(r"/(\d+)-(\d+)-([0-9a-f]{16})\.parquet$")
_ARRAYS = ("units", "disorders")
_ALIGNMENTS = pa.schema(
    [
        ("document", pa.string()),  # hash of its content
        ("units", pa.list_(pa.int32())),
        ("disorders", pa.list_(pa.float64())),
        ("total", pa.float64()),
        ("mean_units", pa.float64()),
        ("optimal", pa.bool_()),
        ("gap", pa.float64()),
    ]
)


def align_new_documents(
    store: Store,
    documents: Sequence[tuple[str, Continuum]],
    dissimilarity: Dissimilarity,
    write: Callable[[Sequence[Alignment | None]], dict[str, Any]],
) -> Composed:
    """Align the named documents of a shard of which no alignment is kept.

    write  writes what follows from the alignments, in the order of the documents; returns facts

    A document of one annotator has no alignment, and is not counted as a part.
    """

    def compute(fresh: bool) -> Parts:
        folder = place_of(Folder.ALIGNED, ["documents"], dissimilarity)
        aligned = [one for one in documents if one[1].n_annotators > 1]
        keys = {name: _content_hash(continuum) for name, continuum in aligned}
        kept = _KeptAlignments(store, folder, [slot_of(name) for name, _ in aligned])
        rows = {} if fresh else kept.read({*keys.values()})
        new = {keys[name]: (name, one) for name, one in aligned if keys[name] not in rows}
        found = align_documents([one for _, one in new.values()], dissimilarity)
        made = {key: _row(one) for key, one in zip(new, found, strict=True) if one is not None}
        kept.write(made, [slot_of(name) for name, _ in new.values()])
        rows |= made
        facts = write(
            [
                _alignment(rows[keys[name]], continuum) if keys.get(name) in rows else None
                for name, continuum in documents
            ]
        )
        n_new = sum(keys[name] in new for name, _ in aligned)
        return Parts(facts, folder, len(aligned), len(aligned) - n_new, tuple(kept.damaged))

    return Composed(compute)


class _KeptAlignments:
    """The files of a folder whose ranges overlap those of some slots."""

    def __init__(self, store: Store, folder: str, slots: Sequence[int]) -> None:
        self.damaged: list[str] = []
        self._store, self._folder = store, folder
        self._low, self._high = min(slots, default=0), max(slots, default=-1)

    def read(self, wanted: set[str]) -> dict[str, dict[str, Any]]:
        """Return the kept rows of documents by the hash of their content."""
        found: dict[str, dict[str, Any]] = {}
        for path, sha256 in self._files():
            content = self._store.content(path) or b""
            if Digest.of(content).sha256[:16] != sha256:
                self.damaged.append(path)
                continue
            for row in table_of_bytes(content).to_pylist():
                if row["document"] in wanted:
                    found[row.pop("document")] = row
        return found

    def write(self, rows: dict[str, dict[str, Any]], slots: Sequence[int]) -> None:
        """Keep new rows of documents with these slots."""
        if not rows:
            return
        given = [{"document": key, **row} for key, row in rows.items()]
        content = table_bytes(pa.Table.from_pylist(given, _ALIGNMENTS))
        name = f"{min(slots)}-{max(slots)}-{Digest.of(content).sha256[:16]}.parquet"
        self._store.write_bytes(f"{self._folder}/{name}", content)

    def _files(self) -> Iterator[tuple[str, str]]:
        """Yield path and hash of the files that may hold the documents."""
        for path in self._store.list(self._folder):
            named = _FILE.search(path)
            if named and int(named[1]) <= self._high and self._low <= int(named[2]):
                yield path, named[3]


def _content_hash(one: Continuum) -> str:
    return input_hash(
        [one.starts, one.ends, one.categories, one.owners, np.array(one.n_annotators)]
    )


def _row(alignment: Alignment) -> dict[str, Any]:
    return {name: np.ravel(getattr(alignment, name)).tolist() for name in _ARRAYS} | {
        name: getattr(alignment, name) for name in ("total", "mean_units", "optimal", "gap")
    }


def _alignment(row: dict[str, Any], continuum: Continuum) -> Alignment:
    units, disorders = (row[name] for name in _ARRAYS)
    return Alignment(
        np.array(units, np.int32).reshape(-1, continuum.n_annotators),
        np.array(disorders, np.float64),
        **{name: value for name, value in row.items() if name not in _ARRAYS},
    )
