"""Contribution of each document to the expected disorder of all documents.

A campaign of harder documents has a larger observed disorder, and a larger expected disorder as
well, because chance samples are drawn from the same documents. A bootstrap with fixed chance
includes the first effect only: its intervals of γ were a tenth wider than the actual variation of γ
(`benchmarks/coverage_units.py`).

Let h_s and w_s be the disorder and the weight of sample s, ē = Σh/Σw, and S_d the samples that
start from document d. The expected disorder of a resample in which document d occurs m_d times is

    ē + Σ_d (m_d - 1) I_d        I_d = Σ_{s ∈ S_d} (h_s - ē w_s) / Σ_s w_s

to first order (the influence of a document on a ratio of U-statistics). Because the number of
samples is finite, the I_d vary at least as much as ē does by sampling: they include its sampling
error.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from ..chance.chance_samples import ExpectedDisorder
from ..chance.corpus import Corpus
from ..chance.sample_drawing import source_documents
from .expected_documents import Expectation
from .observed import Observed

FEWEST_DOCUMENTS = 5  # with fewer, intervals are already too narrow
SAMPLES_A_DOCUMENT = 3  # with fewer, an influence reflects the samples more than the document


def chance_influences(
    corpus: Corpus, counts: Observed, expected: Expectation, *, study: int
) -> Floats | None:
    """Return Σ over numbers of annotators of Σ weights · I_d, float64 (D,), which sums to 0.

    counts  counts of the documents of the corpus, in their order
    study   the seed of the samples

    Returns None if chance must be held fixed: each document has its own expectation, fewer than
    `FEWEST_DOCUMENTS` documents have units, there are too few samples for so many documents, or the
    samples were drawn from some of the documents only.
    """
    takes_part = counts.weights > 0
    if not isinstance(expected, ExpectedDisorder) or takes_part.sum() < FEWEST_DOCUMENTS:
        return None
    if corpus.n_documents != counts.n_documents:
        return None
    influences, n_started = np.zeros(counts.n_documents), 0
    for n in np.unique(counts.n_annotators[takes_part]).tolist():
        sample = expected.sample(n)
        documents = source_documents(
            corpus, sample.process, study=study, n_annotators=n, indices=range(sample.n)
        )
        n_started += documents.size
        totals, weights = sample.counts[:, 0], sample.counts[:, 1]
        if not weights.sum() > 0:
            return None
        judged = float(counts.weights[takes_part & (counts.n_annotators == n)].sum())
        residuals = (totals - sample.mean * weights) * judged / weights.sum()
        np.add.at(influences, documents, residuals[:, None])
    if n_started < SAMPLES_A_DOCUMENT * takes_part.sum():
        return None
    # documents without units are in every resample, as in the corpus
    influences[takes_part] -= influences[takes_part].mean()
    influences[~takes_part] = 0.0
    return influences
