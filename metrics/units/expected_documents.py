"""Expected disorder of each document of a corpus: one expectation for all, or one each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..chance.chance_samples import ExpectedDisorder
from ..errors import MetricsError
from .observed import Observed

Expectation = ExpectedDisorder | Sequence[ExpectedDisorder | None]


class ExpectedRows(NamedTuple):
    """Expected disorder of each of D documents.

    means    float64 (D,), 0 for documents that are not compared
    errors   float64 (D,), the standard error of each
    chances  float64 (D,): weights · means, plus the document's influence on chance if known; they
             sum to Σ weights · means
    total    standard error of this sum: documents that share a sample share its error, so errors
             add within a sample and in squares across samples
    noise    the part of `total` to add to a resample; 0 if it is already in `chances`
    """

    means: Floats
    errors: Floats
    chances: Floats
    total: float
    noise: float


def expected_per_document(
    counts: Observed, expected: Expectation, influences: Floats | None = None
) -> ExpectedRows:
    """Return the expected disorder of each document, by its number of annotators or its own.

    influences  from `metrics.units.expected_disorder_by_document`, for the same documents

    Raises MetricsError if a document with units has no expectation.
    """
    means, errors = np.zeros(counts.n_documents), np.zeros(counts.n_documents)
    takes_part = counts.weights > 0
    variance = 0.0
    if isinstance(expected, ExpectedDisorder):
        for n in np.unique(counts.n_annotators[takes_part]).tolist():
            sample, those = expected.sample(n), takes_part & (counts.n_annotators == n)
            means[those], errors[those] = sample.mean, sample.standard_error
            variance += (float(counts.weights[those].sum()) * sample.standard_error) ** 2
        chances, total = counts.weights * means, math.sqrt(variance)
        if influences is not None:
            return ExpectedRows(means, errors, chances + influences, total, noise=0.0)
        return ExpectedRows(means, errors, chances, total, noise=total)
    if len(expected) != counts.n_documents:
        raise MetricsError(
            f"{len(expected)} expected disorders for {counts.n_documents} documents: give one "
            "per document"
        )
    for d in np.flatnonzero(takes_part).tolist():
        own = expected[d]
        if own is None:
            raise MetricsError(
                f"document {d} has units but no expected disorder: sample chance for it"
            )
        sample = own.sample(int(counts.n_annotators[d]))
        means[d], errors[d] = sample.mean, sample.standard_error
    total = math.sqrt(float(((counts.weights * errors) ** 2).sum()))
    return ExpectedRows(means, errors, counts.weights * means, total, noise=total)


def expectations_with_value(expected: Expectation) -> list[ExpectedDisorder]:
    """Return the expectation of the corpus, or the expectations of the documents that have one."""
    if isinstance(expected, ExpectedDisorder):
        return [expected]
    return [own for own in expected if own is not None]
