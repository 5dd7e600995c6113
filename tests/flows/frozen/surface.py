"""What users hold on to: options of the commands, keys of the TOML files and of results.json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from accordeur.flows.campaign.file.campaign_config import Config
from accordeur.flows.cli import app
from accordeur.flows.study.study_config import StudyConfig
from accordeur.reports.results import Results
from accordeur.reports.study.study_results import StudyResults

Surface = dict[str, list[str]]


def surface() -> Surface:
    found = {
        f"accordeur {name}": sorted(
            option for parameter in command.params for option in parameter.opts
        )
        for name, command in sorted(get_command(app).commands.items())  # type: ignore[attr-defined]
    }
    for name, model in (
        ("campaign.toml", Config),
        ("study.toml", StudyConfig),
        ("results.json", Results),
        ("results.json of a study", StudyResults),
    ):
        schema = model.model_json_schema()
        found[name] = sorted(set(_keys(schema, schema.get("$defs", {}), ())))
    return found


def _keys(node: Any, kinds: dict[str, Any], within: tuple[str, ...]) -> Iterator[str]:
    """Dotted keys below a part of a JSON schema; a kind inside itself is not opened again."""
    if isinstance(node, list):
        for one in node:
            yield from _keys(one, kinds, within)
    if not isinstance(node, dict):
        return
    if "$ref" in node:
        kind = node["$ref"].rpartition("/")[2]
        if kind not in within:
            yield from _keys(kinds[kind], kinds, (*within, kind))
    for key, value in node.get("properties", {}).items():
        yield key
        yield from (f"{key}.{below}" for below in _keys(value, kinds, within))
    for part in ("items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf"):
        yield from _keys(node.get(part), kinds, within)
