"""`accordeur simulate`: Bonnardel's figures, and a campaign's own margins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from flows.cli import app
from metrics.agreement.label_matrix import label_matrix
from metrics.agreement.registry import compute


def simulated(*arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["simulate", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_kappa_falls_with_the_prevalence() -> None:
    """Bonnardel 1996: sensitivity and specificity .9; κ .64 at prevalence ½, then towards 0."""
    found = simulated("prevalence")
    rows = {row["at"]: row for row in found["results"]}
    assert found["moved"] == "prevalence"
    assert rows[0.5]["cohen_kappa"] == pytest.approx(0.64)
    assert rows[0.001]["cohen_kappa"] < 0.01
    assert all(row["percent_agreement"] == pytest.approx(0.82) for row in rows.values())
    perfect = simulated("prevalence", "--sensitivity", "1", "--specificity", "1")
    assert all(row["cohen_kappa"] == pytest.approx(1) for row in perfect["results"])


def test_more_categories_raise_kappa_of_the_same_annotators() -> None:
    values = [row["cohen_kappa"] for row in simulated("categories", "--accuracy", "0.8")["results"]]
    assert values == sorted(values)
    assert values[0] == pytest.approx(0.36)  # 2 categories: p_o .68, p_e .5


def test_a_campaigns_own_margins(tmp_path: Path) -> None:
    items, labels = [str(i // 2) for i in range(40)], []
    for i in range(20):
        labels += ["x" if i < 14 else "y", "x" if i < 12 or i == 19 else "y"]
    path = tmp_path / "labels.csv"
    rows = [f"{item},{'ab'[r % 2]},{labels[r]}" for r, item in enumerate(items)]
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    found = simulated("prevalence", "--labels", str(path))
    assert found["moved"] == "share of x"
    matrix = label_matrix(items, ["ab"[r % 2] for r in range(40)], labels)
    observed = compute("percent_agreement", matrix).value
    assert all(row["percent_agreement"] == pytest.approx(observed) for row in found["results"])
    sizes = simulated("categories", "--labels", str(path))
    assert sizes["settings"]["accuracy"] == pytest.approx(found["settings"]["accuracy"])
    assert sizes["results"][0]["percent_agreement"] == pytest.approx(observed)


def test_a_table_is_printed_and_bad_tables_are_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["simulate", "prevalence"])
    assert "sensitivity 0.9" in done.output
    missing = CliRunner().invoke(app, ["simulate", "categories", "--labels", str(tmp_path / "no")])
    assert "no such file" in str(missing.exception)
