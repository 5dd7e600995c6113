"""Two runs compared, and the index of campaigns, from the command on finished runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from defusedxml import ElementTree

from accordeur.data.store.store import Store
from accordeur.flows.campaign_quality import failed_gates
from accordeur.flows.portfolio import refresh_index
from tests.flows.in_process import found, said
from tests.flows.runs import campaign_run
from tests.flows.small import write_small

GATE = """
[[gates]]
measure = "krippendorff_alpha"
at_least = 1
[[notes]]
date = 2026-03-04
text = "second guideline"
[report]
index = "site"
keep_reports = 1
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, prefect_server: str) -> Path:
    """A campaign with two runs: between them a document changed, one came, a gate was set."""
    path = write_small(tmp_path_factory.mktemp("small"))
    for export in ("labels.csv", "units.csv"):  # twice the documents: an interval needs five
        rows = (path.parent / export).read_text(encoding="utf-8").splitlines()
        rows += [f"e{row[1:]}" for row in rows[1:]]
        (path.parent / export).write_text("\n".join(rows) + "\n", encoding="utf-8")
    campaign_run(path)
    labels = path.parent / "labels.csv"
    rows = labels.read_text(encoding="utf-8").splitlines()
    rows = [
        row.replace("y", "x") if row.startswith("d1,") and "ben" in row else row for row in rows
    ]
    rows += [f"d9,i{u},{who},{'xy'[u % 2]}" for u in range(3) for who in ("anna", "ben")]
    labels.write_text("\n".join(rows) + "\n", encoding="utf-8")
    text = path.read_text(encoding="utf-8").replace("replicates = 20", "replicates = 30")
    path.write_text(text + GATE, encoding="utf-8")
    campaign_run(path)
    return path


def test_two_runs_are_compared_in_values_documents_data_and_options(campaign: Path) -> None:
    compared = found("compare", campaign)
    alpha = next(one for one in compared["values"] if one["measure"] == "krippendorff_alpha")
    assert alpha["change"] == pytest.approx(alpha["second"]["value"] - alpha["first"]["value"])
    assert alpha["paired"]["n_documents"] == 8
    low, high = alpha["paired"]["interval"]
    assert low < alpha["paired"]["change"] < high
    assert alpha["interval"][0] < alpha["change"] < alpha["interval"][1]
    fates = {one["document"]: one["fate"] for one in alpha["effects"]}
    assert (fates["d1"], fates["d9"], fates["d2"]) == ("changed", "added", "shared")
    assert alpha["effects"][0]["document"] == "d1"
    gamma = next(one for one in compared["values"] if one["measure"] == "gamma")
    assert gamma["paired"]["n_documents"] == 8
    changed = compared["documents"]
    assert (changed["added"], changed["changed"], changed["removed"]) == (["d9"], ["d1"], [])
    options = {(one["kind"], one["first"], one["second"]) for one in compared["options"]}
    assert ("gate", "", ">= 1") in options
    assert ("option", "20", "30") in options
    assert compared["code"] == []


def test_the_comparison_fits_a_terminal_and_folders_name_the_same_runs(campaign: Path) -> None:
    reports = campaign.parent / "runs" / "reports"
    code, by_number = said("compare", campaign, "1", "2")
    assert code == 0
    assert max(map(len, by_number.splitlines())) <= 80
    assert "documents added: 1 (d9)" in by_number
    assert said("compare", reports / "run-0001", reports / "run-0002/results.json") == (
        0,
        by_number,
    )


def test_the_comparison_is_written_as_a_page(campaign: Path, tmp_path: Path) -> None:
    page = tmp_path / "compared.html"
    code, output = said("compare", campaign, "--to", page)
    assert code == 0
    assert output.endswith(f"page: {page}\n")
    html = page.read_text(encoding="utf-8")
    assert "d9" in html
    assert "Documents with the largest effects on the values" in html


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("1", "7"), "no finished run 7"),
        (("1",), "give the numbers of two runs, or none for the last two"),
    ],
)
def test_runs_that_are_not_there_are_refused(
    campaign: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    code, output = said("compare", campaign, *arguments)
    assert code == 2
    assert sentence in output


def test_a_comparison_needs_two_runs(tmp_path: Path) -> None:
    code, output = said("compare", write_small(tmp_path))
    assert code == 2
    assert "two are needed" in output
    code, output = said("compare", tmp_path, tmp_path)
    assert code == 2
    assert "give the folder of a finished run" in output


def test_the_state_of_a_failed_run_names_the_likely_cause() -> None:
    gate = {"measure": "gamma", "outcome": "failed", "fails_run": True}
    cause = "likely cause: chloe differs from the others."
    failed = failed_gates({"gates": [gate], "cause": cause})
    assert failed == "1 gate failed: gamma; likely cause: chloe differs from the others"
    passed = gate | {"outcome": "passed", "fails_run": False}
    assert failed_gates({"gates": [passed], "cause": cause}) == ""


def test_a_run_brings_its_index_up_to_date_and_drops_old_pages(campaign: Path) -> None:
    index = json.loads((campaign.parent / "site" / "index.json").read_text(encoding="utf-8"))
    [indexed] = index["campaigns"]
    assert [one["number"] for one in indexed["runs"]] == [1, 2]
    assert indexed["notes"] == [{"date": "2026-03-04", "text": "second guideline"}]
    page = (campaign.parent / "site" / indexed["page"]).read_text(encoding="utf-8")
    assert "second guideline" in page
    reports = campaign.parent / "runs" / "reports"
    assert [one.parent.name for one in reports.glob("*/report.html")] == ["run-0002"]
    assert len(list(reports.glob("*/results.json"))) == 2


def test_a_run_writes_its_gates_for_pull_requests(campaign: Path, tmp_path: Path) -> None:
    summary, junit = tmp_path / "summary.md", tmp_path / "gates.xml"
    code, output = said("run", campaign, "--summary", summary, "--junit", junit)
    assert code == 1, output
    written = summary.read_text(encoding="utf-8")
    report = campaign.parent / "runs" / "reports" / "run-0002" / "report.html"
    assert written.startswith("## Small")
    assert written.endswith(f"Report: `{report}`\n")
    [case] = ElementTree.parse(junit).getroot().iter("testcase")
    assert case.get("name") == "krippendorff_alpha (labels) >= 1"
    assert "FAILED" in case.find("failure").get("message")


@pytest.fixture(scope="module")
def stores(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two stores: the campaign's, and that of a sister with its first run alone."""
    folder = tmp_path_factory.mktemp("stores")
    shutil.copytree(campaign.parent / "runs", folder / "north" / "runs")
    shutil.copytree(campaign.parent / "runs", folder / "south")
    shutil.rmtree(folder / "south" / "reports" / "run-0002")
    return folder


def test_the_index_lists_every_campaign_below_a_folder(stores: Path, tmp_path: Path) -> None:
    index = found("index", stores, "--to", tmp_path)
    north, south = sorted(index["campaigns"], key=lambda one: one["store"])
    assert (len(north["runs"]), len(south["runs"])) == (2, 1)
    assert north["outcome"] == "fail"
    assert south["outcome"] == "open"
    assert {one["measure"] for one in north["runs"][1]["values"]} == {"krippendorff_alpha", "gamma"}
    for campaign in index["campaigns"]:
        assert (tmp_path / campaign["page"]).is_file()
        *earlier, last = campaign["runs"]
        assert [run["report"] for run in earlier] == [""] * len(earlier)  # no longer kept
        assert not last["report"] or (tmp_path / last["report"]).resolve().is_file()
    assert north["runs"][-1]["report"].startswith("../")
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.index(north["page"]) < page.index(south["page"])  # what failed comes first
    assert pq.read_table(tmp_path / "index.parquet").num_rows == 6


def test_a_change_has_its_interval_where_labels_are_gone(stores: Path, tmp_path: Path) -> None:
    shutil.copytree(stores / "north" / "runs" / "reports", tmp_path / "reports")
    shutil.rmtree(tmp_path / "reports" / "run-0001" / "tables")
    runs = (tmp_path / "reports" / f"run-000{n}" for n in (1, 2))
    alpha = found("compare", *runs)["values"][0]
    assert (alpha["paired"], alpha["unpaired"]) == (None, "no_tables")
    assert alpha["interval"][0] < alpha["change"] < alpha["interval"][1]


def test_a_run_that_cannot_be_read_is_listed_without_values(stores: Path, tmp_path: Path) -> None:
    shutil.copytree(stores / "north", tmp_path / "north")
    results = tmp_path / "north" / "runs" / "reports" / "run-0001" / "results.json"
    results.write_text(results.read_text(encoding="utf-8") + " ", encoding="utf-8")
    [campaign] = found("index", tmp_path / "north", "--to", tmp_path / "index")["campaigns"]
    assert [one["outcome"] == "" for one in campaign["runs"]] == [True, False]


def test_one_campaign_is_brought_up_to_date_without_the_others(
    stores: Path, tmp_path: Path
) -> None:
    to = Store(str(tmp_path / "index"))
    refresh_index(Store(str(stores / "south")), to)
    refresh_index(Store(str(stores / "north" / "runs")), to)
    refresh_index(Store(str(stores / "south")), to, "fr")
    page = (tmp_path / "index" / "index.html").read_text(encoding="utf-8")
    assert "2 campagnes" in page


def test_a_folder_without_a_run_has_no_index(tmp_path: Path) -> None:
    assert said("index", tmp_path, "--to", tmp_path / "index") == (
        2,
        f"{tmp_path}: no finished run below it (accordeur run)",
    )
