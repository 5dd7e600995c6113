"""What the tables of a release are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...reports.results.release import ReleaseMetadata
from ..layers import LayerSpec
from ..references.reference_settings import ReferenceSettings
from .pseudonyms import Pseudonyms


@dataclass(frozen=True)
class ReleaseSpec:
    """Sources of the tables.

    keys        keys of the shards
    relations   layer of relations in the store → its name in the report
    references  (layer, rule, place in the store) of each reference that the run built
    settings    settings of these references; None if none was built
    """

    keys: Sequence[str]
    layers: Sequence[LayerSpec]
    relations: Mapping[str, str]
    humans: Sequence[str]
    references: Sequence[tuple[str, str, str]]
    settings: ReferenceSettings | None
    metadata: ReleaseMetadata
    pseudonyms: Pseudonyms
    is_private: bool
