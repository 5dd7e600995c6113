"""Simulations that explain the coefficients: what they give when the annotators are known.

Two annotators draw their labels independently, given the true category of the item, from a table of
errors. The joint distribution of their labels is then exact, and so is each coefficient: no sample
is drawn. Bonnardel (1996) fixes sensitivity and specificity and moves the prevalence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.agreement.coefficients import specification
from metrics.agreement.counts import AgreementCounts, count
from metrics.agreement.groups import coefficient_values
from metrics.agreement.label_matrix import LabelMatrix
from metrics.agreement.sums import Sums
from metrics.errors import MetricsError

Floats = NDArray[np.float64]

EXPLAINED = ("percent_agreement", "bennett_s", "scott_pi", "cohen_kappa", "krippendorff_alpha")
MEASURES = (*EXPLAINED, "gwet_ac1", "aickin_alpha")
SHARES = tuple(share / 20 for share in range(1, 20))
MANY_ITEMS = 1e12  # so many that α's correction for small samples is nothing


@dataclass(frozen=True, slots=True)
class Curve:
    """Values of M measures at P points: what is moved, where (P,), and the values (P, M)."""

    moved: str
    points: Floats
    measures: tuple[str, ...]
    values: Floats

    def of(self, measure: str) -> Floats:
        """The values (P,) of one measure."""
        return self.values[:, self.measures.index(measure)]


def exact_values(
    prevalence: Floats,
    errors: tuple[Floats, Floats],
    *,
    measures: Sequence[str] = MEASURES,
) -> Floats:
    """The coefficients (M,) of two annotators on infinitely many items; nan where undefined.

    prevalence (K,): shares of the true categories;  errors: two tables (K, K), row t the
    distribution of labels an annotator gives to an item of category t.
    """
    first, second = (np.asarray(table, dtype=np.float64) for table in errors)
    true = np.asarray(prevalence, dtype=np.float64)
    for table in (true, first, second):
        if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1):
            raise MetricsError("prevalence and each row of the errors must sum to 1")
    joint = np.einsum("t,tc,tk->ck", true, first, second)
    both = (joint + joint.T) / 2
    n = MANY_ITEMS
    marginals = np.stack([joint.sum(axis=1), joint.sum(axis=0)])
    sums = Sums(
        n_paired=np.array([n]),
        n_labelled=np.array([n]),
        observed=n * both[None],
        coincidences=2 * n * both[None],
        shares=n * marginals.mean(axis=0)[None],
        marginals=n * marginals[None],
        complete=n * marginals[None],
        n_complete=np.array([n]),
        n_unanimous=np.array([n * np.trace(joint)]),
    )
    specs = [specification(measure) for measure in measures]
    names = [str(k) for k in range(true.shape[0])]
    return coefficient_values(specs, sums, "nominal", names)[0]


def bonnardel(
    prevalences: Sequence[float] | Floats,
    *,
    sensitivity: float = 0.9,
    specificity: float = 0.9,
    measures: Sequence[str] = MEASURES,
) -> Curve:
    """Two raters of fixed sensitivity and specificity while the condition gets rarer.

    At .9 and .9, κ is .64 at prevalence ½ and tends to 0 with the prevalence.
    """
    errors = np.array([[sensitivity, 1 - sensitivity], [1 - specificity, specificity]])
    rows = [
        exact_values(np.array([share, 1 - share]), (errors, errors), measures=measures)
        for share in prevalences
    ]
    points = np.asarray(prevalences, dtype=np.float64)
    return Curve("prevalence", points, tuple(measures), np.array(rows))


def number_of_categories(
    sizes: Sequence[int],
    *,
    accuracy: float = 0.9,
    measures: Sequence[str] = MEASURES,
) -> Curve:
    """Equally frequent categories, each annotator right with probability `accuracy`, else uniform
    among the other categories: what a larger tagset does by itself."""
    rows = []
    for size in sizes:
        if size < 2:
            raise MetricsError(f"a tagset needs two categories or more, found {size}")
        errors = even_errors(size, accuracy)
        rows.append(exact_values(np.full(size, 1 / size), (errors, errors), measures=measures))
    points = np.asarray(sizes, dtype=np.float64)
    return Curve("categories", points, tuple(measures), np.array(rows))


def even_errors(n_categories: int, accuracy: float) -> Floats:
    """The table (K, K) of an annotator right with probability `accuracy`, errors spread evenly."""
    off = (1 - accuracy) / (n_categories - 1) if n_categories > 1 else 0.0
    return np.full((n_categories, n_categories), off) + np.eye(n_categories) * (accuracy - off)


def prevalence_of_campaign(
    matrix: LabelMatrix,
    *,
    shares: Sequence[float] | Floats = SHARES,
    measures: Sequence[str] = MEASURES,
) -> Curve:
    """A campaign's own margins, moved: its most frequent category takes each of `shares`.

    The other categories keep their proportions among themselves, and the annotators keep the
    accuracy that explains the campaign's observed agreement (`accuracy_from_agreement`).
    """
    matrix.require_humans("The simulation of prevalence")
    counts = count(matrix)
    margins = _margins(counts)
    largest = int(margins.argmax())
    others = np.delete(margins, largest)
    if others.sum() == 0:
        raise MetricsError("one category used: there is no prevalence to move")
    errors = even_errors(margins.shape[0], accuracy_from_agreement(counts))
    rows = []
    for share in shares:
        moved = np.insert(others / others.sum() * (1 - share), largest, share)
        rows.append(exact_values(moved, (errors, errors), measures=measures))
    points = np.asarray(shares, dtype=np.float64)
    name = f"share of {matrix.tagset[largest]}"
    return Curve(name, points, tuple(measures), np.array(rows))


def accuracy_from_agreement(counts: AgreementCounts) -> float:
    """The accuracy q, the same for all, with q² + (1 − q)²/(K − 1) = p_o; at least 1/K.

    Two annotators agree when both are right, or both make the same of K − 1 equally likely errors.
    """
    from metrics.agreement.registry import from_counts

    n_categories = len(counts.tagset)
    observed = from_counts("percent_agreement", counts).value
    if math.isnan(observed):
        raise MetricsError("no item with two labels: there is no agreement to explain")
    k = float(n_categories)
    return (1 + math.sqrt(max(0.0, (k - 1) * (k * observed - 1)))) / k


def _margins(counts: AgreementCounts) -> Floats:
    labels = counts.marginals.sum(axis=(0, 1)).astype(np.float64)
    if labels.sum() == 0:
        raise MetricsError("the matrix has no label")
    return labels / labels.sum()
