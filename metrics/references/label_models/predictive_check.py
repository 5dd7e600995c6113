"""Posterior predictive check of conditional independence in the model of Dawid & Skene.

The model assumes that annotators err independently, given an item's class. Labels are drawn from
the fitted model for the same annotators and items, the model is fitted to them again, and two
discrepancies are compared with the discrepancies of the original labels:

| discrepancy | large if |
|---|---|
| pairs | pairs agree more or less often than their error rates imply: copying, shared criteria |
| items | disagreement varies between items more, or less, than in the model: difficulty |

p-values are the shares of draws with at least this discrepancy; the smaller one is doubled. The
power and the false positive rate of the check are in `benchmarks/results/disagreement.md`.

Sources: Gelman, Meng & Stern 1996; for agreement of pairs Qu, Tan & Kutner 1996.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Flags, Floats, Ints
from ..label_list import LabelList
from ..votes import item_disagreement
from .dawid_skene import dawid_skene
from .model_reference import ModelReference

MOST_ITEMS = 2000  # items in the check; larger campaigns are sampled
MOST_PAIRED = 40  # annotators in pairs, the ones with the most labels
LEVEL = 0.05
_ROUNDS, _TOLERANCE = 50, 1e-5


@dataclass(frozen=True, slots=True)
class PredictiveCheck:
    """Result of the check. p_pairs, p_items: p-value of each discrepancy; p_value: of both.

    fails  whether the p-value is below `LEVEL`, so that the posteriors are overconfident
    worst  "pairs" or "items", the discrepancy with the smaller p-value
    """

    p_pairs: float
    p_items: float
    n_draws: int
    n_items: int

    @property
    def p_value(self) -> float:
        return min(1.0, 2 * min(self.p_pairs, self.p_items))

    @property
    def fails(self) -> bool:
        return self.p_value < LEVEL

    @property
    def worst_discrepancy(self) -> Literal["pairs", "items"]:
        return "pairs" if self.p_pairs < self.p_items else "items"


def predictive_check(matrix: LabelMatrix, *, n_draws: int = 99, seed: int = 0) -> PredictiveCheck:
    """Check the independence of annotators given an item's class.

    With two annotators the model can fit any agreement of the pair, with three nearly so: the check
    then has little power. Raises as `dawid_skene`.
    """
    rng = np.random.default_rng([seed, 2])
    if matrix.n_items > MOST_ITEMS:
        kept = np.zeros(matrix.n_items, dtype=bool)
        kept[rng.choice(matrix.n_items, MOST_ITEMS, replace=False)] = True
        matrix = matrix.select_items(kept)
    labels = LabelList.from_labels(matrix, rule="dawid_skene")
    pairs = _Pairs.of(labels)
    model = _fit_model(labels)
    answers = _response_probabilities(model)
    observed = _discrepancies(labels, model, pairs)
    drawn = []
    for _ in range(n_draws):
        classes = rng.choice(len(model.prevalence), size=labels.n_items, p=model.prevalence)
        cumulated = answers[labels.annotators, classes[labels.items]].cumsum(axis=1)
        codes = (rng.random((len(labels), 1)) > cumulated[:, :-1]).sum(axis=1)
        replicate = replace(labels, codes=codes)
        drawn.append(_discrepancies(replicate, _fit_model(replicate), pairs))
    of_pairs, of_items = np.array(drawn).T
    above = _p_value(of_items >= observed[1])
    return PredictiveCheck(
        p_pairs=_p_value(of_pairs >= observed[0]),
        p_items=min(1.0, 2 * min(above, _p_value(of_items <= observed[1]))),
        n_draws=n_draws,
        n_items=labels.n_items,
    )


def _p_value(beyond: Flags) -> float:
    return (1 + int(beyond.sum())) / (1 + beyond.size)


def _fit_model(labels: LabelList) -> ModelReference:
    return dawid_skene(labels, max_rounds=_ROUNDS, tolerance=_TOLERANCE)


def _response_probabilities(model: ModelReference) -> Floats:
    """P(annotator gives l | class k), (A, K, K); uniform without data."""
    found = model.consensuality
    return np.where(np.isnan(found), 1 / found.shape[2], found)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Labels of two annotators on one item: `first` and `second` (R,) index labels, `cell` pairs.

    annotators  (C, 2): the annotators of each pair
    """

    first: Ints
    second: Ints
    cell: Ints
    annotators: NDArray[np.intp]

    @classmethod
    def of(cls, labels: LabelList) -> _Pairs:
        """Return the pairs of the annotators with the most labels."""
        n_labels = np.bincount(labels.annotators, minlength=len(labels.annotator_names))
        chosen = np.argsort(-n_labels, kind="stable")[:MOST_PAIRED]
        column = np.full(n_labels.size, -1)
        column[chosen] = np.arange(chosen.size)
        at = np.flatnonzero(column[labels.annotators] >= 0)
        label_of = np.full((labels.n_items, chosen.size), -1)
        label_of[labels.items[at], column[labels.annotators[at]]] = at
        one, other = np.triu_indices(chosen.size, 1)
        first, second = label_of[:, one], label_of[:, other]
        items, cell = np.nonzero((first >= 0) & (second >= 0))
        pairs = np.stack([chosen[one], chosen[other]], axis=1)
        return cls(first[items, cell], second[items, cell], cell, pairs)


def _discrepancies(labels: LabelList, model: ModelReference, pairs: _Pairs) -> tuple[float, float]:
    """Σ over pairs (agreements − expected)² / variance; variance of the items' disagreement."""
    alike = labels.codes[pairs.first] == labels.codes[pairs.second]
    n_cells = len(pairs.annotators)
    n = np.bincount(pairs.cell, minlength=n_cells)
    agreed = np.bincount(pairs.cell, weights=alike, minlength=n_cells)
    answers = _response_probabilities(model)
    one, other = answers[pairs.annotators[:, 0]], answers[pairs.annotators[:, 1]]
    expected = ((one * other).sum(axis=2) * model.prevalence).sum(axis=1)
    variance = np.maximum(n * expected * (1 - expected), 1e-9)
    of_pairs = ((agreed - n * expected) ** 2 / variance)[n > 0].sum()
    width = len(labels.tagset)
    cells = np.bincount(labels.items * width + labels.codes, minlength=labels.n_items * width)
    disagreement = item_disagreement(cells.reshape(labels.n_items, width))
    disagreement = disagreement[~np.isnan(disagreement)]
    return float(of_pairs), float(disagreement.var()) if disagreement.size else 0.0
