"""random1 (Mathet & Widlöcher 2011, section 5.3): as many units, anywhere and of any size.

The crudest of the processes: it knows how many units annotators mark and how long units are,
and nothing of where they stand or which categories are long or short.
"""

from __future__ import annotations

import numpy as np

from .corpus import Corpus
from .draws import Draw


def draw_random1(corpus: Corpus, document: int, rng: np.random.Generator) -> Draw:
    """One virtual document with the annotators and numbers of units of a real one.

    Each unit takes its size from a unit of the corpus and its category from another, drawn apart
    and uniformly (a size beyond the document's length is cut to it), and its start uniformly
    among those that keep it inside the document.
    """
    sets = slice(int(corpus.set_offsets[document]), int(corpus.set_offsets[document + 1]) + 1)
    offsets = corpus.unit_offsets[sets] - corpus.unit_offsets[sets.start]
    n_units, length = int(offsets[-1]), float(corpus.lengths[document])
    if n_units == 0:
        empty = np.empty(0)
        return Draw(empty, empty, np.empty(0, np.int32), offsets, length)
    picked = rng.integers(corpus.n_units, size=n_units)
    sizes = np.minimum(corpus.ends[picked] - corpus.starts[picked], length)
    categories = corpus.categories[rng.integers(corpus.n_units, size=n_units)]
    starts = rng.random(n_units) * (length - sizes)
    return Draw(starts, starts + sizes, categories, offsets, length)
