"""The page in Chromium: no error, no request, for everyone, on every screen and on paper."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from reports.render import render
from tests.reports import samples

pytestmark = pytest.mark.browser

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """(options) => axe.run(document, options).then((found) =>
    found.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 300)]))"""
CONTRAST = "color-contrast"  # the slow rule: asked once in light and once in dark


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Pages on disk: their names and their file addresses."""
    folder: Path = tmp_path_factory.mktemp("pages")
    pages = {
        "typical": render(samples.typical()),
        "french": render(samples.typical(), language="fr"),
        "pathological": render(samples.pathological()),
        "large": render(samples.large()),
    }
    found = {}
    for name, page in pages.items():
        path = folder / f"{name}.html"
        path.write_text(page, encoding="utf-8")
        found[name] = path.as_uri()
    return found


class Watched:
    """A tab that keeps what went wrong: console messages, page errors, requests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.faults.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", self._request)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)


@pytest.fixture
def tab(browser: Browser) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page())
    yield watched
    context.close()


@pytest.mark.parametrize("name", ["typical", "french", "pathological"])
def test_no_error_no_request_no_violation(tab: Watched, addresses: dict[str, str], name: str):
    tab.page.goto(addresses[name])
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if name == "typical":
        tab.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
    else:
        options["rules"] = {CONTRAST: {"enabled": False}}
    tab.page.evaluate(AXE)
    assert tab.page.evaluate(RUN_AXE, options) == []
    assert tab.faults == []
    assert [url for url in tab.requests if not url.startswith("data:")] == [addresses[name]]


def test_dark_mode_is_dark_and_readable(browser: Browser, addresses: dict[str, str]):
    page = browser.new_page(color_scheme="dark", viewport={"width": 1200, "height": 900})
    page.goto(addresses["typical"])
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", colour)[:3])) < 60
    page.evaluate(AXE)
    only = {"runOnly": {"type": "rule", "values": [CONTRAST]}, "resultTypes": ["violations"]}
    assert page.evaluate(RUN_AXE, only) == []
    page.close()


@pytest.mark.parametrize("name", ["typical", "pathological"])
@pytest.mark.parametrize("width", [320, 768, 2400])
def test_no_horizontal_scroll(tab: Watched, addresses: dict[str, str], name: str, width: int):
    tab.page.set_viewport_size({"width": width, "height": 900})
    tab.page.goto(addresses[name])
    reach = tab.page.evaluate("document.documentElement.scrollWidth")
    assert reach <= width


def test_the_page_reads_without_scripts(browser: Browser, addresses: dict[str, str]):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(addresses["typical"])
    page.locator(".main-value .value").first.click()
    card = page.locator(".main-value .card").first
    assert card.is_visible()
    assert "krippendorff_alpha|distance:nominal" in card.inner_text()
    assert page.locator("[data-copy]:visible").count() == 0
    assert page.locator("details.document svg").first.is_visible()
    context.close()


def test_one_click_copies_a_sentence_and_its_bibtex(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["typical"])
    tab.page.locator(".main-value .value").first.click()
    card = tab.page.locator(".main-value .card").first
    card.locator("[data-copy]").nth(0).click()
    sentence = tab.page.evaluate("navigator.clipboard.readText()")
    assert sentence.startswith("For stance (Coastal news, spring campaign), Krippendorff’s α was")
    card.locator("[data-copy]").nth(1).click()
    assert tab.page.evaluate("navigator.clipboard.readText()").startswith("@book{krippendorff2004")
    assert tab.faults == []


def test_the_keyboard_reaches_values_and_units(tab: Watched, addresses: dict[str, str]):
    page = tab.page
    page.goto(addresses["typical"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert "value" in page.evaluate("document.activeElement.className")
    page.keyboard.press("Enter")
    assert page.locator(".card:popover-open").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".card:popover-open").count() == 0
    picture = page.locator("svg.alignment").first
    picture.locator('.unit[tabindex="0"]').focus()
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != first
    assert picture.locator(".unit.on").count() >= 1
    assert picture.locator(".unit[tabindex='0']").count() == 1


def test_pointing_at_a_unit_lights_up_its_alignment(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["typical"])
    picture = tab.page.locator("svg.alignment").first
    unit = picture.locator(".unit:not(.alone)").first
    unit.hover()
    wanted = unit.get_attribute("data-t")
    lit = picture.locator(".on").evaluate_all("all => all.map((one) => one.dataset.t)")
    assert len(lit) >= 3
    assert set(lit) == {wanted}


def test_documents_are_filtered_by_name(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["typical"])
    tab.page.locator("#alignment-filter").fill("COUNCIL")
    assert tab.page.locator("details.document:visible").count() == 2
    assert tab.page.locator("output").inner_text() == "2 shown"


def test_tables_are_sorted_by_number(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["typical"])
    table = tab.page.locator("#distribution table.sortable").first
    head = table.locator("th button", has_text="Total")
    head.click()
    totals = table.locator("tbody tr").evaluate_all("r => r.map((x) => +x.cells[1].dataset.sort)")
    assert totals == sorted(totals)
    head.click()
    totals = table.locator("tbody tr").evaluate_all("r => r.map((x) => +x.cells[1].dataset.sort)")
    assert totals == sorted(totals, reverse=True)
    assert table.locator("th[aria-sort='descending']").count() == 1


def test_printed_on_a4(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["large"])
    printed = tab.page.pdf(prefer_css_page_size=True, print_background=True)
    assert printed.startswith(b"%PDF")
    boxes = {
        tuple(round(float(number)) for number in box.split())
        for box in re.findall(rb"/MediaBox\s*\[([^\]]+)\]", printed)
    }
    assert len(boxes) == 1
    (box,) = boxes
    assert box[2:] == pytest.approx((595, 842), abs=1)
    # figures are whole on a sheet: none is taller than the space of one
    tab.page.emulate_media(media="print")
    tab.page.set_viewport_size({"width": 673, "height": 986})  # 178 × 261 mm at 96 px an inch
    tallest = tab.page.evaluate(
        "Math.max(...[...document.querySelectorAll('figure, .chart')]"
        ".map((f) => f.getBoundingClientRect().height))"
    )
    assert tallest < 986


def test_a_large_page_shows_at_once(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["large"], wait_until="load")
    paint = json.loads(
        tab.page.evaluate("JSON.stringify(performance.getEntriesByName('first-contentful-paint'))")
    )
    assert paint
    assert paint[0]["startTime"] < 3000  # under 1 s on a machine that does nothing else
    assert tab.faults == []
