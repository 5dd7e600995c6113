"""What validation found in a whole campaign, added up over its shards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....data.readers.common.layers import holds_tokens_only
from ..file.config import Config
from ..file.declared import roles_of


@dataclass(frozen=True, slots=True)
class Found:
    """What validation found in the whole campaign: sums over shards."""

    unit_layers: dict[str, dict[str, int]]
    label_layers: dict[str, dict[str, int]]
    unit_length: dict[str, int]
    taking_part: dict[str, dict[str, int]]
    roles: dict[str, str]
    relation_layers: dict[str, dict[str, int]] = field(default_factory=dict)
    relating: dict[str, dict[str, int]] = field(default_factory=dict)


def found_in(config: Config, shards: Sequence[Mapping[str, Any]]) -> Found:
    """Sums over the shards' summaries.

    Raises ConfigError when somebody has two roles, RoleError when a system is declared human.
    """
    roles: dict[str, set[str]] = {}
    for shard in shards:
        for name, of_name in shard["roles"].items():
            roles.setdefault(name, set()).update(of_name)
    declared = {who.pseudonym or name: who.role for name, who in config.annotators.items()}
    return Found(
        {
            layer: counts
            for layer, counts in _added(shard["unit_layers"] for shard in shards).items()
            if layer in config.layers or not holds_tokens_only(layer, counts)
        },
        _added(shard["label_layers"] for shard in shards),
        _added_counts(shard["unit_length"] for shard in shards),
        _added(shard["taking_part"] for shard in shards),
        roles_of(roles, declared),
        _added(shard.get("relation_layers", {}) for shard in shards),
        _added(shard.get("relating", {}) for shard in shards),
    )


def _added(parts: Any) -> dict[str, dict[str, int]]:
    total: dict[str, dict[str, int]] = {}
    for part in parts:
        for layer, counts in part.items():
            total[layer] = _added_counts([total.get(layer, {}), counts])
    return dict(sorted(total.items()))


def _added_counts(parts: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, n in part.items():
            total[name] = total.get(name, 0) + n
    return dict(sorted(total.items()))
