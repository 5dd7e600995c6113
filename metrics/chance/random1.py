"""random1 (Mathet & Widlöcher 2011, section 5.3): as many units, with random positions and sizes.

This is the crudest chance model: it uses the number of units per annotator and the lengths of
units, but neither their positions nor the relation of category and length.
"""

from __future__ import annotations

import numpy as np

from .corpus import Corpus
from .virtual_documents import VirtualDocument


def draw_random1(corpus: Corpus, document: int, rng: np.random.Generator) -> VirtualDocument:
    """Draw a virtual document with the annotators and numbers of units of a real one.

    Each unit has the size of one unit of the corpus and the category of another, drawn
    independently and uniformly (a size beyond the document's length is cut to it); its start is
    uniform among the starts that keep it inside the document.
    """
    sets = slice(int(corpus.set_offsets[document]), int(corpus.set_offsets[document + 1]) + 1)
    offsets = corpus.unit_offsets[sets] - corpus.unit_offsets[sets.start]
    n_units, length = int(offsets[-1]), float(corpus.lengths[document])
    if n_units == 0:
        empty = np.empty(0)
        return VirtualDocument(empty, empty, np.empty(0, np.int32), offsets, length)
    picked = rng.integers(corpus.n_units, size=n_units)
    sizes = np.minimum(corpus.ends[picked] - corpus.starts[picked], length)
    categories = corpus.categories[rng.integers(corpus.n_units, size=n_units)]
    starts = rng.random(n_units) * (length - sizes)
    return VirtualDocument(starts, starts + sizes, categories, offsets, length)
