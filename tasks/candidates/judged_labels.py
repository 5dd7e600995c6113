"""The labels of humans, systems that judge, and a reference, of exports or of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...data.errors import DataError
from ...data.option_names import option
from ...data.schema import Role
from ...metrics.agreement.distances import Distance, category_values
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.agreement.rating_pairs import MOST_VALUES
from ...metrics.arrays import Floats, Ints
from ...metrics.item_name import place_of_item
from ...metrics.options import Sampling
from ...metrics.references.votes import majority
from ..inputs.assessment_options import JudgeSettings
from ..inputs.item_numbers import ItemNumbers, read_item_numbers
from ..inputs.measure_names import NOMINAL_CANDIDATES, ORDERED_CANDIDATES
from ..layers import LayerSpec
from ..scores.evaluation import Presence

MAJORITY, PANEL = "majority", "panel"
FEWEST_OF_PANEL = 3
FEWEST_RATINGS = 3  # different numbers; two are categories


def annotators_of(layer: LayerSpec) -> tuple[str, ...]:
    """Return whose labels are compared: humans, systems and references."""
    return (*layer.humans_and_systems, *layer.references)


def read_confidence(path: Path) -> dict[str, dict[tuple[str, str], float]]:
    """Read the stated confidence by system, "" for all; errors as of `read_item_numbers`."""
    return read_item_numbers(path, "confidence", what="confidence", skip_empty=True)


@dataclass(frozen=True)
class LabelsToJudge:
    """The labels of a layer and how they were read.

    everyone   labels of the annotators of `annotators_of`
    measured   labels of the humans that agreement is computed on; None with fewer than two
    presence   of each system in the documents
    later      of `later_labels`
    batches    of `batches_of_documents`
    lengths    of the items; {}: unknown
    confidence  system, "" for all → stated confidence by (document, item)
    slices     text of a column by (document, item); {}: no slices
    reading    how the layer was read, for the signatures
    names_documents  whether the documents have names; else the file is the only one
    """

    layer: LayerSpec
    everyone: LabelMatrix
    measured: LabelMatrix | None
    presence: dict[str, Presence]
    later: pa.Table
    batches: Mapping[str, str]
    lengths: ItemNumbers = field(default_factory=dict)
    confidence: Mapping[str, ItemNumbers] = field(default_factory=dict)
    slices: Mapping[tuple[str, str], str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)
    names_documents: bool = True


@dataclass(frozen=True)
class JudgedLabels:
    """The labels of humans, systems and a reference on the same items.

    systems    with the panel, if it is judged
    matrix     of the humans and the systems, with their roles
    reference  int (N,): index of the label in the tagset, -1 where there is none
    presence   of each system in the documents
    """

    given: LabelsToJudge
    systems: tuple[str, ...]
    matrix: LabelMatrix
    reference: Ints
    reference_name: str
    presence: dict[str, Presence]
    distance: Distance
    options: JudgeSettings
    sampling: Sampling

    @classmethod
    def of(
        cls, given: LabelsToJudge, distance: Distance, options: JudgeSettings, sampling: Sampling
    ) -> JudgedLabels:
        """Choose the reference, and add the panel if it is judged.

        Raises DataError for an unknown reference, and for a panel of fewer than three.
        """
        layer, everyone = given.layer, given.everyone
        chosen = chosen_reference(layer, options)
        n = len(layer.humans)
        if chosen == MAJORITY:
            reference = majority(everyone.select_annotators(range(n))).codes.astype(np.int64)
        else:
            column = everyone.annotators.index(chosen)
            reference = everyone.codes[:, column].astype(np.int64)
        of_both = everyone.select_annotators(range(n + len(layer.systems)))
        roles = (HUMAN,) * n + (Role.SYSTEM.value,) * len(layer.systems)
        matrix, presence, systems = replace(of_both, roles=roles), given.presence, layer.systems
        if options.panel:
            matrix, presence = _with_panel(matrix, presence, systems)
            systems = (*systems, PANEL)
        return cls(given, systems, matrix, reference, chosen, presence, distance, options, sampling)

    @property
    def layer(self) -> LayerSpec:
        """The layer, with the panel among its systems."""
        return replace(self.given.layer, systems=self.systems)

    @property
    def measures(self) -> tuple[str, ...]:
        """The coefficients of humans and candidates."""
        return candidate_measures(self.distance)

    @property
    def resampled(self) -> LabelMatrix:
        """The matrix with the documents that have names; else the file is the only one."""
        return self.matrix if self.given.names_documents else replace(self.matrix, documents=None)

    @property
    def n_unlabelled_by_humans(self) -> int:
        humans = self.matrix.codes[:, : len(self.layer.humans)]
        return int((humans < 0).all(axis=1).sum())

    def codes(self, system: str) -> Ints:
        column = self.matrix.annotators.index(system)
        return self.matrix.codes[:, column].astype(np.int64)

    def document_and_item(self, item: int) -> tuple[str, str]:
        """Return the names of document and item; the document is "" if the file is the only one."""
        document, name = place_of_item(self.matrix.items[item])
        return (document if self.given.names_documents else ""), name


def candidate_measures(distance: Distance) -> tuple[str, ...]:
    """Return the coefficients of labels with this distance."""
    is_nominal = isinstance(distance, str) and distance == "nominal"
    return NOMINAL_CANDIDATES if is_nominal else ORDERED_CANDIDATES


def rating_values(tagset: Sequence[str]) -> Floats | None:
    """Return the numbers of the categories; None if they are no ratings, or too many."""
    is_scale = FEWEST_RATINGS <= len(tagset) <= MOST_VALUES
    return category_values(tagset) if is_scale else None


def chosen_reference(layer: LayerSpec, options: JudgeSettings) -> str:
    """Return the reference: the one named, else the only one with the role, else the majority.

    The majority of one human is that human. Raises DataError for an unknown reference, and for a
    panel of fewer than three.
    """
    if options.panel:
        _require_panel(layer)
    wanted = options.reference
    if wanted is None and len(layer.references) == 1:
        return layer.references[0]
    if wanted in (None, MAJORITY):
        return layer.humans[0] if len(layer.humans) == 1 else MAJORITY
    known = (*layer.references, *layer.humans)
    if wanted not in known:
        raise DataError(
            f"{option('reference', wanted)}: no label of {wanted!r}; give {MAJORITY} or one of "
            f"{', '.join(known)}"
        )
    return wanted


def _require_panel(layer: LayerSpec) -> None:
    if (n := len(layer.systems)) < FEWEST_OF_PANEL:
        raise DataError(
            f"{option('panel')} is the majority of three or more systems, and there are {n}"
        )
    if PANEL in annotators_of(layer):
        raise DataError(f"{option('panel')}: an annotator already has the name {PANEL}")


def _with_panel(
    matrix: LabelMatrix, presence: dict[str, Presence], systems: Sequence[str]
) -> tuple[LabelMatrix, dict[str, Presence]]:
    """Add the majority of the systems as one more system."""
    columns = [matrix.annotators.index(one) for one in systems]
    votes = replace(matrix.select_annotators(columns), roles=())
    codes = np.column_stack([matrix.codes, majority(votes).codes])
    present = frozenset[str]().union(*(presence[one].present for one in systems))
    extended = replace(
        matrix,
        codes=codes.astype(np.int32),
        annotators=(*matrix.annotators, PANEL),
        roles=(*matrix.roles, Role.SYSTEM.value),
    )
    return extended, {**presence, PANEL: Presence(present)}
