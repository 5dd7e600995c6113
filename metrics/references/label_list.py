"""Labels as three flat arrays, the input of the probabilistic models.

With many annotators and few labels each, one entry per label is smaller than a mostly empty matrix.
An annotator may label an item several times (as Dawid & Skene's first observer did).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints
from ..errors import MetricsError
from .label_reference import require_humans


@dataclass(frozen=True, slots=True)
class LabelList:
    """R labels, in any order.

    items, annotators, codes  integers (R,): indices into N items, A annotators, K categories
    """

    items: Ints
    annotators: Ints
    codes: Ints
    n_items: int
    annotator_names: tuple[str, ...]
    tagset: tuple[str, ...]
    item_names: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        limits = {
            "items": self.n_items,
            "annotators": len(self.annotator_names),
            "codes": len(self.tagset),
        }
        for name, limit in limits.items():
            values = np.ascontiguousarray(getattr(self, name), dtype=np.int64)
            object.__setattr__(self, name, values)
            if values.ndim != 1 or values.size != np.size(self.items):
                raise MetricsError(f"{name} has shape {values.shape}; expected one entry per label")
            if values.size and (values.min() < 0 or values.max() >= limit):
                raise MetricsError(
                    f"{name} must lie in 0..{limit - 1}, found {values.min()}..{values.max()}"
                )

    def __len__(self) -> int:
        return int(self.codes.shape[0])

    @classmethod
    def from_labels(cls, labels: LabelMatrix | LabelList, *, rule: str) -> LabelList:
        """Build a list sorted by item, with humans' labels only; `rule` is named in errors."""
        if isinstance(labels, LabelMatrix):
            require_humans(labels.annotators, labels.roles, rule)
            items, annotators = np.nonzero(labels.codes >= 0)
            return cls(
                items,
                annotators,
                labels.codes[items, annotators].astype(np.int64),
                n_items=labels.n_items,
                annotator_names=labels.annotators,
                tagset=labels.tagset,
                item_names=tuple(labels.items),
            )
        require_humans(labels.annotator_names, labels.roles, rule)
        order = np.argsort(labels.items, kind="stable")
        return cls(
            labels.items[order],
            labels.annotators[order],
            labels.codes[order],
            n_items=labels.n_items,
            annotator_names=labels.annotator_names,
            tagset=labels.tagset,
            item_names=labels.item_names,
        )

    def select(self, kept: Flags) -> LabelList:
        """Return some of the labels, bool (R,), of the same items and annotators."""
        return replace(
            self,
            items=self.items[kept],
            annotators=self.annotators[kept],
            codes=self.codes[kept],
        )

    def vote_shares(self) -> Floats:
        """Share of each item's labels in each category, (N, K), the initial values of the models.

        Rows of items without a label are uniform.
        """
        width = len(self.tagset)
        counts = np.bincount(
            self.items * width + self.codes, minlength=self.n_items * width
        ).reshape(self.n_items, width)
        total = counts.sum(axis=1, keepdims=True)
        uniform = np.full(counts.shape, 1 / width)
        return np.divide(counts, total, out=uniform, where=total > 0)

    def has_label(self) -> Flags:
        """Whether each item has a label, (N,)."""
        return np.bincount(self.items, minlength=self.n_items) > 0


def thin_items(matrix: LabelMatrix, most: int) -> LabelMatrix:
    """Return every n-th item, so that about `most` labels are left; all items if there are fewer.

    For fits that are repeated, on many labels.
    """
    step = -(-int((matrix.codes >= 0).sum()) // most)
    return matrix.select_items(np.arange(matrix.n_items) % step == 0) if step > 1 else matrix
