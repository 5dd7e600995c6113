"""A corpus of annotated documents as a few flat arrays, from which the chance models draw.

Flat arrays pickle in one piece and slice without copies, so a corpus of 10,000 documents reaches a
worker in milliseconds and a sampler reads only the units that it draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..alignment.continuum import Continuum, DrawnAt
from ..arrays import Flags, Floats, Ints, Ints32
from ..errors import MetricsError, RoleError
from ..row_order import places
from ..signature import input_hash
from .drawing_order import DrawingOrder, drawing_order
from .virtual_documents import VirtualDocuments, concatenate_ranges


@dataclass(frozen=True)
class Corpus:
    """D documents, S annotation sets (one annotator on one document), U units.

    starts, ends  float64 (U,): bounds from the document's origin, in its offset unit
    categories    int32 (U,): index into `tagset`, -1 for a unit without a category
    unit_offsets  int64 (S + 1,): set s has the units `unit_offsets[s]:unit_offsets[s + 1]`, sorted
                  by start; a set without units is an annotator who marked nothing
    set_offsets   int64 (D + 1,): document d has the sets `set_offsets[d]:set_offsets[d + 1]`
    lengths       float64 (D,): length of each document from its origin
    lengths_given bool (D,): whether it is the document's length, not the span of its units
    tagset        K declared categories, the same for every document
    set_annotators  int32 (S,): index into `annotators` of each set's annotator
    annotators    names of the annotators of the corpus
    gaps          int32 (U,): as in `Continuum`
    inherited     the order of the corpus of which this one is a part; None: of no other
    """

    starts: Floats
    ends: Floats
    categories: Ints32
    unit_offsets: Ints
    set_offsets: Ints
    lengths: Floats
    lengths_given: Flags
    tagset: tuple[str, ...]
    set_annotators: Ints32
    annotators: tuple[str, ...]
    gaps: Ints32 = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    inherited: DrawingOrder | None = None

    @property
    def n_documents(self) -> int:
        return self.lengths.shape[0]

    @property
    def n_units(self) -> int:
        return self.starts.shape[0]

    @property
    def set_sizes(self) -> Ints:
        """Number of units of each annotation set, int64 (S,)."""
        return np.diff(self.unit_offsets)

    @property
    def annotators_per_document(self) -> Ints:
        """Number of annotators of each document, int64 (D,)."""
        return np.diff(self.set_offsets)

    @property
    def document_of_set(self) -> Ints:
        """Number of the document of each annotation set, int64 (S,)."""
        return np.repeat(np.arange(self.n_documents), self.annotators_per_document)

    @property
    def set_of_unit(self) -> Ints:
        """Number of the annotation set of each unit, int64 (U,)."""
        return np.repeat(np.arange(self.set_annotators.shape[0]), self.set_sizes)

    @cached_property
    def order(self) -> DrawingOrder:
        """The order in which chance samples take documents, annotators and categories."""
        return self.inherited or drawing_order(self)

    @cached_property
    def in_order(self) -> Corpus:
        """The corpus with documents, annotators and units in its order; annotators renumbered."""
        order, set_of_unit = self.order, self.set_of_unit
        documents, annotators = np.argsort(order.documents), np.argsort(order.annotators)
        sets = np.lexsort(
            (order.annotators[self.set_annotators], order.documents[self.document_of_set])
        )
        categories = np.append(order.categories, len(self.tagset))[self.categories]
        units = np.lexsort((categories, self.ends, self.starts, places(sets)[set_of_unit]))
        return Corpus(
            self.starts[units],
            self.ends[units],
            self.categories[units],
            np.concatenate([[0], np.cumsum(self.set_sizes[sets])]).astype(np.int64),
            np.concatenate([[0], np.cumsum(self.annotators_per_document[documents])]).astype(
                np.int64
            ),
            self.lengths[documents],
            self.lengths_given[documents],
            self.tagset,
            places(annotators)[self.set_annotators[sets]].astype(np.int32),
            tuple(self.annotators[a] for a in annotators.tolist()),
            self.gaps[units],
            DrawingOrder(np.arange(documents.size), np.arange(annotators.size), order.categories),
        )

    @property
    def length_setting(self) -> str:
        """Setting `length` of a signature: `given`, or `units` if one has only their span."""
        return "given" if self.lengths_given.all() else "units"

    @property
    def n_paired_annotators(self) -> int:
        """Number of annotators who share a document with another."""
        per_document = self.annotators_per_document
        shared = np.repeat(per_document > 1, per_document)
        return int(np.unique(self.set_annotators[shared]).size)

    def document(self, d: int) -> Corpus:
        """Return the corpus of the single document `d`, for a baseline per document."""
        first_set, last_set = int(self.set_offsets[d]), int(self.set_offsets[d + 1])
        offsets = self.unit_offsets[first_set : last_set + 1]
        units = slice(int(offsets[0]), int(offsets[-1]))
        return Corpus(
            self.starts[units],
            self.ends[units],
            self.categories[units],
            offsets - offsets[0],
            np.array([0, last_set - first_set], dtype=np.int64),
            self.lengths[d : d + 1],
            self.lengths_given[d : d + 1],
            self.tagset,
            self.set_annotators[first_set:last_set],
            self.annotators,
            self.gaps[units],
            self.order._replace(documents=self.order.documents[d : d + 1]),
        )

    def as_virtual_documents(self, documents: Ints) -> VirtualDocuments:
        """Return real documents with equal numbers of annotators in the format of virtual ones."""
        first, last = self.set_offsets[documents], self.set_offsets[documents + 1]
        n = int(last[0] - first[0]) if documents.size else 0
        if (last - first != n).any():
            raise MetricsError(
                "documents that are combined must have the same number of annotators"
            )
        offsets = self.unit_offsets[first[:, None] + np.arange(n + 1)]
        begin = offsets[:, 0].copy()
        offsets -= begin[:, None]
        units = concatenate_ranges(begin, offsets[:, -1])
        return VirtualDocuments(
            self.starts[units],
            self.ends[units],
            self.categories[units],
            offsets,
            self.lengths[documents],
        )


def require_humans(continua: Sequence[Continuum], measure: str) -> None:
    """Raise RoleError unless every annotator of every document is human."""
    for continuum in continua:
        for name, role in zip(continuum.annotators, continuum.roles, strict=True):
            if role != "human":
                raise RoleError(
                    f"{measure} compares annotators, but {name!r} is a {role}: score it against "
                    "a reference instead (`accordeur score`), or see whether it may replace an "
                    "annotator (`accordeur replace`), and exclude it here"
                )


def corpus_of_continua(continua: Sequence[Continuum], *, measure: str = "agreement") -> Corpus:
    """Return the flat corpus of a sequence of continua, in their order.

    Offsets are relative to the origin of each document (the first start if the length is unknown);
    its length here is the larger of its own length and its last end. Raises RoleError if an
    annotator is not human, MetricsError if the documents differ in their tagset or there are none.
    """
    if not continua:
        raise MetricsError("no document was given: a corpus needs at least one")
    require_humans(continua, measure)
    tagset = continua[0].tagset
    for d, continuum in enumerate(continua):
        if continuum.tagset != tagset:
            raise MetricsError(
                f"document {d} has the tagset ({', '.join(continuum.tagset)}), document 0 "
                f"({', '.join(tagset)}): give every document the whole tagset of the campaign"
            )
    annotators = tuple(dict.fromkeys(name for c in continua for name in c.annotators))
    column = {name: a for a, name in enumerate(annotators)}
    orders, lengths, sizes = [], [], []
    for continuum in continua:
        orders.append(np.lexsort((continuum.ends, continuum.starts, continuum.owners)))
        sizes.append(np.bincount(continuum.owners, minlength=continuum.n_annotators))
        last = float(continuum.ends.max()) if continuum.n_units else 0.0
        lengths.append(max(continuum.length, last) - continuum.origin)
    pairs = list(zip(continua, orders, strict=True))
    drawn_at = [c.drawn_at for c in continua]
    shifts = np.repeat([c.origin for c in continua], [c.n_units for c in continua])
    set_counts = [c.n_annotators for c in continua]
    return Corpus(
        np.concatenate([c.starts[order] for c, order in pairs]) - shifts,
        np.concatenate([c.ends[order] for c, order in pairs]) - shifts,
        np.concatenate([c.categories[order] for c, order in pairs]),
        np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64),
        np.concatenate([[0], np.cumsum(set_counts)]).astype(np.int64),
        np.array(lengths, dtype=np.float64),
        np.array([c.length_given for c in continua], dtype=np.bool_),
        tagset,
        np.array([column[name] for c in continua for name in c.annotators], dtype=np.int32),
        annotators,
        np.concatenate([c.gaps[order] for c, order in pairs]),
        _inherited(drawn_at, annotators, tagset),
    )


def _inherited(
    drawn_at: Sequence[DrawnAt | None], annotators: Sequence[str], tagset: Sequence[str]
) -> DrawingOrder | None:
    known = [one for one in drawn_at if one is not None]
    if len(known) < len(drawn_at):
        return None
    of_annotators, of_categories = known[0].annotators, known[0].categories
    return DrawingOrder(
        np.array([one.document for one in known], dtype=np.int64),
        np.array([of_annotators[name] for name in annotators], dtype=np.int64),
        np.array([of_categories[name] for name in tagset], dtype=np.int64),
    )


def in_one_order(continua: Sequence[Continuum]) -> Sequence[Continuum]:
    """Return the documents with the order of their corpus, which any part of them then keeps."""
    if all(c.drawn_at is not None for c in continua):
        return continua
    drawn_at = _drawn_at(corpus_of_continua(continua))
    return [replace(c, drawn_at=one) for c, one in zip(continua, drawn_at, strict=True)]


def _drawn_at(corpus: Corpus) -> list[DrawnAt]:
    order = corpus.order
    annotators = dict(zip(corpus.annotators, order.annotators.tolist(), strict=True))
    categories = dict(zip(corpus.tagset, order.categories.tolist(), strict=True))
    return [DrawnAt(place, annotators, categories) for place in order.documents.tolist()]


def as_corpus(documents: Corpus | Sequence[Continuum]) -> Corpus:
    """Convert a sequence of continua to a corpus; return a corpus unchanged."""
    return documents if isinstance(documents, Corpus) else corpus_of_continua(documents)


def continua_of_corpus(corpus: Corpus) -> list[Continuum]:
    """Return the documents of a corpus as continua (offsets relative to each document's origin)."""
    drawn_at = _drawn_at(corpus)
    return [
        Continuum(
            corpus.starts[slice(*units)],
            corpus.ends[slice(*units)],
            corpus.categories[slice(*units)],
            np.repeat(np.arange(last - first, dtype=np.int32), corpus.set_sizes[first:last]),
            tuple(corpus.annotators[a] for a in corpus.set_annotators[first:last]),
            corpus.tagset,
            length=float(corpus.lengths[d]),
            length_given=bool(corpus.lengths_given[d]),
            gaps=corpus.gaps[slice(*units)],
            drawn_at=drawn_at[d],
        )
        for d, (first, last) in enumerate(pairwise(corpus.set_offsets.tolist()))
        for units in [(int(corpus.unit_offsets[first]), int(corpus.unit_offsets[last]))]
    ]


def corpus_hash(corpus: Corpus) -> str:
    """Return a hash of everything in a corpus that a measure reads."""
    return input_hash(
        [
            corpus.starts,
            corpus.ends,
            corpus.categories,
            corpus.unit_offsets,
            corpus.set_offsets,
            corpus.set_annotators,
            corpus.lengths,
            "\0".join(corpus.tagset),
            "\0".join(corpus.annotators),
        ]
    )
