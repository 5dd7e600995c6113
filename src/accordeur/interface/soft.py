"""Disagreement as signal: distributions of labels, groups of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..metrics.options import Sampling, SoftRule
from .exports import as_export
from .frames import Column, Frame, Kind, frame_of
from .labels import label_columns

if TYPE_CHECKING:
    from ..metrics.reference.soft_labels import SoftLabels as Distributions
    from ..reports.results import SoftReference


class SoftLabels:
    """A distribution of labels for each item; ``to_frame`` has a column for each category.

    Attributes
    ----------
    log_loss, interval
        Mean −ln of the probability of the labels of annotators who were left out, with its interval
        over documents or items.
    baseline
        The log-loss of the shares of all labels, the same for every item.
    calibration_error
        Mean distance between predicted and observed shares.
    warnings
        Sentences; one says so where the model of Dawid & Skene does not fit.
    """

    def __init__(
        self, soft: Distributions, summary: SoftReference, warnings: list[str], kind: Kind
    ) -> None:
        self._soft, self._summary, self._kind = soft, summary, kind
        self.rule: str = soft.rule
        self.tagset: tuple[str, ...] = soft.tagset
        self.log_loss: float = summary.log_loss
        self.interval: tuple[float, float] = summary.interval
        self.baseline: float = summary.baseline
        self.calibration_error: float = summary.calibration_error
        self.warnings = warnings

    def to_frame(self, kind: Kind | None = None) -> Any:
        """One row per item: ``document``, ``item``, ``n_labels`` and a column for each category."""
        from ..tasks.references.soft import soft_table

        return frame_of(soft_table(self._soft).to_pydict(), kind or self._kind)

    @property
    def reliability(self) -> Any:
        """By predicted probability: how often labels were expected with it, and given."""
        rows = [one.model_dump() for one in self._summary.bins]
        columns = ("lower", "upper", "n", "predicted", "observed")
        return frame_of({name: [row[name] for row in rows] for name in columns}, self._kind)

    def write(self, path: str | Path) -> None:
        """Write a ``.parquet`` table or ``.jsonl`` lines. Raises DataError for another suffix."""
        from ..tasks.references.soft import write_soft

        write_soft(self._soft, Path(path))

    def __repr__(self) -> str:
        low, high = self.interval
        lines = [
            f"{self._summary.n_items} distributions over {', '.join(self.tagset)} ({self.rule})",
            f"log-loss on annotators left out: {self.log_loss:.3f} [{low:.3f}, {high:.3f}]",
            f"log-loss of the shares of all labels: {self.baseline:.3f}",
            f"calibration error: {self.calibration_error:.3f}",
        ]
        return "\n".join([*lines, *(f"warning: {one}" for one in self.warnings)])


def soft_labels(
    data: Frame,
    *,
    rule: SoftRule = "votes",
    item: Column = "item",
    annotator: Column = "annotator",
    label: Column = "label",
    document: Column | None = None,
    order: Sequence[Any] = (),
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> SoftLabels:
    """A distribution over the categories for each item, and how well it predicts an annotator.

    ``data`` and its columns, ``order``, ``confidence``, ``replicates`` and ``seed`` are as for
    :func:`agreement`.

    Parameters
    ----------
    rule
        ``votes``: the shares of the item's labels; ``dirichlet``: these, shrunk to the shares of
        all items; ``dawid_skene``: the posterior of its one true category.

    Raises
    ------
    DataError
        One annotator only.
    MetricsError
        Another rule.
    """
    from ..reports.warnings import english
    from ..tasks.references.soft import soft_labels_of_export

    columns, kind = label_columns(data, item, annotator, label, document)
    sampling = Sampling(replicates, confidence, seed)
    with as_export(columns) as (path, reading):
        soft, summary, warnings = soft_labels_of_export(path, reading(order), rule, sampling)
    return SoftLabels(soft, summary, [english(one) for one in warnings], kind)
