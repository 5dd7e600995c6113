"""Cells of a study to the parts of its results, each under the settings that it alone has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metrics.resampling.study import Cell, Rows
from metrics.signature import VERSION
from reports.study.results import (
    StudyPart,
)
from tasks.study.cells import CellSpec
from tasks.study.curves import grid_part, model_part, subsets_part, synthetic_part


def parts_of(
    specs: Sequence[CellSpec],
    cells: Mapping[str, Cell],
    rows: Mapping[str, Rows],
    observed: Mapping[str, float],
    *,
    root: str,
) -> list[StudyPart]:
    """One part a cell; of a reading grid, one for all magnitudes of a degradation."""
    groups: dict[tuple[Any, ...], list[CellSpec]] = {}
    for spec in specs:
        kept = tuple(pair for pair in spec.options if pair[0] != "magnitude")
        groups.setdefault(kept, []).append(spec)
    labels = _labels([group[0] for group in groups.values()])
    parts = []
    for label, group in zip(labels, groups.values(), strict=True):
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
                label=label,
                settings=settings,
                n_trials=n_trials,
                signature=f"{first.kind}|{line}|study:{root}|version:{VERSION}",
                **made,
            )
        )
    return parts


def _labels(specs: Sequence[CellSpec]) -> list[str]:
    """Of each, the options in which they differ: `ties random`, `gamma shift`."""
    varying = [
        key for key, _ in specs[0].options if len({str(dict(s.options)[key]) for s in specs}) > 1
    ]
    return [", ".join(_word(key, dict(s.options)[key]) for key in varying) for s in specs]


def _word(key: str, value: Any) -> str:
    if key == "merged":
        new = list(dict.fromkeys(new for _, new in value))
        return f"merged into {', '.join(new)}" if new else "as labelled"
    if key in ("measure", "degradation", "model"):
        return str(value).replace("_", " ")
    if value is None:
        shown = "as found" if key == "unanimous" else "whole range"
    else:
        shown = "–".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"{key} {shown}".replace("_", " ")
