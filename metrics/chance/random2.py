"""random2 (Mathet & Widlöcher 2011, section 5.3): annotations of different documents combined.

A virtual document for n annotators takes n different documents, and from each the units of one of
its annotators. The regularities of the corpus remain (how many units, where, how long, in what
order), but nothing can be due to the text, because no two virtual annotators read the same one: a
document with several annotators is used only once in a virtual document, since their true agreement
would count as chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

import numpy as np

from ..arrays import Floats, Ints
from ..errors import MetricsError
from ..options import Reconcile
from .corpus import Corpus
from .virtual_documents import VirtualDocument, VirtualDocuments, concatenate_ranges


def draw_random2(
    corpus: Corpus,
    n_annotators: int,
    rngs: Iterable[np.random.Generator],
    *,
    reconcile: Reconcile = "rescale",
) -> VirtualDocuments:
    """Draw virtual documents of `n_annotators`, each from a different document of the corpus.

    rngs  the generator of each draw, used before the next is taken

    The documents are drawn without replacement, then one annotator of each, uniformly. Their
    lengths are made equal in one of these ways:

    rescale   every document is scaled to the length of the first one drawn
    tile      the first one drawn gives the length; a shorter document is repeated until it is
              filled, and units are cut at its end
    truncate  the shortest one gives the length; units are cut there, and units beyond it are
              dropped

    Documents of length 0 (unknown length, no units) never give the length. Raises MetricsError if
    the corpus has fewer documents with an annotator than `n_annotators`.
    """
    if reconcile not in get_args(Reconcile):
        raise MetricsError(f"reconcile is {reconcile!r}; choose rescale, tile or truncate")
    annotated = corpus.annotators_per_document
    candidates = np.flatnonzero(annotated)
    if candidates.size < n_annotators:
        raise MetricsError(
            f"random2 takes each of {n_annotators} virtual annotators from a different document, "
            f"but the corpus has {candidates.size} documents: give more documents, or choose "
            "another chance model (shuffle, statistical or random1)"
        )
    numbers = annotated[candidates]
    alike = int(numbers[0]) if (numbers == numbers[0]).all() else None
    drawn, picked = [], []
    for rng in rngs:
        some = draw_source_documents(candidates.size, n_annotators, rng)
        drawn.append(some)
        picked.append(
            rng.integers(numbers[some]) if alike is None else rng.integers(alike, size=n_annotators)
        )
    documents = candidates[np.array(drawn)]
    return _units_of_annotators(corpus, documents, np.array(picked), reconcile)


def draw_source_documents(n_documents: int, n_annotators: int, rng: np.random.Generator) -> Ints:
    """Draw which documents with an annotator a virtual document uses; the first draw from `rng`."""
    return rng.choice(n_documents, size=n_annotators, replace=False)


def _units_of_annotators(
    corpus: Corpus,
    documents: Ints,
    annotators: Ints,
    reconcile: Reconcile,
) -> VirtualDocuments:
    """Return the units of one annotator, by position, of each document; both arrays (D, n)."""
    sets = corpus.set_offsets[documents] + annotators
    first = corpus.unit_offsets[sets]
    sizes = corpus.unit_offsets[sets + 1] - first
    offsets = np.zeros((sizes.shape[0], sizes.shape[1] + 1), dtype=np.int64)
    np.cumsum(sizes, axis=1, out=offsets[:, 1:])
    units = concatenate_ranges(first.ravel(), sizes.ravel())
    starts, ends, categories = corpus.starts[units], corpus.ends[units], corpus.categories[units]
    lengths = corpus.lengths[documents]
    given = np.take_along_axis(lengths, (lengths > 0).argmax(axis=1)[:, None], axis=1)
    if reconcile == "rescale":
        # a set without units may be of a document of length 0, whose factor is never used
        factors = np.divide(given, lengths, out=np.ones(lengths.shape), where=lengths > 0)
        per_unit = factors.ravel().repeat(sizes.ravel())
        starts, ends = starts * per_unit, ends * per_unit
    draws = VirtualDocuments(starts, ends, categories, offsets, given[:, 0])
    if reconcile == "tile":
        return VirtualDocuments.join(
            [
                _cut_at(_repeat_to_length(draw, own, draw.length), draw.length)
                if draw.length
                else draw
                for draw, own in zip(draws, lengths, strict=True)
            ]
        )
    if reconcile == "truncate":
        return VirtualDocuments.join(
            [
                _cut_at(draw, float(own[own > 0].min())) if draw.length else draw
                for draw, own in zip(draws, lengths, strict=True)
            ]
        )
    return draws


def _repeat_to_length(draw: VirtualDocument, lengths: Floats, target: float) -> VirtualDocument:
    copies = np.ceil(target / np.where(lengths > 0, lengths, target)).astype(np.int64)
    units, shifts = [], []
    for a, n_copies in enumerate(copies.tolist()):
        own = np.arange(draw.unit_offsets[a], draw.unit_offsets[a + 1])
        units.append(np.tile(own, n_copies))
        shifts.append(np.repeat(np.arange(n_copies) * lengths[a], own.shape[0]))
    index, shift = np.concatenate(units), np.concatenate(shifts)
    offsets = np.concatenate([[0], np.cumsum([u.shape[0] for u in units])]).astype(np.int64)
    return VirtualDocument(
        draw.starts[index] + shift,
        draw.ends[index] + shift,
        draw.categories[index],
        offsets,
        target,
    )


def _cut_at(draw: VirtualDocument, length: float) -> VirtualDocument:
    kept = draw.starts < length
    kept_before = np.concatenate([[0], np.cumsum(kept)])
    return VirtualDocument(
        draw.starts[kept],
        np.minimum(draw.ends[kept], length),
        draw.categories[kept],
        kept_before[draw.unit_offsets].astype(np.int64),
        length,
    )
