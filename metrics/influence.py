"""Changes of a value, paired over documents by the influence of each document.

The influence of a document on a value is the derivative of the value with respect to the document's
weight. Values computed from the same documents are correlated. For a combination Σ c_j θ_j of
values, the influences combine in the same way, Σ c_j I_j(d), and are 0 for a document that a value
does not use. The sum of their squares is the variance (infinitesimal jackknife, Efron 1982). This
one rule compares a campaign with itself without an annotator, and two runs that share all, some or
none of their documents. Documents that did not change between two runs contribute only by the
change of their weight.

Agreement on labels and agreement on units both use this module.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats
from .intervals.interval import Interval, symmetric_interval

FEWEST_DOCUMENTS = 5  # documents that affect a value; with fewer, the variance is unreliable
_NONE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Influences:
    """A value with the influences of its documents.

    documents    names or numbers (D,)
    by_document  float64 (D,): influences, whose sum is about 0
    noise        additional standard error from sampled chance
    """

    value: float
    documents: NDArray[np.generic]
    by_document: Floats
    noise: float = 0.0


@dataclass(frozen=True, slots=True)
class Change:
    """A combination of values, such as a difference, which `n_documents` documents affect."""

    value: float
    standard_error: float
    n_documents: int

    @property
    def is_known(self) -> bool:
        """Whether enough documents affect it to estimate its uncertainty."""
        return self.n_documents >= FEWEST_DOCUMENTS and math.isfinite(self.value)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return value ± t · standard error; (nan, nan) if too few documents affect the value."""
        settings = Interval(
            level=level,
            method="jackknife",
            over="documents",
            n_units=self.n_documents,
            standard_error=self.standard_error,
        )
        df = max(1, self.n_documents - 1)
        return symmetric_interval(settings, self.value, df=df, fewest=FEWEST_DOCUMENTS).bounds

    def p_value_of_fall(self) -> float:
        """One-sided p-value of a fall of the value; 1 if its uncertainty is not known."""
        if not self.is_known or self.standard_error == 0:
            return 1.0
        from scipy.special import stdtr

        return float(stdtr(self.n_documents - 1, self.value / self.standard_error))


def combine_influences(values: Sequence[Influences], weights: Sequence[float]) -> Change:
    """Return Σ weights · values with its standard error, paired over the documents in common."""
    value = sum(w * one.value for w, one in zip(weights, values, strict=True))
    names, place = np.unique(np.concatenate([one.documents for one in values]), return_inverse=True)
    moved = np.concatenate([w * one.by_document for w, one in zip(weights, values, strict=True)])
    joint = np.bincount(place, weights=moved, minlength=names.size)
    n = int((np.abs(joint) > _NONE).sum())
    variance = float((joint**2).sum()) * (n / (n - 1) if n > 1 else 1.0)
    variance += sum((w * one.noise) ** 2 for w, one in zip(weights, values, strict=True))
    return Change(float(value), math.sqrt(variance), n)


def ratio_influences(
    totals: Floats,
    chances: Floats,
    documents: NDArray[np.generic],
    noise: float,
) -> Influences:
    """Influences on 1 − Σ totals / Σ chances, (D,) each; `noise`: standard error of Σ chances."""
    chance = float(chances.sum())
    if not chance > 0:
        return Influences(math.nan, documents[:0], np.empty(0))
    ratio = float(totals.sum()) / chance
    by_document = (ratio * chances - totals) / chance
    return Influences(1.0 - ratio, documents, by_document, noise * ratio / chance)
