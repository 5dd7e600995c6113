"""The page in Chromium: no error, no request, for everyone, on every screen and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from accordeur.flows.campaign.adjudication.decisions import read_decisions
from accordeur.metrics.item_name import ItemName
from accordeur.reports.portfolio.index import render_campaign, render_index
from accordeur.reports.portfolio.run_comparison_page import render_comparison
from accordeur.reports.render import (
    render,
    render_audit,
    render_calibration,
    render_document,
    render_study,
)
from accordeur.reports.results import Release
from tests.reports import samples
from tests.reports.browser import (
    Watched,
    launched,
    n_pages,
    open_all,
    pages_of_the_brief,
    violations,
)

pytestmark = pytest.mark.browser
WIDE: ViewportSize = {"width": 1200, "height": 900}


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with launched(chromium) as browser:
        yield browser


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Pages on disk: their names and their file addresses."""
    folder: Path = tmp_path_factory.mktemp("pages")
    campaign = samples.typical().campaign.model_copy(update={"privacy": True})
    private = samples.typical().model_copy(update={"campaign": campaign})
    index = samples.index()
    release = Release(missing=["Annotation process"])
    pages = {
        "typical": render(samples.typical()),
        "french": render(samples.typical(), language="fr"),
        "pathological": render(samples.pathological()),
        "large": render(samples.large()),
        "agreed": render(samples.agreed()),
        "objects": render(samples.objects()),
        "bare": render(samples.bare(), language="fr"),
        "private": render(private),
        "document": render_document(samples.typical(), "entities", "harbour-01", language="fr"),
        "study": render_study(samples.study()),
        "simulation": render_study(samples.simulation(), language="fr"),
        "calibration": render_calibration(samples.calibration()),
        "index": render_index(index),
        "weekly": render_campaign(index.campaigns[0], index.version, language="fr"),
        "comparison": render_comparison(samples.comparison()),
        "audit": render(samples.typical().model_copy(update={"release": release})),
        "brief": render_audit(samples.typical().model_copy(update={"release": release})),
        "brief-fr": render_audit(samples.large(), language="fr"),
    }
    found = {}
    for name, page in pages.items():
        path = folder / f"{name}.html"
        path.write_text(page, encoding="utf-8")
        found[name] = path.as_uri()
    return found


@pytest.fixture
def tab(browser: Browser) -> Iterator[Watched]:
    context = browser.new_context(viewport=WIDE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page())
    yield watched
    context.close()


@pytest.fixture(scope="module")
def opened(
    request: pytest.FixtureRequest, browser: Browser, addresses: dict[str, str]
) -> Iterator[tuple[str, Watched]]:
    """The name of a page, and the tab in which its folds are open, for tests that only look."""
    context = browser.new_context(viewport=WIDE)
    watched = Watched(context.new_page())
    watched.page.goto(addresses[request.param])
    if request.param != "pathological":  # whose 300 categories, all open, take axe a minute
        open_all(watched.page)
    yield request.param, watched
    context.close()


OVER_RUNS = ["index", "weekly", "comparison"]
UNUSUAL = ["pathological", "french", "private", "audit"]
OTHERS = ["objects", "study", "simulation", "calibration", "brief", "brief-fr", *OVER_RUNS]


def first_of(*names: str) -> list[object]:
    """The first of these pages for every run, and the others for CI."""
    return [names[0], *(pytest.param(name, marks=pytest.mark.long) for name in names[1:])]


@pytest.mark.parametrize(
    "opened",
    first_of("typical", "agreed", "bare", "document", *OTHERS, *UNUSUAL),
    indirect=True,
)
def test_no_error_no_request_no_violation(opened: tuple[str, Watched], addresses: dict[str, str]):
    name, tab = opened
    tab.page.set_viewport_size(WIDE)
    assert violations(tab.page, contrast=name in ("typical", *OTHERS)) == []
    if name in ("agreed", "bare"):  # below the verdict, their colours are those of the typical page
        assert violations(tab.page, only_contrast=True, within="#verdict") == []
    assert tab.faults == []
    assert tab.requests == [addresses[name]]


@pytest.mark.long
@pytest.mark.parametrize("name", first_of("typical", "agreed", "brief", *OVER_RUNS))
def test_dark_mode_is_dark_and_readable(browser: Browser, addresses: dict[str, str], name: str):
    page = browser.new_page(color_scheme="dark", viewport=WIDE)
    page.goto(addresses[name])
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", colour)[:3])) < 60
    assert violations(page, only_contrast=True) == []
    page.close()


@pytest.mark.parametrize("name", first_of("typical", "pathological", "french", "agreed"))
def test_no_horizontal_scroll(tab: Watched, addresses: dict[str, str], name: str):
    tab.page.goto(addresses[name])
    for width in (320, 768, 2400):
        tab.page.set_viewport_size({"width": width, "height": 900})
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_page_reads_without_scripts(browser: Browser, addresses: dict[str, str]):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(addresses["typical"])
    page.locator(".main-value .value").first.click()
    card = page.locator(".main-value .card").first
    assert card.is_visible()
    assert "krippendorff_alpha|distance:nominal" in card.inner_text()
    assert page.locator("[data-copy]:visible, .theme:visible, .tools:visible").count() == 0
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
    assert page.evaluate("document.activeElement.parentElement.className") == "outcome fail"
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


def test_closed_sections_say_what_is_inside_and_open_for_a_link_or_a_search(
    tab: Watched, addresses: dict[str, str]
):
    page = tab.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(addresses["typical"])
    closed = page.locator("main > details:not([open])")
    assert closed.count() > 10
    assert all(closed.locator("> summary .inside").all_inner_texts())
    assert page.evaluate("document.documentElement.scrollHeight") <= 9 * 720
    page.locator(".data-line a[href='#validation']").click()
    assert page.locator("#validation").is_visible()
    page.goto(f"{addresses['french']}#bib-krippendorff2004")
    assert page.locator("#references").is_visible()
    assert tab.faults == []


def test_documents_are_filtered_by_name(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["typical"])
    tools = tab.page.locator("#alignments .tools")
    tools.get_by_role("searchbox").fill("COUNCIL")
    assert tab.page.locator("details.document:visible").count() == 2
    assert tools.locator("output").inner_text() == "2 shown"


def test_disagreements_are_filtered_and_searched(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["typical"])
    cards = tab.page.locator(".disagreement:visible")
    tools = tab.page.locator("#disagreements .filters")
    assert cards.count() == 2
    for field, value, where in (
        ("Layer", "stance", "item 17"),
        ("Cause", "missing", "211–225"),
        ("Category", "organisation", "211–225"),
        ("Batch", "main", "item 17"),
        ("Document", "harbour-01", "211–225"),
    ):
        tools.get_by_label(field, exact=True).select_option(label=value)
        assert cards.count() == 1, field
        assert where in cards.first.inner_text()
        assert tools.locator("output").inner_text() == "1 shown"
        tools.get_by_role("button", name="Show all").click()
        assert cards.count() == 2
    tools.get_by_role("searchbox").fill("QUAY")
    assert cards.count() == 1
    assert violations(tab.page, contrast=False, within="#disagreements") == []
    assert tab.faults == []


def test_a_confusion_and_a_document_open_their_disagreements(
    tab: Watched, addresses: dict[str, str]
):
    tab.page.goto(addresses["typical"])
    tab.page.locator("nav a[href='#parts']").click()
    cell = tab.page.locator(".confusion td a").first
    assert cell.inner_text() == "8"
    cell.click()
    cards = tab.page.locator(".disagreement:visible")
    assert cards.count() == 1
    assert "item 17" in cards.first.inner_text()
    shown = tab.page.locator("#disagreements .filters output").inner_text()
    assert shown == "Bruno: against, Chloé: neutral – 1 shown"
    tab.page.locator("#disagreements").get_by_role("button", name="Show all").click()
    tab.page.locator("nav a[href='#parts-2']").click()
    link = tab.page.locator("[id^=parts] svg a[aria-label^='harbour-01']")
    link.focus()
    tab.page.keyboard.press("Enter")
    assert "harbour-01" in cards.first.inner_text()
    assert cards.count() == 1
    assert tab.faults == []


def test_without_a_script_a_confusion_leads_to_its_disagreement(
    browser: Browser, addresses: dict[str, str]
):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(addresses["typical"])
    page.locator("nav a[href='#parts']").click()
    page.locator(".confusion td a").first.click()
    assert page.locator(".disagreement:target").count() == 1
    assert "item 17" in page.locator(".disagreement:target").inner_text()
    context.close()


def test_decisions_are_kept_and_saved_as_the_file_that_adjudication_reads(
    tab: Watched, addresses: dict[str, str], tmp_path: Path
):
    page = tab.page
    page.goto(addresses["typical"])
    save = page.get_by_role("button", name="decisions (CSV)")
    assert save.is_disabled()
    cards = page.locator(".disagreement")
    unit, item = cards.nth(0), cards.nth(1)
    unit.get_by_label("Decision").select_option("(nothing)")
    item.get_by_label("Decision").select_option("for")
    item.get_by_label("Why").fill('=the "second" sentence')
    item.get_by_label("Why").blur()
    assert save.is_disabled()  # nobody has decided yet
    page.get_by_label("Decided by").fill("Erik")
    page.reload()
    assert item.get_by_label("Decision").input_value() == "for"
    with page.expect_download() as download:
        page.get_by_role("button", name="Save 2 decisions (CSV)").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    decisions = dict(read_decisions(path))
    assert {(one.case, one.who, one.why) for one in decisions.values()} == {
        ("harbour-01|Ana=211-225:organisation;Chloé=215-225:person", "Erik", ""),
        (ItemName("document-04", "item 17"), "Erik", '=the "second" sentence'),
    }
    assert not decisions["entities"].keep
    assert decisions["stance"].category == "for"
    assert tab.faults == []


def test_terms_are_defined_where_they_stand_and_in_a_list(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["french"])
    term = tab.page.locator("#items th abbr", has_text="pₒ").first
    meaning = term.get_attribute("title")
    assert meaning
    assert meaning.startswith("Accord observé")
    tab.page.get_by_text("Termes", exact=True).click()
    listed = tab.page.locator("#terms dd").all_inner_texts()
    assert meaning in listed
    titles = tab.page.locator("th abbr").evaluate_all("all => all.map((one) => one.title)")
    assert set(titles) <= set(listed)


def test_a_long_table_is_searched_and_sorted_with_its_folded_rows(
    tab: Watched, addresses: dict[str, str]
):
    tab.page.goto(f"{addresses['large']}#parts")
    block = tab.page.locator("#parts .table", has_text="By document").last
    rows = block.locator("tbody tr")
    n_open = block.locator("> .scroll tbody tr").count()
    assert n_open < rows.count()
    block.locator("thead th button", has_text="Value").first.click()
    values = rows.evaluate_all("r => r.map((x) => +x.cells[2].dataset.sort)")
    assert values == sorted(values)
    assert block.locator("> .scroll tbody tr").count() == n_open
    block.get_by_role("searchbox").fill("document-0001")
    shown = rows.filter(visible=True).locator("th").all_inner_texts()
    assert shown
    assert all("document-0001" in name for name in shown)
    assert block.locator("output").inner_text() == f"{len(shown)} shown"


def test_the_chosen_colours_are_kept(tab: Watched, addresses: dict[str, str]):
    paper = "getComputedStyle(document.body).backgroundColor"
    tab.page.goto(addresses["typical"])
    light = tab.page.evaluate(paper)
    tab.page.get_by_role("radio", name="Dark").check()
    dark = tab.page.evaluate(paper)
    assert dark != light
    tab.page.reload()
    assert tab.page.evaluate(paper) == dark
    assert tab.page.get_by_role("radio", name="Dark").is_checked()
    tab.page.emulate_media(media="print")
    assert tab.page.evaluate(paper) == "rgb(255, 255, 255)"
    tab.page.emulate_media(media="screen", color_scheme="dark")
    tab.page.get_by_role("radio", name="Light").check()
    assert tab.page.evaluate(paper) == light
    tab.page.get_by_role("radio", name="Auto").check()
    assert tab.page.evaluate(paper) == dark
    assert tab.faults == []


HIDDEN = """() => [...document.querySelectorAll('table')].filter((table) => {
    const box = table.closest('.scroll');
    if (box.scrollWidth <= box.clientWidth + 1) return false;
    const first = getComputedStyle(table.querySelector('th:first-child'));
    return getComputedStyle(box).overflowX !== 'auto' || first.position !== 'sticky';
}).map((table) => table.caption.textContent)"""


CUT = """() => [...document.querySelectorAll('.scroll')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.textContent.slice(0, 80))"""


@pytest.mark.parametrize(
    "opened",
    first_of("typical", "large", "document", *OTHERS, *UNUSUAL),
    indirect=True,
)
def test_on_a_phone_every_table_can_be_read(opened: tuple[str, Watched]):
    """Rows are cards with the names of the columns; a matrix scrolls beside its first column."""
    name, page = opened[0], opened[1].page
    page.set_viewport_size({"width": 390, "height": 844})
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(HIDDEN) == []
    stacked = page.locator("table.cards td:not(.strip):visible").evaluate_all(
        "cells => cells.map((cell) => getComputedStyle(cell, '::before').content)"
    )
    assert stacked or name == "document"
    assert "none" not in stacked
    if name in OTHERS:
        assert violations(page, contrast=False) == []  # the colours are those of a wide screen
        page.set_viewport_size({"width": 320, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_tables_are_sorted_by_number(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(f"{addresses['typical']}#distribution")
    table = tab.page.locator("#distribution table.sortable").first
    head = table.locator("th button", has_text="Total")
    head.click()
    totals = table.locator("tbody tr").evaluate_all("r => r.map((x) => +x.cells[1].dataset.sort)")
    assert totals == sorted(totals)
    head.click()
    totals = table.locator("tbody tr").evaluate_all("r => r.map((x) => +x.cells[1].dataset.sort)")
    assert totals == sorted(totals, reverse=True)
    assert table.locator("th[aria-sort='descending']").count() == 1


@pytest.mark.long
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


@pytest.mark.parametrize("name", ["brief", "brief-fr"])
def test_the_audit_page_prints_on_four_sheets(tab: Watched, addresses: dict[str, str], name: str):
    tab.page.goto(addresses[name])
    assert n_pages(tab.page) <= 4
    tab.page.emulate_media(media="print")
    assert not tab.page.get_by_text("Appendix", exact=True).is_visible()


@pytest.mark.parametrize("name", first_of("brief", *OVER_RUNS))
def test_on_paper_nothing_is_cut(tab: Watched, addresses: dict[str, str], name: str):
    tab.page.emulate_media(media="print")
    tab.page.set_viewport_size({"width": 673, "height": 986})
    tab.page.goto(addresses[name])
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 673
    assert tab.page.evaluate(CUT) == []


@pytest.mark.long
def test_paper_has_a_brief_first_and_then_everything_unfolded(
    browser: Browser, addresses: dict[str, str]
):
    """Without scripts, too: nothing closed is left out, no marker of a fold is printed."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(addresses["typical"])
    page.emulate_media(media="print")
    of = "(one, name) => getComputedStyle(one)[name]"
    appendix = page.get_by_text("Appendix", exact=True)
    assert appendix.is_visible()
    assert appendix.evaluate(of, "breakBefore") == "page"
    assert page.locator("nav.contents, .theme, .copy").filter(visible=True).count() == 0
    head = page.locator("thead").first
    assert head.evaluate(of, "breakAfter") == "avoid"
    assert head.evaluate(of, "breakInside") == "avoid"  # else Chromium does not repeat it
    markers = page.locator("summary:visible").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).listStyleType)"
    )
    assert set(markers) == {"none"}
    folds = page.locator("main details:not([open]):visible")
    assert folds.count() > 3
    for fold in folds.all():
        assert fold.locator("> :not(summary)").first.bounding_box() is not None
    context.close()


@pytest.mark.parametrize("name", ["typical", "large", "agreed"])
def test_the_brief_has_two_pages_at_most(tab: Watched, addresses: dict[str, str], name: str):
    tab.page.goto(addresses[name])
    assert 1 <= pages_of_the_brief(tab.page) <= 2


def test_the_page_of_a_document_leads_back_and_keeps_decisions(
    tab: Watched, addresses: dict[str, str]
):
    tab.page.goto(addresses["document"])
    back = tab.page.locator(".eyebrow a")
    assert back.get_attribute("href") == "../report.html"
    assert tab.page.locator("h1").inner_text() == "harbour-01"
    assert tab.page.locator(".disagreement").count() == 1
    assert tab.page.locator(".disagreement select").count() == 1


def test_a_count_of_disagreements_opens_those_of_its_cause(tab: Watched, addresses: dict[str, str]):
    tab.page.goto(addresses["typical"])
    table = tab.page.locator("#disagreements .table").first
    table.get_by_role("link", name="1").first.click()
    cards = tab.page.locator(".disagreement:visible")
    assert cards.count() == 1
    chosen = tab.page.locator("#disagreements .filters").get_by_label("Cause", exact=True)
    assert cards.first.get_attribute("data-cause") == chosen.input_value()


def test_a_large_page_shows_before_its_scripts_run(browser: Browser, addresses: dict[str, str]):
    """Its text and figures stand in the page; no script and no request has to put them there."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(addresses["large"])
    assert page.locator(".main-value .value").first.is_visible()
    assert page.locator("main svg").first.is_visible()
    context.close()
