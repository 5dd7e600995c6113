"""`accordeur simulate`: Bonnardel's figures, and a campaign's own margins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from accordeur.flows.cli import app
from accordeur.flows.simulations import _command, simulation_source
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import label_matrix


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
    matrix = label_matrix(items=items, annotators=["ab"[r % 2] for r in range(40)], labels=labels)
    observed = compute_coefficient("percent_agreement", matrix).value
    assert all(row["percent_agreement"] == pytest.approx(observed) for row in found["results"])
    sizes = simulated("categories", "--labels", str(path))
    assert sizes["settings"]["accuracy"] == pytest.approx(found["settings"]["accuracy"])
    assert sizes["results"][0]["percent_agreement"] == pytest.approx(observed)


def test_columns_are_named_as_for_agree(tmp_path: Path) -> None:
    rows = ["1,a,x", "1,b,x", "2,a,y", "2,b,x", "3,a,y", "3,b,y", "4,a,x", "4,b,x"]
    plain, other, wide = (tmp_path / f"{name}.csv" for name in ("plain", "other", "wide"))
    plain.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    other.write_text("\n".join(["task,worker,answer", *rows, "5,a,"]), encoding="utf-8")
    wide.write_text("first,second\nx,x\ny,x\ny,y\nx,x\n", encoding="utf-8")
    expected = simulated("prevalence", "--labels", str(plain))
    named = ("--item", "task", "--annotator", "worker", "--label", "answer")
    found = simulated("prevalence", "--labels", str(other), *named)
    assert found["results"] == expected["results"]
    assert [row["location"] for row in found["rejected"]] == ["line 10"]
    of_wide = simulated("prevalence", "--labels", str(wide), "--wide")
    assert of_wide["results"] == expected["results"]
    three = simulated("prevalence", "--labels", str(plain), "--categories", "x,y,z")
    assert three["settings"]["tagset"] == "x, y, z"
    done = CliRunner().invoke(app, ["simulate", "prevalence", "--categories", "x,y"])
    assert "give one with --labels" in str(done.exception)


def test_the_page_of_a_table_has_its_columns_in_the_command(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("t,w,my label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n2,b,y\n", encoding="utf-8")
    columns = {"item": "t", "annotator": "w", "label": "my label"}
    where = {"campaign": "", "layer": "", "labels": str(path), "store": str(tmp_path)}
    source, set_aside = simulation_source(**where, columns=columns, tagset=("x", "y"))
    assert source.margins.n_items == 2
    assert set_aside.startswith("1 row rejected; the first: labels.csv line 6")
    command = _command("prevalence", "", "", str(path), "s", 5, 0, columns, ("x", "y"))
    assert "--item t --annotator w --label 'my label' --categories x,y --to s" in command


def test_a_table_is_printed_and_bad_tables_are_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["simulate", "prevalence"])
    assert "sensitivity 0.9" in done.output
    missing = CliRunner().invoke(app, ["simulate", "categories", "--labels", str(tmp_path / "no")])
    assert "no such file" in str(missing.exception)
