"""M(k) as `subsets.modification_rate` returns it: rates, the counts behind them, estimates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...estimate import Estimate
from ...reason import Reason
from ...signature import Signature


@dataclass(frozen=True, slots=True)
class ModificationRate:
    """M(k) for Q subset sizes, N items, K categories. Counts are expected numbers of items.

    k                 int64 (Q,)
    rate              float64 (Q,) in [0, 1]: modified / compared, `nan` with a reason
    reasons           Q of them, None where the rate is defined
    weighted          float64 (Q,): the same with a change from a to b costing distances[a, b];
                      `nan` where no distances were given
    interval          float64 (Q, 2): bootstrap over documents, or items; `nan` where none asked.
                      The annotators are taken as they are: it does not cover a change of crew
    modified, compared  float64 (Q,): Σ over items of P(label changed), P(there is a label)
    abstained, empty  float64 (Q,): share, of the items with a reference label, of subsets that
                      tie and give none (`abstain` only), and that hold no label of the item
    vector_of         int64 (N,): which of the G distinct count vectors each item has
    vector_modified, vector_compared  float64 (Q, G): the terms of the sums, for one such item
    changes           float64 (Q, K, K): items whose reference a becomes b (row a, column b)
    n_items           N; n_unlabelled, n_unresolved, n_tied_reference: see `subsets`
    n_duplicates      labels left out because their annotator had labelled the item before
    """

    k: NDArray[np.int64]
    rate: NDArray[np.float64]
    reasons: tuple[Reason | None, ...]
    weighted: NDArray[np.float64]
    interval: NDArray[np.float64]
    level: float
    modified: NDArray[np.float64]
    compared: NDArray[np.float64]
    abstained: NDArray[np.float64]
    empty: NDArray[np.float64]
    vector_of: NDArray[np.int64]
    vector_modified: NDArray[np.float64]
    vector_compared: NDArray[np.float64]
    changes: NDArray[np.float64]
    tagset: tuple[str, ...]
    ties: str
    n_items: int
    n_annotators: int
    n_unlabelled: int
    n_unresolved: int
    n_tied_reference: int
    n_duplicates: int
    signature: Signature

    @property
    def item_modified(self) -> NDArray[np.float64]:
        """P(changed) of each item, float64 (Q, N)."""
        return self.vector_modified[:, self.vector_of]

    def item_rate(self) -> NDArray[np.float64]:
        """P(changed | compared) of each item, float64 (Q, N), `nan` where never compared."""
        return ratio(self.vector_modified, self.vector_compared)[:, self.vector_of]

    def category_rate(self) -> NDArray[np.float64]:
        """Rate among the items whose reference is each category, float64 (Q, K); `nan` if none."""
        compared = self.changes.sum(axis=2)
        kept = np.einsum("qaa->qa", self.changes)
        return ratio(compared - kept, compared)

    def fewest_annotators(self, target: float) -> int | None:
        """Smallest k from which the rate stays below `target`; None when it never does."""
        found = None
        for k, rate in sorted(zip(self.k.tolist(), self.rate.tolist(), strict=True), reverse=True):
            if not rate < target:
                break
            found = int(k)
        return found

    def estimates(self) -> tuple[Estimate, ...]:
        """One `modification_rate` per k, with `k` and the counts in `detail`."""
        return tuple(
            Estimate(
                "modification_rate",
                float(self.rate[q]),
                reason=self.reasons[q],
                interval=(float(self.interval[q, 0]), float(self.interval[q, 1])),
                level=self.level,
                n_items=self.n_items,
                n_annotators=self.n_annotators,
                signature=self.signature,
                detail={
                    "k": int(self.k[q]),
                    "modified": float(self.modified[q]),
                    "compared": float(self.compared[q]),
                    "abstained": float(self.abstained[q]),
                    "empty": float(self.empty[q]),
                    "n_unlabelled": self.n_unlabelled,
                    "n_unresolved": self.n_unresolved,
                    "n_tied_reference": self.n_tied_reference,
                    "n_duplicates": self.n_duplicates,
                },
            )
            for q in range(self.k.size)
        )


def ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """above / below, `nan` where below is 0."""
    return np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
