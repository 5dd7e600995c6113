"""Summary of a study: its cells as parts of the results, each with its distinguishing settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...metrics.resampling.study import Cell, Rows
from ...metrics.signature import VERSION
from ...reports.study.study_results import StudyPart
from .curves import grid_part, model_part, subsets_part, synthetic_part
from .study_cells import CellSpec


def parts_of_study(
    specs: Sequence[CellSpec],
    cells: Mapping[str, Cell],
    rows: Mapping[str, Rows],
    observed: Mapping[str, float],
    *,
    root: str,
) -> list[StudyPart]:
    """Return one part per cell; in a reading grid, one for all magnitudes of a degradation."""
    groups: dict[tuple[Any, ...], list[CellSpec]] = {}
    for spec in specs:
        kept = tuple(pair for pair in spec.options if pair[0] != "magnitude")
        groups.setdefault(kept, []).append(spec)
    apart = _differing_options([group[0] for group in groups.values()])
    parts = []
    for differing, group in zip(apart, groups.values(), strict=True):
        first = group[0]
        settings = dict(cells[first.name].settings)
        match first.kind:
            case "reading_grid":
                settings.pop("magnitude")
                made = grid_part(group, rows, observed)
            case "subsets":
                made = subsets_part(cells[first.name], rows[first.name])
            case "reference_models":
                made = model_part(cells[first.name], rows[first.name])
            case _:
                made = synthetic_part(rows[first.name], observed)
        n_trials = sum(int(rows[spec.name]["trial"].size) for spec in group)
        line = "|".join(f"{key}:{value}" for key, value in settings.items() if key != "kind")
        parts.append(
            StudyPart(
                label=", ".join(_setting_words(key, value) for key, value in differing.items()),
                apart=differing,
                settings=settings,
                n_trials=n_trials,
                signature=f"{first.kind}|{line}|study:{root}|version:{VERSION}",
                **made,
            )
        )
    return parts


def _differing_options(specs: Sequence[CellSpec]) -> list[dict[str, str]]:
    """Return for each cell the options in which the cells differ, as text; "" for an unset one."""
    varying = [
        key for key, _ in specs[0].options if len({str(dict(s.options)[key]) for s in specs}) > 1
    ]
    return [{key: _option_text(key, dict(s.options)[key]) for key in varying} for s in specs]


def _option_text(key: str, value: Any) -> str:
    if value is None:
        return ""
    if key == "merged":
        return ", ".join(dict.fromkeys(new for _, new in value))
    if isinstance(value, tuple):
        return "–".join(f"{one:g}" for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _setting_words(key: str, value: str) -> str:
    """Describe a setting in English for readers of the files: `ties random`, `gamma`."""
    if key == "merged":
        return f"merged into {value}" if value else "as labelled"
    if key in ("measure", "degradation", "model"):
        return value.replace("_", " ")
    shown = value or ("as found" if key == "unanimous" else "whole range")
    return f"{key} {shown}".replace("_", " ")
