"""Observed disorder of documents as counts, one row per document; rows of batches add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..alignment.best_alignment import Alignment, best_alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats, Ints
from ..chance.corpus import corpus_of_continua, require_humans
from ..chance.disorders import alignment_counts, disorders_of_draws
from ..measure import Objective


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """Counts of the best alignments of D documents; `a + b` appends the documents of b.

    totals        float64 (D,): sum of the unitary disorders
    weights       float64 (D,): the divisor (mean units per annotator, or for the mean objective the
                  number of unitary alignments); 0 without units
    n_annotators  int64 (D,); a document with fewer than two has total and weight 0 and is not
                  compared (`n_unpaired`)
    n_units       int64 (D,)
    gaps          float64 (D,): proven relative gap of each alignment, 0 where it is optimal
    """

    totals: Floats
    weights: Floats
    n_annotators: Ints
    n_units: Ints
    gaps: Floats

    def __add__(self, other: Observed) -> Observed:
        return Observed(
            np.concatenate([self.totals, other.totals]),
            np.concatenate([self.weights, other.weights]),
            np.concatenate([self.n_annotators, other.n_annotators]),
            np.concatenate([self.n_units, other.n_units]),
            np.concatenate([self.gaps, other.gaps]),
        )

    def select_documents(self, documents: NDArray[np.integer]) -> Observed:
        """Return the counts of some of the documents, by their numbers."""
        return Observed(**{one.name: getattr(self, one.name)[documents] for one in fields(self)})

    @property
    def n_documents(self) -> int:
        return self.totals.shape[0]

    @property
    def n_unpaired(self) -> int:
        """Number of documents with fewer than two annotators."""
        return int((self.n_annotators < 2).sum())

    @property
    def n_compared_units(self) -> int:
        """Number of units in documents with at least two annotators, which are compared."""
        return int(self.n_units[self.n_annotators >= 2].sum())

    @property
    def n_unpaired_units(self) -> int:
        """Number of units in documents with a single annotator, which are not compared."""
        return int(self.n_units.sum()) - self.n_compared_units

    @property
    def disorders(self) -> Floats:
        """Disorder of each document, float64 (D,), nan without units or with one annotator."""
        with np.errstate(invalid="ignore"):
            return np.where(self.weights > 0, self.totals / self.weights, np.nan)


def count_disorder(
    continua: Continuum | Sequence[Continuum],
    dissimilarity: Dissimilarity,
    *,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> Observed:
    """Align every document and return the counts only; `time_limit` in seconds for each document.

    Raises RoleError if an annotator is not human, MetricsError if tagsets differ.
    """
    documents = [continua] if isinstance(continua, Continuum) else list(continua)
    corpus = corpus_of_continua(documents, measure="γ")
    n_annotators = corpus.annotators_per_document
    counts = np.zeros((corpus.n_documents, 3))
    for n in np.unique(n_annotators[n_annotators >= 2]).tolist():
        those = np.flatnonzero(n_annotators == n)
        counts[those] = disorders_of_draws(
            corpus.as_virtual_documents(those),
            corpus.tagset,
            dissimilarity,
            objective=objective,
            time_limit=time_limit,
        )
    n_units = np.diff(corpus.unit_offsets[corpus.set_offsets])
    return Observed(counts[:, 0], counts[:, 1], n_annotators, n_units, counts[:, 2])


def align_documents(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    *,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> list[Alignment | None]:
    """Return the best alignment of each document, None for one with fewer than two annotators."""
    require_humans(continua, "γ")
    return [
        best_alignment(c, dissimilarity, objective=objective, time_limit=time_limit)
        if c.n_annotators >= 2
        else None
        for c in continua
    ]


def observed_of_alignments(
    continua: Sequence[Continuum],
    alignments: Sequence[Alignment | None],
    *,
    objective: Objective = "sum",
) -> Observed:
    """Return the counts of existing alignments, one per document."""
    rows = [(0.0, 0.0, 0.0) if a is None else alignment_counts(a, objective) for a in alignments]
    counts = np.array(rows, dtype=np.float64).reshape(-1, 3)
    return Observed(
        counts[:, 0],
        counts[:, 1],
        np.array([c.n_annotators for c in continua], dtype=np.int64),
        np.array([c.n_units for c in continua], dtype=np.int64),
        counts[:, 2],
    )
