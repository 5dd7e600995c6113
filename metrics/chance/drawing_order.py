"""The order in which chance samples take documents and annotators, found from the units.

Random numbers are drawn one after the other, so a sample depends on which document or annotator
comes first; in an order by name, γ would change with the names. Documents are ordered by their
lengths, annotators and categories by their numbers of units, equal ones by the units with which
they occur (colour refinement, Weisfeiler & Leman 1968). Those that still are equal can be exchanged
without a change of the units: one is taken, and the refinement goes on.

The order is found once, for all documents of a corpus. Parts of it (without an annotator, a pair, a
category) keep it, so that their values share random numbers with the value of the whole.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import NamedTuple, Protocol

import numpy as np

from ..arrays import Floats, Ints, Ints32
from ..row_order import MOST_CHOICES, Hashes, added, hashes_of_numbers, mixed, places


class Units(Protocol):
    """Units of annotation sets of documents: what the order is found from (see `Corpus`)."""

    @property
    def starts(self) -> Floats: ...
    @property
    def ends(self) -> Floats: ...
    @property
    def lengths(self) -> Floats: ...
    @property
    def categories(self) -> Ints32: ...
    @property
    def set_annotators(self) -> Ints32: ...
    @property
    def document_of_set(self) -> Ints: ...
    @property
    def set_of_unit(self) -> Ints: ...
    @property
    def annotators(self) -> Sized: ...
    @property
    def tagset(self) -> Sized: ...


class DrawingOrder(NamedTuple):
    """The place in the order of each document (D,), annotator (A,) and category (K,) of a corpus.

    Places of a part of a corpus are those of the corpus: they increase, but are not consecutive.
    """

    documents: Ints
    annotators: Ints
    categories: Ints


def drawing_order(corpus: Units) -> DrawingOrder:
    """Return the order found from all units of the corpus."""
    n_annotators, n_categories = len(corpus.annotators), len(corpus.tagset)
    document_of_set = corpus.document_of_set
    set_of_unit, annotator = corpus.set_of_unit, corpus.set_annotators
    n_places = 2 * corpus.starts.size
    _, ranks = np.unique(  # ranks, so that neither seconds nor milliseconds change the order
        np.concatenate([corpus.starts, corpus.ends, corpus.lengths]), return_inverse=True
    )
    starts, ends = mixed(ranks[:n_places]).reshape(2, -1)
    bounds, lengths = mixed(starts + mixed(ends)), mixed(ranks[n_places:])
    n_units = np.concatenate(
        [
            np.bincount(annotator[set_of_unit], minlength=n_annotators),
            np.bincount(corpus.categories + 1, minlength=n_categories + 1)[1:],
        ]
    )
    documents = lengths
    annotators, categories = (
        mixed(np.zeros(n_annotators, int)),
        mixed(np.ones(n_categories + 1, int)),
    )
    categories[-1] = mixed(categories[-1:])[0]  # of units without a category, whose code is −1
    for _ in range(MOST_CHOICES):
        n_different, n_before = 0, -1
        while n_different > n_before:
            of_units = mixed(bounds + categories[corpus.categories])
            of_sets = mixed(added(set_of_unit, of_units, annotator.size) + annotators[annotator])
            documents = mixed(added(document_of_set, of_sets, lengths.size) + lengths)
            around = mixed(of_sets + documents[document_of_set])
            annotators = mixed(added(annotator, around, n_annotators) + mixed(annotators))
            met = mixed(mixed(of_units) + around[set_of_unit])
            categories = mixed(added(corpus.categories, met, n_categories + 1) + mixed(categories))
            n_before = n_different
            n_different = sum(np.unique(one).size for one in (documents, annotators, categories))
        for names, of in (
            (annotators, n_units[:n_annotators]),
            (categories, n_units[n_annotators:]),
        ):
            used = np.flatnonzero(of)
            _, first, n_equal = np.unique(names[used], return_index=True, return_counts=True)
            if (n_equal > 1).any():
                chosen = used[first[n_equal > 1][0]]
                names[chosen] = mixed(names[chosen : chosen + 1])[0]
                break
        else:
            break
    return DrawingOrder(
        places(np.lexsort((documents, corpus.lengths))),
        places(np.lexsort((annotators, -n_units[:n_annotators]))),
        places(np.lexsort((categories[:-1], -n_units[n_annotators:]))),
    )


def hashes_of_documents(corpus: Units) -> Hashes:
    """Return hashes of the bounds of each document's units by annotator, (D,), without any name."""
    bounds = mixed(hashes_of_numbers(corpus.starts) + mixed(hashes_of_numbers(corpus.ends)))
    of_sets = mixed(added(corpus.set_of_unit, bounds, corpus.set_annotators.size))
    lengths = hashes_of_numbers(corpus.lengths)
    return mixed(added(corpus.document_of_set, of_sets, lengths.size) + lengths)
