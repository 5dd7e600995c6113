"""The figures of a study for print: one per question, a panel per setting. Needs matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .study_results import StudyCurve, StudyResults

_COLUMNS = 4
_PANEL = (2.4, 2.0)  # inches
_AXES = {"k": "number of annotators", "share": "share of the category"}


@dataclass(frozen=True, slots=True)
class _Panel:
    """The curves of one setting: of subsets, one for each k."""

    title: str
    curves: list[StudyCurve]


def write_figures(study: StudyResults, folder: Path) -> list[str]:
    """Write each figure as SVG and PDF; return their names, [] without matplotlib.

    Equal results give equal files with one version of matplotlib.
    """
    try:
        from matplotlib import rc_context  # type: ignore[import-not-found]
        from matplotlib.figure import Figure  # type: ignore[import-not-found]
    except ImportError:
        return []
    folder.mkdir(exist_ok=True)
    names = []
    with rc_context({"svg.hashsalt": study.name, "font.size": 8, "pdf.fonttype": 42}):
        for name, panels in _questions(study):
            figure = Figure(figsize=_size(len(panels)), layout="constrained")
            _draw(figure, panels)
            for form, about in (("svg", {"Date": None}), ("pdf", {"CreationDate": None})):
                figure.savefig(folder / f"{name}.{form}", metadata=about)
            names.append(name)
    return names


def _questions(study: StudyResults) -> Iterator[tuple[str, list[_Panel]]]:
    """Yield curves of one kind, measure and horizontal axis together, over all settings."""
    found: dict[str, dict[str, _Panel]] = {}
    for part in study.parts:
        for curve in part.curves:
            # A reading grid has a setting per degradation, which is also its horizontal axis
            axis = "" if curve.name == "grid" else curve.x_name
            key = "-".join(filter(None, (curve.name, curve.y, axis)))
            panels = found.setdefault(key, {})
            panels.setdefault(part.label, _Panel(part.label, [])).curves.append(curve)
    for key, panels in found.items():
        yield key, [*panels.values()]


def _size(n: int) -> tuple[float, float]:
    return _PANEL[0] * min(n, _COLUMNS) + 0.6, _PANEL[1] * math.ceil(n / _COLUMNS) + 0.4


def _draw(figure: Any, panels: Sequence[_Panel]) -> None:
    n_columns = min(len(panels), _COLUMNS)
    axes = figure.subplots(
        math.ceil(len(panels) / n_columns), n_columns, sharex=True, sharey=True, squeeze=False
    ).flat
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    for place, (ax, panel) in enumerate(zip(axes, panels, strict=False)):
        for curve in panel.curves:
            _draw_curve(ax, curve)
        first = panel.curves[0]
        ax.set_title(panel.title, fontsize=7)
        ax.set_xlabel((first.x_name or _AXES.get(first.x, first.x)).replace("_", " "))
        if place % n_columns == 0:
            ax.set_ylabel("M(k)" if first.y == "modification_rate" else first.y.replace("_", " "))
    most = max(range(len(panels)), key=lambda place: len(panels[place].curves))
    if len(panels[most].curves) > 1:
        axes[most].legend(fontsize=6, frameon=False)


def _draw_curve(ax: Any, curve: StudyCurve) -> None:
    """Draw a curve with its band; a point of a single trial is hollow."""
    known = [point for point in curve.points if math.isfinite(point.y)]
    x, y = [point.x for point in known], [point.y for point in known]
    [line] = ax.plot(x, y, linewidth=1, label=f"k = {curve.k}" if curve.k else None)
    ax.fill_between(
        x, [p.low for p in known], [p.high for p in known], alpha=0.15, linewidth=0,
        color=line.get_color(),
    )  # fmt: skip
    single = [point.n == 1 for point in known]
    for is_single, face in ((False, line.get_color()), (True, "white")):
        chosen = [place for place, one in enumerate(single) if one is is_single]
        ax.plot(
            [x[place] for place in chosen], [y[place] for place in chosen], "o", markersize=2.5,
            color=line.get_color(), markerfacecolor=face,
        )  # fmt: skip
