"""`accordeur plan`: what the library computes from a pilot, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.flows.cli import app
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.resampling import unit_planning
from accordeur.metrics.resampling.label_pilot import pilot_variance, scale_to_interval
from accordeur.metrics.resampling.planning import PilotVariance
from accordeur.metrics.resampling.unit_planning import scale_to_gamma, unit_pilot
from accordeur.metrics.units.gamma import GAMMA_2015
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.tasks.inputs.label_options import PlanOptions, parse_numbers
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.planning.annotation_plan import plan
from accordeur.tasks.units.units_of_exports import read_units
from tests.flows.command_line import warnings_in
from tests.read_labels import measured_labels


def pilot_table(
    path: Path, n_items: int = 40, n: int = 4, *, documents: int = 0, crowd: int = 0
) -> Path:
    """Labels of items of random difficulty; of a crowd each item by `n` other people of `crowd`."""
    rng = np.random.default_rng(0)
    rows = ["item,annotator,label" + (",document" if documents else "")]
    for i in range(n_items):
        right, hard = rng.integers(0, 3), rng.random() < 0.4
        people = rng.permutation(crowd)[:n] if crowd else range(n)
        for a in people:
            label = rng.integers(0, 3) if hard else right
            rows.append(f"i{i},p{a:02d},{label}" + (f",d{i % documents}" if documents else ""))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def printed(*arguments: str | Path) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["plan", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.output)
    return found


def told(*arguments: str | Path) -> str:
    done = CliRunner().invoke(app, ["plan", *map(str, arguments)], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    return done.output


def test_the_plan_is_what_the_pilots_variance_says(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv")
    matrix = measured_labels(path).matrix
    by_hand = scale_to_interval(
        pilot_variance(matrix, study="planning 0"),
        matrix,
        distance="nominal",
        sampling=Sampling(confidence_level=0.9),
    )
    found = printed(path, "--width", "0.2", "--annotators", "2,4,6", "--confidence-level", "0.9")
    assert [row["annotators"] for row in found["results"]] == [2, 4, 6]
    assert [row["beyond"] for row in found["results"]] == [False, False, True]
    for row in found["results"][:2]:
        a = row["annotators"]
        assert row["documents"] == by_hand.documents_for(0.2, a, level=0.9)
        assert row["labels"] == row["documents"] * a
        assert row["width"] == pytest.approx(by_hand.width(40, a, level=0.9))
        low, high = row["documents_interval"]
        assert low < row["documents"] < high
        assert row["width_interval"][0] < row["width"] < row["width_interval"][1]
    assert (found["pilot"]["n_items"], found["pilot"]["n_annotators"]) == (40, 4)
    assert found["pilot"]["value"] == pytest.approx(by_hand.value)
    assert found["signature"].startswith("plan of krippendorff_alpha|distance:nominal|variance:")
    assert ":linearised/items|subsets:20|level:0.9|" in found["signature"]
    said = told(path, "--annotators", "2-6")
    assert "items for width" in said
    assert "* more annotators than the pilot's 4: a range only" in said
    assert "for the pilot's annotators" in said


def test_a_pilot_that_is_too_small_has_no_range_and_says_so(tmp_path: Path) -> None:
    """One of six items divides the annotators: without it nothing varies."""
    rows = [f"i{i},{who},{'A' if i < 3 or (i == 5 and who == 'y') else 'B'}"
            for i in range(6) for who in "xy"]  # fmt: skip
    path = tmp_path / "six.csv"
    path.write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")
    found = printed(path, "--annotators", "2")
    [row] = found["results"]
    assert row["documents"] > 500
    assert row["documents_interval"] == row["width_interval"] == [None, None]
    assert any("pilot of 6 items is too small to tell" in one for one in warnings_in(found))


def test_documents_are_what_is_planned_where_there_are_any(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv", documents=8)
    found = printed(path, "--annotators", "3", "--measure", "gwet_ac1")
    assert found["pilot"]["n_documents"] == 8
    [row] = found["results"]
    assert row["labels"] == row["documents"] * 3 * 5  # five items a document
    assert "linearised/documents" in found["signature"]
    [remark] = warnings_in(found)
    assert remark.startswith(
        "the pilot has only 8 documents: a variance estimated from it is little more"
    )
    assert "documents for" in told(path)


@pytest.mark.long
def test_other_annotators_vary_too(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv")
    [own] = printed(path, "--annotators", "4")["results"]
    new = "--annotators", "4", "--interval", "annotators"
    [others] = printed(path, *new)["results"]
    assert others["width"] > own["width"]
    [never] = printed(path, *new, "--width", "0.001")["results"]
    assert never["documents"] is None
    assert never["documents_interval"] == [None, None]
    assert "not reachable" in told(path, *new, "--width", "0.001")
    two = pilot_table(tmp_path / "two.csv", n=2)
    with pytest.raises(MetricsError, match="--interval annotators needs a pilot"):
        plan(two, options=PlanOptions(interval="annotators"))


def test_more_annotators_than_the_pilot_has_get_a_range_and_no_promise(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv", n=3)
    three, four, five = printed(path, "--annotators", "3-5", "--budget", "500")["results"]
    for row, share in ((four, 6 / 12), (five, 6 / 20)):
        assert row["documents"] is None
        assert row["labels"] is None
        assert row["width"] is None
        low, high = row["documents_interval"]
        lowest, highest = three["documents_interval"]
        assert low == pytest.approx(lowest * share, rel=0.05)  # each annotator helps most
        assert high == pytest.approx(highest, rel=0.05)  # and not at all


def test_far_more_annotators_than_the_pilot_has_are_not_planned(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv", n=3)
    found = printed(path)
    assert [row["annotators"] for row in found["results"]] == [2, 3, 4, 5]
    [warning] = warnings_in(found)
    assert warning.startswith("a pilot of 3 annotators can plan for 5 at most")
    assert printed(path, "--annotators", "2-5")["warnings"] == []
    with pytest.raises(MetricsError, match="cannot plan for 10: give --annotators 5 at most"):
        plan(path, options=PlanOptions(annotators=(10,)))


def test_a_large_plan_is_made_again_half_way(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv")
    assert "plan again when half of these items are labelled" in told(path, "--width", "0.1")
    assert "plan again" not in told(path, "--width", "0.6")


def test_what_a_budget_buys(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv")
    options = ("--budget", "500", "--cost-per-label", "2", "--cost-per-annotator", "40")
    lines = printed(path, *options)["budget"]
    assert [line["annotators"] for line in lines] == [2, 3, 4, 5, 6]
    assert lines[0]["documents"] == (500 - 80) // 4
    for line in lines:
        low, high = line["width_interval"]
        assert line["cost"] == 2 * line["labels"] + 40 * line["annotators"] <= 500
        assert low < high if line["beyond"] else low < line["width"] < high
    assert " cost " in told(path, *options)
    with pytest.raises(MetricsError, match="does not cover 2 documents by 2 annotators"):
        plan(path, options=PlanOptions(budget=1))


def test_a_crowd_is_planned_by_labels_an_item(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "crowd.csv", n=5, crowd=30)
    with pytest.raises(MetricsError, match=r"83% of the labels .* 30 annotators .* add --crowd"):
        plan(path)
    found = printed(path, "--crowd", "--annotators", "3,5")
    assert found["pilot"]["n_annotators"] == 5
    alpha = compute_coefficient("krippendorff_alpha", measured_labels(path).matrix).value
    assert found["pilot"]["value"] == pytest.approx(alpha)
    assert warnings_in(found) == []
    assert "|crowd:True|" in found["signature"]
    assert "labels per item" in told(path, "--crowd")
    with pytest.raises(MetricsError, match="conger_kappa depends on who gave a label"):
        plan(path, options=PlanOptions(measure="conger_kappa", crowd=True))
    with pytest.raises(MetricsError, match="give only one of them"):
        plan(path, options=PlanOptions(interval="annotators", crowd=True))


def test_missing_labels_and_rows_set_aside_are_told(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv")
    rows = path.read_text(encoding="utf-8").splitlines()
    kept = [row for k, row in enumerate(rows) if k % 8 != 5]
    path.write_text("\n".join([*kept, "i1,,2"]) + "\n", encoding="utf-8")
    found = printed(path, "--annotators", "3")
    assert [row["rule"] for row in found["rejected"]] == ["empty_value"]
    assert warnings_in(found)[0].startswith(
        "12% of the pilot’s labels are missing; the plan assumes"
    )
    assert "1 row rejected" in told(path)


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    path = pilot_table(tmp_path / "pilot.csv")
    with pytest.raises(MetricsError, match="numbers of at least 2"):
        plan(path, options=PlanOptions(annotators=(1, 2)))
    with pytest.raises(MetricsError, match="width is 0"):
        plan(path, options=PlanOptions(width=0))
    with pytest.raises(MetricsError, match="must lie between 0 and 1"):
        plan(path, options=PlanOptions(confidence_level=1.5))
    with pytest.raises(MetricsError, match=r"no measure .kappa.; did you mean fleiss_kappa"):
        plan(path, options=PlanOptions(measure="kappa"))
    with pytest.raises(MetricsError, match="cohen_kappa compares two annotators, but there are 4"):
        plan(path, options=PlanOptions(measure="cohen_kappa"))
    agreed = tmp_path / "agreed.csv"
    agreed.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,y\n3,a,y\n3,b,y\n")
    with pytest.raises(MetricsError, match="does not vary in the pilot"):
        plan(agreed)
    assert parse_numbers("2, 5,3-4") == (2, 3, 4, 5)
    for wrong in ("", "2-", "two", "-3", "2.5"):
        with pytest.raises(DataError, match="give numbers such as 2,3,5 or 2-10"):
            parse_numbers(wrong)


def unit_table(path: Path, *, documents: int = 12, n: int = 3) -> Path:
    rng = np.random.default_rng(3)
    rows = ["document,annotator,start,end,category"]
    for d in range(documents):
        care = rng.random()
        for u in range(8):
            for a in range(n):
                if rng.random() < 0.3 * care:
                    continue
                start = 40 * u + int(rng.integers(0, 1 + int(16 * care)))
                rows.append(f"d{d},p{a},{start},{start + 12},{'xy'[u % 2]}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.long
def test_gamma_is_planned_by_documents_of_units(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = unit_table(tmp_path / "units.csv")
    continua = read_units([path]).continua
    pilot = unit_pilot(continua)
    by_hand = scale_to_gamma(pilot.variance(), continua, GAMMA_2015, GammaSettings())
    found = printed(path, "--measure", "gamma", "--annotators", "2,3,4", "--budget", "400")
    for row in found["results"]:
        a = row["annotators"]
        assert row["beyond"] == (a > 3)
        if a > 3:
            assert row["documents"] is None
            continue
        assert row["documents"] == by_hand.documents_for(0.1, a)
        assert row["units"] == round(row["documents"] * a * by_hand.items_per_document)
        assert row["width"] == pytest.approx(by_hand.width(12, a))
        assert row["width_interval"][0] < row["width"] < row["width_interval"][1]
    shown = json.loads(CliRunner().invoke(app, ["gamma", str(path), "--json"]).stdout)["results"]
    [whole] = [one for one in shown if one["measure"] == "gamma"]
    assert found["results"][1]["width"] == pytest.approx(np.ptp(whole["interval"]), rel=1e-9)
    assert found["pilot"]["value"] == pytest.approx(whole["value"])
    assert {line["units"] <= 400 for line in found["budget"]} == {True}
    assert "|variance:ratio/documents|" in found["signature"]
    monkeypatch.setattr(unit_planning, "unit_pilot", lambda *_, **__: pilot)  # it takes seconds
    said = told(path, "--measure", "gamma")
    assert " units " in said
    assert "units of one annotator per document" in said


def test_what_units_cannot_be_asked(tmp_path: Path) -> None:
    path = unit_table(tmp_path / "units.csv")
    with pytest.raises(MetricsError, match="--crowd applies to labels only"):
        plan(path, Reading(), PlanOptions(measure="gamma", crowd=True))
    two = unit_table(tmp_path / "two.csv", n=2)
    with pytest.raises(MetricsError, match="three or more annotators annotated everything"):
        plan(two, Reading(), PlanOptions(measure="gamma", interval="annotators"))
    alone = unit_table(tmp_path / "alone.csv", documents=1)
    with pytest.raises(MetricsError, match="two documents of two annotators; found 1"):
        plan(alone, Reading(), PlanOptions(measure="gamma"))
    done = CliRunner().invoke(app, ["plan", str(path), "--measure", "gamma", "--item", "category"])
    assert "a table of units has not" in str(done.exception)


@pytest.mark.long
def test_a_test_of_a_value_has_the_power_that_is_planned(tmp_path: Path) -> None:
    """Rejections of campaigns drawn like a large pilot, by the engine's own intervals."""
    path = pilot_table(tmp_path / "pilot.csv", 3000, 3)
    found = printed(path, "--annotators", "3", "--null", "0.35", "--difference", "0.2")
    one, two = found["detection"]
    assert one["effect"] == pytest.approx(found["pilot"]["value"] - 0.35)
    assert two["documents"] > one["documents"] > 5
    assert "the 95% interval excludes 0.35 if the" in told(
        path, "--annotators", "3", "--null", "0.35"
    )
    matrix, rng, excluded = measured_labels(path).matrix, np.random.default_rng(0), 0
    for _ in range(300):
        drawn = replace(
            matrix, codes=matrix.codes[rng.integers(0, 3000, one["documents"])], items=()
        )
        low, high = evaluate_matrix(
            drawn, measures=["krippendorff_alpha"], distance="nominal", sampling=Sampling(400)
        )[0].interval
        excluded += not low <= 0.35 <= high
    assert 0.74 <= excluded / 300 <= 0.86


def test_the_difference_of_two_campaigns_is_found_with_the_power_that_is_planned() -> None:
    pilot = PilotVariance(
        measure="m", value=0.5, annotators=np.array([2]), variance=np.array([0.8]),
        of_annotators=0.02, n_documents=50, items_per_document=1.0,
    )  # fmt: skip
    n = pilot.documents_to_detect(0.2, 2, campaigns=2, power=0.8)
    assert n is not None
    assert pilot.power(0.2, n - 1, 2, campaigns=2) < 0.8 <= pilot.power(0.2, n, 2, campaigns=2)
    rng = np.random.default_rng(0)
    first, second = (rng.normal(mean, 0.8**0.5, (4000, n)) for mean in (0.5, 0.7))
    p_values = stats.ttest_ind(first, second, axis=1).pvalue
    assert (p_values < 0.05).mean() == pytest.approx(0.8, abs=0.02)
    assert pilot.documents_to_detect(0.1, 2, new_annotators=True) is None
    with pytest.raises(MetricsError, match="the effect must differ from 0"):
        pilot.documents_to_detect(0.0, 2)


def test_a_coefficient_of_two_annotators_is_planned_for_two(tmp_path: Path) -> None:
    pilot = pilot_table(tmp_path / "pilot.csv", n=2)
    found = printed(pilot, "--measure", "cohen_kappa")
    assert [row["annotators"] for row in found["results"]] == [2]
    assert "use `--measure conger_kappa`" in " ".join(warnings_in(found))
    of_many = printed(pilot, "--measure", "conger_kappa")
    assert [row["annotators"] for row in of_many["results"]] == [2, 3]
    with pytest.raises(MetricsError, match="to plan for more, use --measure conger_kappa"):
        plan(pilot, options=PlanOptions(measure="cohen_kappa", annotators=(3, 4)))
