"""Which annotators take part in which document and layer, in 8 bytes per participation.

As in a run's merging of assignments, the furthest state that any export states counts, and an
annotator with a unit or label but no assignment has finished; an annotator whose rows in a document
were all rejected does not take part in it. Passes are not distinguished.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..errors import DataError
from ..schema import FINISHED_STATES, Role
from ..validation.merging import OF_WORK
from .known_documents import Documents
from .row_hashes import Keys, KeySet
from .sift import Sifted

_PEOPLE_BITS, _LAYER_BITS = 20, 12  # the document has the 32 bits before them


class Presence:
    """Collects sifted rows, source by source."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._people: dict[str, int] = {}
        self._layers: dict[str, int] = {"": 0}
        self._finished, self._assigned, self._seen = KeySet(), KeySet(), KeySet()
        self._unspecific = (KeySet(), KeySet())  # finished, assigned; of the current source
        self._systems: set[str] = set()
        self._refused: set[tuple[str, str]] = set()  # (document, annotator)

    def add(self, sifted: Sifted) -> None:
        """Add accepted rows of one source; call `end_source` after its last rows.

        Raises DataError for more than a million annotators or 4,096 layers.
        """
        self._add_rejected_rows(sifted.rejected)
        if sifted.table not in ("assignments", "units", "labels"):
            return
        rows = sifted.rows.filter(pa.array(sifted.kept))
        if not rows.num_rows:
            return
        keys = self._pair_keys(rows)
        if sifted.table != "assignments":
            self._seen.first(keys)
            return
        of_systems = rows.filter(pc.equal(rows["role"], str(Role.SYSTEM)))
        self._systems.update(pc.unique(of_systems["annotator"]).to_pylist())
        finished = np.asarray(pc.is_in(rows["state"], value_set=pa.array(FINISHED_STATES)))
        plain = (keys & np.uint64((1 << _LAYER_BITS) - 1)) == 0
        for at, into in ((plain, self._unspecific), (~plain, (self._finished, self._assigned))):
            into[0].first(keys[at & finished])
            into[1].first(keys[at])

    def _add_rejected_rows(self, rows: pa.Table) -> None:
        rows = rows.filter(pc.is_in(rows["table_name"], value_set=OF_WORK))
        columns = (rows[name].to_pylist() for name in ("document", "annotator"))
        self._refused.update(zip(*columns, strict=True))

    def end_source(self, layers: Iterable[str]) -> None:
        """Apply the source's assignments without a layer to all layers that it holds."""
        codes = [_code_of(self._layers, name) for name in layers] or [0]
        for unspecific, into in zip(
            self._unspecific, (self._finished, self._assigned), strict=True
        ):
            keys = unspecific.keys()
            for code in codes:
                into.first(keys + np.uint64(code))
        self._unspecific = (KeySet(), KeySet())

    def per_document(
        self, people: Collection[str], layer: str | None = None
    ) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """Return how many of these annotators take part in each document, and which take part.

        Participation is in one layer, or in any layer if `layer` is None.
        """
        keys = self._pairs_taking_part()
        if layer is not None:
            of_layer = keys & np.uint64((1 << _LAYER_BITS) - 1)
            keys = keys[of_layer == self._layers.get(layer, 1 << _LAYER_BITS)]
        pairs = _unique_of_sorted(keys >> np.uint64(_LAYER_BITS))
        who = pairs & np.uint64((1 << _PEOPLE_BITS) - 1)
        wanted = {code: name for name, code in self._people.items() if name in people}
        is_wanted = np.isin(who, np.array([*wanted], dtype=np.uint64))
        documents = (pairs[is_wanted] >> np.uint64(_PEOPLE_BITS)).astype(np.int64)
        present = sorted(wanted[code] for code in np.unique(who[is_wanted]).tolist())
        return np.bincount(documents, minlength=len(self._documents)), tuple(present)

    def _pairs_taking_part(self) -> Keys:
        """Return the pairs that finished, or annotated without an assignment."""
        seen, assigned = self._seen.keys(), self._assigned.keys()
        known = np.append(assigned, np.uint64(2**64 - 1))
        unassigned = seen[known[assigned.searchsorted(seen)] != seen]
        finished = self._finished.keys()
        pairs = finished >> np.uint64(_LAYER_BITS)
        lost = np.isin(pairs, self._rejected_pairs()) & ~np.isin(
            pairs, seen >> np.uint64(_LAYER_BITS)
        )
        joined = np.concatenate([finished[~lost], unassigned])
        return _unique_of_sorted(np.sort(joined, kind="stable"))

    def _rejected_pairs(self) -> Keys:
        """Return (document, annotator) of rejected units and labels, except those of systems."""
        pairs = [
            (document, self._people[who])
            for document, who in self._refused
            if document in self._documents and who in self._people and who not in self._systems
        ]
        names = pa.chunked_array([[document for document, _ in pairs]], pa.string())
        people = np.array([who for _, who in pairs], dtype=np.uint64)
        return (self._documents.codes(names).astype(np.uint64) << np.uint64(_PEOPLE_BITS)) | people

    def _pair_keys(self, rows: pa.Table) -> Keys:
        keys = self._documents.codes(rows["document"]).astype(np.uint64)
        for name, codes, bits in (
            ("annotator", self._people, _PEOPLE_BITS),
            ("layer", self._layers, _LAYER_BITS),
        ):
            encoded = rows[name].combine_chunks().dictionary_encode()
            known = [_code_of(codes, value) for value in encoded.dictionary.to_pylist()]
            if len(codes) > 1 << bits:
                raise DataError(f"more than {1 << bits:,} names in the column {name}")
            of_rows = np.array(known, dtype=np.uint64)[encoded.indices.to_numpy()]
            keys = (keys << np.uint64(bits)) | of_rows
        return keys


def _unique_of_sorted(ordered: Keys) -> Keys:
    return ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]


def _code_of(codes: dict[str, int], name: str) -> int:
    return codes.setdefault(name, len(codes))
