"""Studies with a precision: cells stop at fixed looks, and their intervals allow for the looks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.flows.study.study_config import load_study
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.resampling.grids.reading_grid import grid_trial
from accordeur.metrics.resampling.study import GridCell
from accordeur.reports.render import render_study
from accordeur.tasks.study.curves import grid_part
from accordeur.tasks.study.looks import Looks, half_width
from accordeur.tasks.study.study_cells import CellSpec
from tests.flows.small import labels_csv
from tests.flows.studies import GRID, MODELS, SUBSETS, SYNTHETIC, curve, run_here, study_file


class OneLook(Looks):
    """The rule without allowance for its looks."""

    level = 0.95  # type: ignore[assignment]


def _coverage(looks: Looks) -> tuple[np.ndarray, np.ndarray]:
    """Return for three planted cells how often they cover their mean, and where they stop.

    500 studies of 200 normal, exponential and two-valued trials; the last are never precise.
    """
    specs = [
        CellSpec("reading_grid", str(m), (("measure", "γ"), ("degradation", "-"), ("magnitude", m)))
        for m in range(3)
    ]
    cell = GridCell("", grid_trial, None, "", 0)  # type: ignore[arg-type]
    rng = np.random.default_rng(5)
    covered, stops = np.zeros(3), np.zeros((3, len(looks.counts)), dtype=int)
    for _ in range(500):
        drawn = (
            rng.normal(0.6, 0.055, 200),
            0.6 + 0.09 * (rng.exponential(size=200) - 1),
            0.6 + 0.3 * rng.choice([-1.0, 1.0], 200),
        )
        rows: dict[str, Any] = {}
        for m, values in enumerate(drawn):
            for count in looks.counts:
                rows[str(m)] = {"trial": np.arange(count), "value": values[:count]}
                if looks.is_enough(half_width(specs[m], cell, rows[str(m)], {}, looks), count):
                    break
            stops[m, looks.counts.index(count)] += 1
        [found] = grid_part(specs, rows, {}, mean_level=looks.level)["curves"]
        covered += [p.mean_low <= 0.6 <= p.mean_high for p in found.points]
    return covered / 500, stops


def test_intervals_at_the_stop_cover_the_mean_of_planted_cells() -> None:
    looks = Looks.of(0.02, 200)
    covered, stops = _coverage(looks)
    assert (covered >= 0.95).all()
    assert (stops[0, 1:3] > 200).all()  # of normal trials, after 50 or 100
    assert stops[1, 2] > 50
    assert stops[1, 3] > 300
    assert stops[2].tolist() == [0, 0, 0, 500]
    alone, _ = _coverage(OneLook(looks.precision, looks.counts))
    assert alone[1] < 0.9, "skewed trials that stop early are where the allowance matters"


@pytest.mark.long
def test_a_precise_cell_stops_and_others_are_marked(tmp_path: Path) -> None:
    """With few units left out, α_U varies little; with most left out, 32 trials are too few."""
    text = GRID.replace("trials = 6", "trials = 32\nprecision = 0.05")
    text = text.replace('["gamma", "u_alpha"]', '["u_alpha"]').replace(
        '"category", "false_positives"', '"category"'
    )
    text = text.replace("[0, 0.4, 0.8]", "[0, 0.05, 0.8]")
    results, _ = run_here(study_file(tmp_path, text))
    assert (results.precision, results.looks) == (0.05, [8, 16, 32])
    assert results.units["n_units"] == 10
    assert results.units["shortest"] == 5.0  # a default, which the study file does not state
    omission = curve(results, 0, "grid")
    assert [p.n for p in omission] == [32, 16, 32], "trials that are all equal stop no cell"
    wide = [p for p in omission if (p.mean_high - p.mean_low) / 2 > 0.05]
    assert results.parts[0].n_imprecise == len(wide) > 0
    page = render_study(results)
    assert "reach ± 0.05" in page
    assert "(too wide)" in page

    # every trial is stored: a study of the same trials, run without a precision before it
    other = tmp_path / "other"
    other.mkdir()
    run_here(study_file(other, text.replace("precision = 0.05\n", "\n")), folder="whole")
    again, plan = run_here(study_file(other, text))
    assert plan.n_trials == 0
    assert again.parts == results.parts


@pytest.mark.parametrize("text", [SYNTHETIC, MODELS], ids=["synthetic", "models"])
def test_the_widest_interval_over_k_decides(text: str, tmp_path: Path) -> None:
    labels_csv(tmp_path)
    trials = 70 if text is SYNTHETIC else 6
    asked = text.replace(f"trials = {trials}", "trials = 80\nprecision = {}")
    name = "own" if text is SYNTHETIC else "model"
    results, _ = run_here(study_file(tmp_path, asked.format(1e-6)))
    assert {part.n_trials for part in results.parts} == {80}
    points = curve(results, 0, name)
    widest = max(max(p.mean_high - p.y, p.y - p.mean_low) for p in points)
    just, _ = run_here(study_file(tmp_path, asked.format(widest * 1.001)))
    assert not just.parts[0].n_imprecise
    below, _ = run_here(study_file(tmp_path, asked.format(widest * 0.999)))
    assert below.parts[0].n_trials == 80 or not below.parts[0].n_imprecise


def test_subsets_have_no_precision(tmp_path: Path) -> None:
    text = SUBSETS.replace('kind = "subsets"', 'kind = "subsets"\nprecision = 0.01')
    with pytest.raises(ConfigError, match=r"study\.precision: a study of subsets has as many"):
        load_study(study_file(tmp_path, text))
