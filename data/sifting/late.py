"""Units read before any export gave their document's length, judged when one has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..schema import Rejected
from ..validation.rules import rules_of
from .known import UNKNOWN, Documents

_RULE = next(rule for rule in rules_of("units") if rule.name == "inside_document")
_PLACE = ("source", "where", "annotator")


class LateLengths:
    """Holds the end of each such unit, and of each document and source the place of the last one.

    The places of the others are not held: all that are refused are told at that one's.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._held: list[tuple[int, NDArray[np.int64], NDArray[np.int64]]] = []
        self._furthest: dict[tuple[int, int], tuple[int, str, str, str]] = {}

    def remember(self, units: pa.Table, codes: NDArray[np.int64], source: int) -> None:
        """Accepted units; those whose document has a length need no second look."""
        open_ = np.flatnonzero(self._documents.lengths(codes) == UNKNOWN)
        if not len(open_):
            return
        codes, ends = codes[open_], units["end"].to_numpy()[open_]
        self._held.append((source, codes.astype(np.int64), ends))
        order = np.lexsort((ends, codes))
        last = order[np.append(np.diff(codes[order]) != 0, True)]
        places = units.take(pa.array(open_[last]))
        told = zip(*(places[name].to_pylist() for name in _PLACE), strict=True)
        for code, end, place in zip(codes[last].tolist(), ends[last].tolist(), told, strict=True):
            if end > self._furthest.get((source, code), (UNKNOWN,))[0]:
                self._furthest[source, code] = (end, *place)

    def outside(self) -> Iterator[tuple[int, list[Rejected]]]:
        """(source, its units that end after their document)."""
        for source, codes, ends in self._held:
            lengths = self._documents.lengths(codes)
            bad = codes[(lengths != UNKNOWN) & (ends > lengths)]
            if len(bad):
                yield source, [self._told(source, code) for code in bad.tolist()]

    def _told(self, source: int, code: int) -> Rejected:
        end, file, where, annotator = self._furthest[source, code]
        return Rejected(
            source=file,
            where=where,
            rule=_RULE.name,
            value=str(end),
            message=_RULE.message(str(end)),
            table="units",
            document=self._documents.name(code),
            annotator=annotator,
        )
