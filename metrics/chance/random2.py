"""random2 (Mathet & Widlöcher 2011, section 5.3): other people's work on other documents.

A virtual document for n annotators takes n different documents and from each the units of one of
its annotators, whoever that is. What is regular in the corpus (how many units, where, how long,
in what order) stays, and nothing can be due to the text, because no two virtual annotators read
the same one: a document that several people annotated is never drawn twice for one virtual
document, since their true agreement would pass for chance.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.chance.corpus import Corpus, Draw, join_draws
from metrics.errors import MetricsError

Reconcile = Literal["rescale", "tile", "truncate"]


def draw_random2(
    corpus: Corpus,
    n_annotators: int,
    rng: np.random.Generator,
    *,
    reconcile: Reconcile = "rescale",
) -> Draw:
    """One virtual document of `n_annotators`, each from another document of the corpus.

    The documents are drawn without replacement, then one annotator of each, uniformly. Their
    lengths are reconciled so:

    rescale   every document is stretched or shrunk to the length of the first one drawn
    tile      the first one drawn gives the length; a shorter document is repeated end to end
              until it is filled, and units are cut at its end
    truncate  the shortest one gives the length; units are cut at it, those beyond it fall out

    Documents of length 0 (nothing known, nothing marked) never give the length. Raises
    MetricsError when the corpus has fewer documents with an annotator than `n_annotators`.
    """
    annotated = corpus.annotators_per_document
    candidates = np.flatnonzero(annotated) if (annotated == 0).any() else None
    n_documents = corpus.n_documents if candidates is None else candidates.shape[0]
    if n_documents < n_annotators:
        raise MetricsError(
            f"random2 takes each of {n_annotators} virtual annotators from another document, and "
            f"the corpus has {n_documents}: give more documents, or choose another chance process "
            "(shuffle, statistical or random1)"
        )
    drawn = rng.choice(n_documents, size=n_annotators, replace=False)
    documents = drawn if candidates is None else candidates[drawn]
    sets = corpus.set_offsets[documents] + rng.integers(annotated[documents])
    spans = [slice(int(corpus.unit_offsets[s]), int(corpus.unit_offsets[s + 1])) for s in sets]
    draw = join_draws(spans, corpus)
    lengths = corpus.lengths[documents]
    positive = lengths[lengths > 0]
    if positive.size == 0:
        return draw
    if reconcile == "rescale":
        target = float(positive[0])
        return _rescaled(draw, lengths, target)
    if reconcile == "tile":
        return _cut(_tiled(draw, lengths, float(positive[0])), float(positive[0]))
    if reconcile == "truncate":
        return _cut(draw, float(positive.min()))
    raise MetricsError(f"reconcile is {reconcile!r}; choose rescale, tile or truncate")


def _rescaled(draw: Draw, lengths: NDArray[np.float64], target: float) -> Draw:
    # a set without units may come from a document of length 0: its factor is never used
    factors = target / np.where(lengths > 0, lengths, target)
    per_unit = np.repeat(factors, np.diff(draw.unit_offsets))
    return draw._replace(starts=draw.starts * per_unit, ends=draw.ends * per_unit, length=target)


def _tiled(draw: Draw, lengths: NDArray[np.float64], target: float) -> Draw:
    copies = np.ceil(target / np.where(lengths > 0, lengths, target)).astype(np.int64)
    units, shifts = [], []
    for a, n_copies in enumerate(copies.tolist()):
        own = np.arange(draw.unit_offsets[a], draw.unit_offsets[a + 1])
        units.append(np.tile(own, n_copies))
        shifts.append(np.repeat(np.arange(n_copies) * lengths[a], own.shape[0]))
    index, shift = np.concatenate(units), np.concatenate(shifts)
    offsets = np.concatenate([[0], np.cumsum([u.shape[0] for u in units])]).astype(np.int64)
    return Draw(
        draw.starts[index] + shift,
        draw.ends[index] + shift,
        draw.categories[index],
        offsets,
        target,
    )


def _cut(draw: Draw, length: float) -> Draw:
    kept = draw.starts < length
    kept_before = np.concatenate([[0], np.cumsum(kept)])
    return Draw(
        draw.starts[kept],
        np.minimum(draw.ends[kept], length),
        draw.categories[kept],
        kept_before[draw.unit_offsets].astype(np.int64),
        length,
    )
