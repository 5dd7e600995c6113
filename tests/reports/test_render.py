"""The page as text: well formed, self-contained, escaped, the same every time, not too heavy."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from accordeur.reports.errors import ReportError
from accordeur.reports.language import Code
from accordeur.reports.portfolio.index import render_campaign, render_index
from accordeur.reports.portfolio.run_comparison_page import render_comparison
from accordeur.reports.render import (
    render,
    render_calibration,
    render_document,
    render_study,
)
from accordeur.reports.results import Results
from tests.reports import samples
from tests.reports.html_check import checked

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
MEGABYTE = 2**20
SAMPLES = [samples.typical, samples.pathological, samples.empty, samples.agreed, samples.bare]


@cache
def page_of(sample: Callable[[], Results], language: Code = "en") -> str:
    return render(sample(), language=language)


def _body(page: str) -> str:
    """Without styles and scripts, which the golden reports have."""
    return page[page.index("<main") : page.index("</main>")]


GOLDEN_PAGES: dict[str, Callable[[], str]] = {
    "report-en.html": lambda: page_of(samples.typical, "en"),
    "report-fr.html": lambda: page_of(samples.typical, "fr"),
    "index-fr.html": lambda: _body(render_index(samples.index(), language="fr")),
    "campaign-en.html": lambda: _body(render_campaign(samples.index().campaigns[0], "0.1.0")),
    "comparison-en.html": lambda: _body(render_comparison(samples.comparison())),
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("sample", SAMPLES)
def test_the_page_is_well_formed_and_asks_nobody_for_anything(sample, language):
    check = checked(page_of(sample, language))
    assert check.faults == []
    assert check.open == []
    assert [name for name, n in check.identifiers.items() if n > 1] == []
    assert [name for name in check.references if name not in check.identifiers] == []
    for tag, name, address in check.addresses:
        inside = address.startswith("#") and address[1:] in check.identifiers
        beside = tag == "a" and not re.match(r"^([a-z]+:|//)", address)
        held = address == "data:," or address.startswith("data:application/x-bibtex;")
        assert inside or beside or held, (tag, name, address)


@pytest.mark.parametrize(("language", "verb"), [("en", " was "), ("fr", " vaut ")])
def test_sentences_to_quote_state_one_value_of_a_fact(language, verb):
    """Ana is scored against the reference of the systems, and against one without Ana."""
    found: dict[str, set[str]] = {}
    page = page_of(samples.typical, language)
    for cell in re.findall(r'<dd id="[^"]*-s">(.*?)</dd>', page, re.DOTALL):
        about, _, value = html.unescape(re.sub("<[^>]+>", "", cell)).partition(verb)
        found.setdefault(about, set()).add(value)
    assert len(found) > 80
    assert {about for about, values in found.items() if about.startswith(("For Ana", "Pour Ana"))}
    assert {about: values for about, values in found.items() if len(values) > 1} == {}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_are_printed_not_run(language):
    page = page_of(samples.pathological, language)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;" in page
    assert len(checked(page).scripts) == 1
    assert "</style><b>" not in page


def test_the_content_security_policy_admits_the_one_script():
    page = page_of(samples.typical)
    (script,) = checked(page).scripts
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in page or f"'sha256-{digest}'" in page
    assert "default-src 'none'" in page


def test_every_undefined_value_has_its_reason():
    page = page_of(samples.pathological)
    words = " ".join(checked(page).words)
    assert "No item has labels of two annotators" in words
    assert "Nobody marked a unit" in words
    assert " nan" not in words
    assert "NaN" not in words


def test_the_same_results_give_the_same_page():
    assert render(samples.typical()) == page_of(samples.typical)


def test_results_survive_json():
    results = samples.pathological()
    again = Results.model_validate_json(results.model_dump_json())
    assert render(again) == page_of(samples.pathological)


@pytest.mark.parametrize("name", GOLDEN_PAGES)
def test_golden_page(name):
    """Changed on purpose? `python -m tests.reports.update_golden`, then read the diff."""
    expected = (GOLDEN / name).read_text(encoding="utf-8")
    found = GOLDEN_PAGES[name]()
    for number, (a, b) in enumerate(
        zip(found.splitlines(), expected.splitlines(), strict=False), 1
    ):
        assert a == b, f"line {number} differs from the golden page"
    assert found == expected


def test_the_page_of_a_large_campaign_stays_light():
    results = samples.large()
    page = render(results)
    assert len(page.encode()) < 1.5 * MEGABYTE
    assert "900 more in results.json beside this page." in page


@pytest.mark.long
def test_100_000_documents_stay_below_10_megabytes():
    page = render(samples.large(100_000))
    assert len(page.encode()) < 10 * MEGABYTE


def test_the_page_of_one_document():
    page = render_document(samples.typical(), "entities", "harbour-02")
    check = checked(page)
    assert check.faults == []
    assert page.count('class="chart alignment"') == 1
    assert "Nobody" in page
    assert "<title>harbour-02 · " in page
    with pytest.raises(ReportError, match="no alignment of document 'nowhere'"):
        render_document(samples.typical(), "entities", "nowhere")


def test_pages_of_studies_and_calibrations_begin_with_their_result():
    calibration = render_calibration(samples.calibration())
    assert "from 0.25 to 4: γ lies between 0.700 and 0.780. At least 90.0% of the" in calibration
    for page in (render_study(samples.study()), render_study(samples.simulation()), calibration):
        assert re.findall(r'<section id="\w+" aria-labelledby="(\w+)', page)[0] in (
            "answer",
            "result",
        )
        assert page.index('<details class="fold">', page.index('id="reproduce"'))
    simulation = render_study(samples.simulation())
    assert "Your Krippendorff’s α" in simulation  # beside Aickin’s α


def test_a_private_document_page_has_no_text():
    results = samples.typical()
    private = results.campaign.model_copy(update={"privacy": True})
    page = render_document(
        results.model_copy(update={"campaign": private}), "entities", "harbour-02"
    )
    assert "Paul Deschamps" not in page


def test_the_index_lists_campaigns_by_the_distance_from_the_threshold() -> None:
    index = samples.index()
    failed = next(one for one in index.campaigns if one.outcome == "fail")
    margins = {"short by 02": 0.02, "short by 30": 0.3, "short by 10": 0.1}
    campaigns = [
        failed.model_copy(
            update={
                "name": name,
                "gates": [
                    failed.gates[0].model_copy(
                        update={"value": 0.7 - by, "threshold": 0.7, "last": None}
                    )
                ],
            }
        )
        for name, by in margins.items()
    ]
    page = render_index(index.model_copy(update={"campaigns": campaigns}))
    assert sorted(margins, key=page.index) == ["short by 30", "short by 10", "short by 02"]
