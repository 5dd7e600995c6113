"""Decomposition of a value of a finished run by document.

Labels are counted again from the tables beside the report, and disorders of documents are read from
the results. Both are used only if they reproduce the reported value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...data.store.in_memory import TABLES_FOLDER, TablesOfReport
from ...data.store.store import Store
from ...metrics.agreement.coefficients import distance_name, resolve_set_distance
from ...metrics.agreement.distances import DISTANCES, Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.linearized_variance import influences_of_units
from ...metrics.agreement.resampling_units import (
    ResamplingUnits,
    point_values,
    resampling_units,
    values_without_each,
)
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.influence import Influences, ratio_influences
from ...metrics.measures import coefficient_of
from ...reports.portfolio.portfolio_results import Unpaired
from ...reports.results import ItemAgreement, UnitAgreement
from ..item_names import document_names
from ..layers import LayerSpec
from ..queues_of_rounds import cells_beside, without_cells
from ..stored_annotations import label_rows, matrix_of_rows

Floats = NDArray[np.float64]
_SAME = 1e-9  # tolerance for a recomputed value


class NotDecomposableError(Exception):
    """Raised if a value cannot be decomposed; `reason` says why."""

    def __init__(self, reason: Unpaired) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True)
class LabelDocuments:
    """A coefficient on labels; `names` of documents are in the order of the matrix's indices."""

    matrix: LabelMatrix
    names: tuple[str, ...]
    measure: str
    distance: Distance

    @cached_property
    def _groups(self) -> ResamplingUnits:
        return resampling_units(self.matrix, over="documents")

    def value(self) -> float:
        return float(point_values(self._groups, [coefficient_of(self.measure)], self.distance)[0])

    def without_each(self) -> Floats:
        specs = [coefficient_of(self.measure)]
        return values_without_each(self._groups, specs, self.distance)[:, 0]

    def only_shared_with(self, other: LabelDocuments) -> LabelDocuments:
        """Restrict to the documents of the other run or, for a single document, to its items.

        Raises NotCountedError if the labels of the two runs cannot be compared.
        """
        same_tagset = self.matrix.tagset == other.matrix.tagset
        distances = {distance_name(one.distance, one.matrix.tagset) for one in (self, other)}
        if len(distances) > 1 or not (same_tagset or isinstance(self.distance, str)):
            raise NotDecomposableError(Unpaired.OTHER_LABELS)
        names = [name for name in self.names if name in set(other.names)]
        found = self._of_documents(names)
        if len(names) != 1:
            return found
        if not same_tagset:
            raise NotDecomposableError(Unpaired.FEW_SHARED)
        items = set(other.matrix.items)
        common = np.array([one in items for one in found.matrix.items], dtype=np.bool_)
        return replace(found, matrix=found.matrix.select_items(common))

    def _of_documents(self, names: Sequence[str]) -> LabelDocuments:
        wanted = np.isin(np.array(self.names), np.array(names))
        assert self.matrix.documents is not None  # set in every matrix of a campaign
        part = self.matrix.select_items(wanted[self.matrix.documents])
        assert part.documents is not None
        numbers = np.unique(part.documents, return_inverse=True)[1]
        kept = tuple(name for name, one in zip(self.names, wanted, strict=True) if one)
        return replace(self, matrix=replace(part, documents=numbers), names=kept)

    def with_chance_of(self, later: LabelDocuments) -> LabelDocuments:  # noqa: ARG002  # of labels
        """Return the same: chance is that of the common documents themselves."""
        return self

    def influences(self) -> Influences:
        by_item = len(self.names) == 1
        spec = coefficient_of(self.measure)
        groups = resampling_units(
            self.matrix,
            over="items" if by_item else "documents",
            distinct=False,
        )
        [value], moved = influences_of_units(groups, [spec], self.distance)
        known = np.array(self.matrix.items if by_item else self.names)
        return Influences(float(value), known, np.nan_to_num(moved[:, 0]))


@dataclass(frozen=True)
class UnitDocuments:
    """γ by document: observed and expected disorder; `error` is the latter's standard error."""

    names: tuple[str, ...]
    totals: Floats
    chances: Floats
    weights: Floats
    error: float

    def value(self) -> float:
        return 1.0 - float(self.totals.sum() / self.chances.sum())

    def without_each(self) -> Floats:
        chances = self.chances.sum() - self.chances
        with np.errstate(invalid="ignore", divide="ignore"):
            found = 1.0 - (self.totals.sum() - self.totals) / chances
        return np.where(chances > 0, found, math.nan)

    def only_shared_with(self, other: UnitDocuments) -> UnitDocuments:
        common = sorted(set(self.names) & set(other.names))
        at = [self.names.index(name) for name in common]
        return UnitDocuments(
            tuple(self.names[d] for d in at),
            self.totals[at],
            self.chances[at],
            self.weights[at],
            self.error,
        )

    def with_chance_of(self, later: UnitDocuments) -> UnitDocuments:
        """Return the same documents, in the same order, with the later run's expected disorder.

        Chance is sampled from all documents of a run. With that of one run for both, documents
        whose annotations are identical have the same γ, whatever else the runs contain, and the
        error of sampling cancels.
        """
        expected = np.divide(
            later.chances, later.weights, out=np.zeros_like(later.chances), where=later.weights > 0
        )
        return replace(self, chances=self.weights * expected, error=0.0)

    def influences(self) -> Influences:
        noise = self.error * float(self.weights.sum())
        return ratio_influences(self.totals, self.chances, np.array(self.names), noise)


class Documents(Protocol):
    """Decomposition of a value by document; both runs of a comparison use the same class."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def value(self) -> float:
        """Recompute the value from all documents."""

    def without_each(self) -> Floats:
        """Return the value without each document, in the order of `names`; nan if undefined."""

    def only_shared_with(self, other: Any) -> Documents:
        """Restrict to the documents of the other run, in one order for both."""

    def with_chance_of(self, later: Any) -> Documents:
        """Return the same documents with the chance that is expected in the later run."""

    def influences(self) -> Influences:
        """Return the influence of each document or, for a single document, of each item."""


@dataclass(frozen=True)
class LabelsOfRun:
    """The labels of one layer of a run, and the documents of each of its values."""

    matrix: LabelMatrix
    names: tuple[str, ...]

    @classmethod
    def read(cls, store: Store, folder: str, layer: ItemAgreement) -> LabelsOfRun:
        """Read the labels of a layer. Raises NotCountedError."""
        spec = LayerSpec(
            layer.layer,
            "items",
            tuple(layer.tagset),
            tuple(layer.annotators),
            sets=bool(layer.labels),
        )
        for kind in ("items", "positions"):
            of_kind = replace(spec, kind=kind)
            try:
                rows = label_rows(store, TablesOfReport(folder), of_kind, spec.humans)
            except (DataError, KeyError):
                continue
            rows = without_cells(rows, cells_beside(store, f"{folder}/{TABLES_FOLDER}", spec.name))
            if rows.num_rows:
                matrix = matrix_of_rows(rows, of_kind, spec.humans, "human")
                names = tuple(document_names(matrix))
                return cls(matrix, names)
        raise NotDecomposableError(Unpaired.NO_TABLES)

    def documents_of(self, value: Estimate) -> LabelDocuments:
        """Return the documents of a value. Raises NotCountedError if they do not reproduce it."""
        name = value.how.distance or "nominal"
        if name.partition("/")[0] not in DISTANCES:
            raise NotDecomposableError(Unpaired.DECLARED_DISTANCE)
        try:
            distance = resolve_set_distance(name, self.matrix)  # type: ignore[arg-type]  # checked above
            found = LabelDocuments(self.matrix, self.names, value.measure, distance)
            _require_same(found, value, Unpaired.OTHER_VALUE)
        except MetricsError:
            raise NotDecomposableError(Unpaired.OTHER_VALUE) from None
        return found


def unit_documents(layer: UnitAgreement, value: Estimate) -> UnitDocuments:
    """Return the documents of γ. Raises NotCountedError unless the results contain all of them."""
    if value.measure != "gamma":
        raise NotDecomposableError(Unpaired.NO_COUNTS)
    kept = [one for one in layer.per_document if math.isfinite(one.value.observed)]
    weights = np.array([one.value.n_items / one.value.n_annotators for one in kept])
    found = UnitDocuments(
        tuple(one.name for one in kept),
        weights * np.array([one.value.observed for one in kept]),
        weights * np.array([one.value.expected for one in kept]),
        weights,
        value.detail.expected_standard_error,
    )
    _require_same(found, value, Unpaired.NOT_ALL_DOCUMENTS)
    return found


def _require_same(found: Documents, value: Estimate, otherwise: Unpaired) -> None:
    if not found.names or not math.isclose(found.value(), value.value, abs_tol=_SAME):
        raise NotDecomposableError(otherwise)
