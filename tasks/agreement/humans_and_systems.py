"""The labels of the humans and systems of a layer, side by side with their roles."""

from __future__ import annotations

from dataclasses import replace

from ...data.schema import Role
from ...data.store.in_memory import Tables
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ..layers import LayerSpec
from ..stored_annotations import label_rows, matrix_of_rows


def labels_of_humans_and_systems(store: Tables, key: str, layer: LayerSpec) -> LabelMatrix:
    """Return the labels of the humans and systems of a layer in one shard, with their roles."""
    rows = label_rows(store, key, layer, layer.humans_and_systems)
    return with_roles(matrix_of_rows(rows, layer, layer.humans_and_systems, HUMAN), layer)


def with_roles(matrix: LabelMatrix, layer: LayerSpec) -> LabelMatrix:
    """Return the labels of the humans and systems of a layer, in this order, with their roles."""
    roles = (HUMAN,) * len(layer.humans) + (Role.SYSTEM.value,) * len(layer.systems)
    return replace(matrix, roles=roles)
