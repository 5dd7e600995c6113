"""The reports of true campaigns in Chromium, from the first screen to paper.

The ten-second test: the first screen alone says state, trend, likely cause and what to do. It is
held on the demonstration, on a campaign that gets worse for five weeks, and on a thousand documents
of two layers by five annotators.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from accordeur.flows.campaign.adjudication.decisions import read_decisions
from accordeur.flows.demo import write_demo
from benchmarks.weekly_campaign import WEEKS, write_campaign, write_week
from tests.flows.in_process import found
from tests.flows.runs import campaign_run
from tests.reports.browser import Watched, launched, open_all, pages_of_the_brief, violations
from tests.reports.html_check import checked

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.long]

MOST_BYTES = 1.5 * 2**20
SCREEN = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def demonstration(folder: Path) -> Path:
    return write_demo(folder / "demo")


def five_weeks(folder: Path) -> Path:
    """The campaign before its last week: run week by week, as its exports come."""
    for week in range(1, WEEKS):
        campaign_run(write_week(folder, week))
    return write_week(folder, WEEKS)


def thousand_documents(folder: Path) -> Path:
    return write_campaign(folder, 1000, ("ana", "bruno", "chloe", "dario", "elif"))


CAMPAIGNS: dict[str, Callable[[Path], Path]] = {
    one.__name__: one for one in (demonstration, five_weeks, thousand_documents)
}
STATES = {
    "demonstration": ["Passed", "Passed"],
    "five_weeks": ["Undecided", "Passed"],
    "thousand_documents": ["Failed", "Failed"],
}


@pytest.fixture(scope="module", params=CAMPAIGNS)
def report(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    prefect_server: str,
) -> tuple[str, Path]:
    """Name of the campaign, and its last report."""
    outcome, _ = campaign_run(CAMPAIGNS[request.param](tmp_path_factory.mktemp(request.param)))
    return request.param, Path(outcome["report"])


@pytest.fixture
def tab(chromium: str) -> Iterator[Watched]:
    with launched(chromium) as browser:
        yield Watched(browser.new_page(viewport=SCREEN))


@pytest.mark.parametrize("report", ["five_weeks"], indirect=True)
def test_a_slow_fall_is_seen_before_the_gates_fail(
    report: tuple[str, Path], tmp_path: Path
) -> None:
    folder = report[1].parent
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert "failed" not in {gate["outcome"] for gate in results["gates"]}
    assert {one["layer"] for one in run["drift"] if one["is_falling"]} == {"stance", "arguments"}
    page = checked(report[1].read_text(encoding="utf-8"))
    assert set(page.references) <= set(page.identifiers)
    [campaign] = found("index", folder.parents[1], "--to", tmp_path)["campaigns"]
    assert [one["number"] for one in campaign["runs"]] == list(range(1, WEEKS + 1))
    values = [one["values"][0]["value"] for one in campaign["runs"]]
    assert values == sorted(values, reverse=True)


def is_on_the_first_screen(page: Page, selector: str) -> bool:
    box = page.locator(selector).first.bounding_box()
    return box is not None and box["y"] + box["height"] <= SCREEN["height"]


def test_the_first_screen_says_state_trend_cause_and_action(
    tab: Watched, report: tuple[str, Path]
) -> None:
    name, path = report
    tab.page.goto(path.as_uri())
    assert tab.page.locator(".main-value .mark").all_inner_texts() == STATES[name]
    shown = [".outcome", ".main-value .value", ".main-value .distance", ".cause", ".data-line"]
    shown += [".actions"] if tab.page.locator(".actions").count() else []
    shown += [".main-value .change"] if name == "five_weeks" else []
    assert [one for one in shown if not is_on_the_first_screen(tab.page, one)] == []
    if name == "five_weeks":
        assert "falling over 5 runs" in tab.page.locator(".main-value .change").first.inner_text()
    tab.page.locator(".actions a, .data-line a").first.click()
    title = tab.page.locator(":target").get_attribute("aria-labelledby")
    expect(tab.page.locator(f"#{title}")).to_be_in_viewport()


def test_the_page_is_light_whole_and_accessible(tab: Watched, report: tuple[str, Path]) -> None:
    _, path = report
    assert path.stat().st_size <= MOST_BYTES
    tab.page.goto(path.as_uri())
    assert violations(tab.page) == []
    open_all(tab.page)
    assert violations(tab.page, contrast=False) == []
    assert tab.faults == []
    assert tab.requests == [path.as_uri()]


def test_disagreements_are_filtered_and_decisions_exported(
    tab: Watched, report: tuple[str, Path], tmp_path: Path
) -> None:
    _, path = report
    page = tab.page
    page.goto(path.as_uri())
    cards = page.locator(".disagreement:visible")
    page.locator("#disagreements .filters").get_by_label("Layer", exact=True).select_option(index=1)
    n = int(re.findall(r"\d+", page.locator("#disagreements .filters output").inner_text())[-1])
    assert cards.count() == n > 0
    assert len({card.get_attribute("data-layer") for card in cards.all()}) == 1
    if "all decided" in page.locator("#disagreements h2").inner_text():  # by a reference
        assert cards.get_by_label("Decision").count() == 0
        return
    page.get_by_label("Decided by").fill("Erik")
    cards.first.get_by_label("Decision").select_option(index=1)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save 1 decisions (CSV)").click()
    download.value.save_as(tmp_path / "decisions.csv")
    [(layer, decision)] = read_decisions(tmp_path / "decisions.csv")
    assert (layer, decision.who) == (cards.first.get_attribute("data-layer"), "Erik")


def test_phone_and_paper_cut_nothing(tab: Watched, report: tuple[str, Path]) -> None:
    _, path = report
    tab.page.set_viewport_size(PHONE)
    tab.page.goto(path.as_uri())
    open_all(tab.page)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    cut = "boxes => boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).length"
    assert tab.page.locator(".scroll:has(table.cards)").evaluate_all(cut) == 0
    assert 1 <= pages_of_the_brief(tab.page) <= 2
