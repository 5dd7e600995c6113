"""The labels of humans, systems that judge, and a reference, read from exports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...data.annotator_names import suggested_roles
from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.tables.annotators_as_columns import options_for_columns, require_no_columns
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.arrays import Ints
from ...metrics.item_name import place_of_item
from ...metrics.references.votes import majority
from ..inputs.assessment_options import JudgeOptions
from ..inputs.exported_labels import ExportedLabels, read_exported_labels
from ..inputs.reading_options import Reading
from ..intake.layer_contents import OF_SCORES
from ..layers import LayerSpec
from ..replacement.replacement_results import judged_systems
from ..scores.evaluation import Presence
from ..scores.sides_of_shard import presence_in_shard, presence_of_systems
from ..stored_annotations import label_rows, matrix_of_rows

MAJORITY, PANEL = "majority", "panel"


def read_judged_labels(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: JudgeOptions,
) -> JudgedLabels:
    """Read exports of labels with humans and systems; arguments and errors as `judge_exports`."""
    reading = _with_columns(paths, {*systems, *options.humans}, reading, options)
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    labels = read_exported_labels(paths, replace(reading, roles=roles))
    if labels.contents.holds_sets(OF_SCORES):
        raise DataError(
            "items have several labels: give each label a layer of its own, with yes or no for "
            "every item, and judge one layer at a time"
        )
    return JudgedLabels.of(labels, systems, reading, options)


@dataclass(frozen=True)
class JudgedLabels:
    """The labels of humans, systems and a reference on the same items.

    matrix     of the humans and the systems, with their roles
    reference  int (N,): index of the label in the tagset, -1 where there is none
    presence   of each system in the documents
    """

    labels: ExportedLabels
    layer: LayerSpec
    systems: tuple[str, ...]
    matrix: LabelMatrix
    reference: Ints
    reference_name: str
    presence: dict[str, Presence]
    distance: Distance
    options: JudgeOptions

    @classmethod
    def of(
        cls,
        labels: ExportedLabels,
        named: Sequence[str],
        reading: Reading,
        options: JudgeOptions,
    ) -> JudgedLabels:
        layer = LayerSpec.of(labels.contents, declared=reading.categories, roles=OF_SCORES)
        if not layer.humans:
            raise DataError(
                "every annotator is a system: a judge is checked against labels of humans"
            )
        systems = judged_systems(layer.humans, layer.systems, named, "judge")
        _require_humans(labels, layer, reading)
        layer = replace(layer, systems=tuple(systems))
        store, key = labels.shard.store, labels.shard.key
        references = layer.references
        chosen = _chosen_reference(options.reference, layer)
        names = (*layer.humans, *layer.systems, *references)
        rows = label_rows(store, key, layer, names)
        everyone = matrix_of_rows(rows, layer, names, HUMAN)
        n = len(layer.humans)
        people = everyone.select_annotators(range(n))
        if chosen == MAJORITY:
            reference = majority(people).codes.astype(np.int64)
        else:
            reference = everyone.codes[:, names.index(chosen)].astype(np.int64)
        judged = everyone.select_annotators(range(n + len(systems)))
        matrix = replace(judged, roles=(HUMAN,) * n + (Role.SYSTEM.value,) * len(systems))
        presence = presence_of_systems([presence_in_shard(store, key, layer, ())], layer)
        if options.panel:
            matrix, presence, systems = _with_panel(matrix, presence, systems)
            layer = replace(layer, systems=tuple(systems))
        distance = options.distance_between_categories(
            layer.tagset, tagset_is_declared=bool(reading.categories)
        )
        return cls(
            labels, layer, tuple(systems), matrix, reference, chosen, presence, distance, options
        )

    def of_documents(self, matrix: LabelMatrix) -> LabelMatrix:
        """Return a matrix whose documents are those with names; else the file is the only one."""
        return matrix if self.labels.names_documents else replace(matrix, documents=None)

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
        return (document if self.labels.names_documents else ""), name


def _with_columns(
    paths: Given | Sequence[Given], named: set[str], reading: Reading, options: JudgeOptions
) -> Reading:
    """Return the reading of a table whose columns are the humans and the judges, if it is one."""
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    if not options.humans:
        if len(given) == 1 and "layout" not in reading.options:
            require_no_columns(given[0], named, option("human"))
        return reading
    found = options_for_columns(given[0], named, reading.options) if len(given) == 1 else {}
    if not found:
        raise DataError(
            f"{option('human')}: {', '.join(options.humans)} must be columns of one table, beside "
            "those of the judges"
        )
    return replace(reading, options=found)


def _chosen_reference(wanted: str | None, layer: LayerSpec) -> str:
    """Return the reference: the one named, else the only one with the role, else the majority.

    The majority of one human is that human.
    """
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


def _with_panel(
    matrix: LabelMatrix, presence: dict[str, Presence], systems: Sequence[str]
) -> tuple[LabelMatrix, dict[str, Presence], list[str]]:
    """Add the majority of the systems as one more system. Raises DataError for fewer than three."""
    if len(systems) < 3 or PANEL in matrix.annotators:
        raise DataError(
            f"{option('panel')} is the majority of three or more systems, and there are "
            f"{len(systems)}"
            if len(systems) < 3
            else f"{option('panel')}: an annotator already has the name {PANEL}"
        )
    columns = [matrix.annotators.index(one) for one in systems]
    votes = replace(matrix.select_annotators(columns), roles=())
    codes = np.column_stack([matrix.codes, majority(votes).codes])
    present = frozenset[str]().union(*(presence[one].present for one in systems))
    return (
        replace(
            matrix,
            codes=codes.astype(np.int32),
            annotators=(*matrix.annotators, PANEL),
            roles=(*matrix.roles, Role.SYSTEM.value),
        ),
        {**presence, PANEL: Presence(present)},
        [*systems, PANEL],
    )


def _require_humans(labels: ExportedLabels, layer: LayerSpec, reading: Reading) -> None:
    """Raise DataError for a human with the name of a model, unless the role is declared."""
    undeclared = [name for name in layer.humans if name not in reading.roles]
    models = [name for name, role in suggested_roles(undeclared).items() if role == Role.SYSTEM]
    if models:
        raise DataError(
            f"{', '.join(models)} would count as human, and is named like a model: name it with "
            f"{option('judge')}, or declare it with {option('role', f'{models[0]}=human')}"
        )
