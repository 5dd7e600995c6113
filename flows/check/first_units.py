"""Accepted units of the first documents that a check reads, to compare their positions."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...data.streaming_check.known_documents import Documents
from ...data.streaming_check.sift import Sifted
from ...metrics.alignment.continuum import Continuum

_MOST_DOCUMENTS = 200
_COLUMNS = ("document", "annotator", "layer", "start_offset", "end_offset")


class FirstUnits:
    """Collects accepted units, source by source."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._parts: list[pa.Table] = []

    def add(self, sifted: Sifted) -> None:
        if sifted.table != "units" or not sifted.rows.num_rows:
            return
        is_first = self._documents.codes(sifted.rows["document"]) < _MOST_DOCUMENTS
        rows = sifted.rows.filter(pa.array(sifted.kept & is_first))
        self._parts.append(rows.filter(pc.equal(rows["pass"], 1)).select(_COLUMNS))

    def continua(self, layer: str, humans: Collection[str]) -> Iterator[Continuum]:
        """Yield the units of these annotators in a layer, without categories; one per document."""
        if not self._parts:
            return
        rows = pa.concat_tables(self._parts)
        who = pa.array(sorted(humans), pa.string())
        of_humans = pc.is_in(rows["annotator"], value_set=who)
        rows = rows.filter(pc.and_(of_humans, pc.equal(rows["layer"], layer)))
        documents = np.asarray(rows["document"].combine_chunks().dictionary_encode().indices)
        owners = np.asarray(pc.index_in(rows["annotator"], value_set=who)).astype(np.int32)
        starts, ends = (
            np.asarray(rows[name], dtype=np.float64) for name in ("start_offset", "end_offset")
        )
        for document in np.unique(documents).tolist():
            at = np.flatnonzero(documents == document)
            unnamed = np.full(at.size, -1, dtype=np.int32)
            people = tuple(who.to_pylist())
            yield Continuum(starts[at], ends[at], unnamed, owners[at], people, ())
