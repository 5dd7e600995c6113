"""What each document adds to the chance that all documents are judged against.

A campaign of harder documents has a larger observed disorder, and a larger expected one as well,
since chance is drawn from the same documents. A bootstrap that holds chance fixed sees the first
only: its intervals of γ were a tenth wider than what γ varies by (`benchmarks/coverage.py`).

With h_s and w_s the disorder and the weight of sample s, ē = Σh/Σw, and S_d the samples that start
from document d, the expected disorder of a resample in which document d stands m_d times is

    ē + Σ_d (m_d - 1) I_d        I_d = Σ_{s ∈ S_d} (h_s - ē w_s) / Σ_s w_s

to first order (the influence of a document on a ratio of U-statistics). As the samples are finite,
the I_d vary by at least as much as ē does for the samples' sake: its sampling error is in them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..chance.corpus import Corpus
from ..chance.sampler import documents_drawn
from ..chance.samples import ExpectedDisorder
from .expected_documents import Expectation
from .observed import Observed

FEWEST_DOCUMENTS = 5  # below, intervals are too narrow as it is
SAMPLES_A_DOCUMENT = 3  # fewer say more of the samples than of the document


def chance_influences(
    corpus: Corpus, counts: Observed, expected: Expectation, *, study: int
) -> NDArray[np.float64] | None:
    """Σ over numbers of annotators of Σ weights · I_d, float64 (D,), their sum 0.

    counts  of the documents of the corpus, in their order
    study   the seed that the samples were drawn with

    None where chance is to be held fixed: each document has its own, fewer than
    `FEWEST_DOCUMENTS` have units, the samples are too few for so many documents, or chance was
    drawn from some of the documents only.
    """
    takes_part = counts.weights > 0
    if not isinstance(expected, ExpectedDisorder) or takes_part.sum() < FEWEST_DOCUMENTS:
        return None
    if corpus.n_documents != counts.n_documents:
        return None
    influences, n_started = np.zeros(counts.n_documents), 0
    for n in np.unique(counts.n_annotators[takes_part]).tolist():
        sample = expected.sample(n)
        documents = documents_drawn(
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
    # documents without units are in every resample, as they are in the corpus
    influences[takes_part] -= influences[takes_part].mean()
    influences[~takes_part] = 0.0
    return influences
