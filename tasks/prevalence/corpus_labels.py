"""Labels for estimates of a corpus: of each system on all items, of humans on an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.arrays import Flags, Floats, Ints, Ints32
from ...metrics.errors import MetricsError
from ...metrics.prevalence.prevalence_options import Target
from ...metrics.references.votes import majority
from ..inputs.scales import is_finite_number
from ..layers import LayerSpec


def with_scale(layer: LayerSpec) -> bool:
    """Return whether the categories are the values of a scale."""
    return layer.ordered or all(map(is_finite_number, layer.tagset))


@dataclass(frozen=True)
class CorpusLabels:
    """Labels of N items.

    tagset      K categories, in the order of the scale if there is one
    systems     system → int (N,): index of its label, -1 without
    human       int (N,): index of the label that the estimates aim at, -1 if not audited
    values      float64 (K,): values of the categories, for their mean; None if they have none
    human_mean  float64 (N,): mean value of the humans' labels, nan if not audited
    documents   int (N,): index of the item's document, or None
    annotators  humans of the audit
    target      annotator (one label an item), majority or dawid_skene
    n_unresolved  audited items without a label by that rule
    """

    tagset: tuple[str, ...]
    systems: dict[str, Ints]
    human: Ints
    values: Floats | None
    human_mean: Floats
    documents: Ints | None
    annotators: tuple[str, ...]
    target: str
    n_unresolved: int

    @property
    def n_items(self) -> int:
        return len(self.human)

    @property
    def is_whole(self) -> bool:
        """Whether humans labelled every item, so that nothing is estimated."""
        return bool((self.human >= 0).all())

    def select_items(self, chosen: Flags) -> CorpusLabels:
        """Return the labels of some items; chosen: bool (N,)."""
        return replace(
            self,
            systems={name: codes[chosen] for name, codes in self.systems.items()},
            human=self.human[chosen],
            human_mean=self.human_mean[chosen],
            documents=None if self.documents is None else self.documents[chosen],
        )

    def system_values(self, system: str) -> Floats:
        """Return float64 (N,): values of the system's labels, nan without."""
        return _values_of(self.systems[system], self._known_values())

    def _known_values(self) -> Floats:
        if self.values is None:
            raise MetricsError(
                "the labels have no mean: they are not all numbers, and no order of the "
                "categories is given (tagset)"
            )
        return self.values


def corpus_labels(
    matrix: LabelMatrix,
    systems: Sequence[str],
    target: Target = "majority",
    *,
    ordered: bool = False,
    drawn: Flags | None = None,
) -> CorpusLabels:
    """Separate the labels of the systems from those of the humans.

    matrix   labels of humans (role human) and systems
    ordered  whether the tagset is a scale; its values are then the numbers, else 1..K
    drawn    bool (N,): items that a recorded draw selected; labels of other items are not used

    Raises MetricsError if no human labels an item.
    """
    humans = [a for a, role in enumerate(matrix.roles) if role == HUMAN]
    given = matrix.codes[:, humans]
    if drawn is not None:
        given = np.where(drawn[:, None], given, np.int32(-1))
    is_audited = np.asarray((given >= 0).any(axis=1))
    if not is_audited.any():
        raise MetricsError("no item of the audit is labelled by a human")
    audit = replace(matrix.select_annotators(humans), codes=given).select_items(is_audited)
    reference = _reference(audit, target)
    human = np.full(matrix.n_items, -1, dtype=np.int64)
    human[is_audited] = reference
    values = _values(matrix.tagset, ordered=ordered)
    human_mean = np.full(matrix.n_items, np.nan)
    if values is not None:
        of_labels = _values_of(audit.codes, values)
        human_mean[is_audited] = np.nanmean(of_labels, axis=1)
    several = bool((audit.n_labels > 1).any())
    return CorpusLabels(
        tagset=matrix.tagset,
        systems={
            name: matrix.codes[:, matrix.annotators.index(name)].astype(np.int64)
            for name in systems
        },
        human=human,
        values=values,
        human_mean=human_mean,
        documents=matrix.documents,
        annotators=tuple(
            name
            for name, column in zip(audit.annotators, audit.codes.T, strict=True)
            if (column >= 0).any()
        ),
        target=target if several else "annotator",
        n_unresolved=int((reference < 0).sum()),
    )


def _reference(audit: LabelMatrix, target: Target) -> Ints:
    if audit.n_annotators == 1:
        return audit.codes[:, 0].astype(np.int64)
    if target == "dawid_skene":
        from ...metrics.references.label_models.dawid_skene import dawid_skene  # imports Numba

        made = dawid_skene(audit).reference
    else:
        made = majority(audit)
    return made.codes.astype(np.int64)


def has_mean(tagset: Sequence[str], *, ordered: bool) -> bool:
    """Return whether categories have values: numbers, or ranks on a scale."""
    return _values(tagset, ordered=ordered) is not None


def _values(tagset: Sequence[str], *, ordered: bool) -> Floats | None:
    try:
        found = np.array([float(one) for one in tagset])
    except ValueError:
        return np.arange(1.0, len(tagset) + 1) if ordered else None
    return found if np.isfinite(found).all() else None


def _values_of(codes: Ints | Ints32, values: Floats) -> Floats:
    return np.where(codes >= 0, values[codes], np.nan)
