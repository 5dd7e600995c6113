"""Privacy mode: no source text in the page, in either language."""

from __future__ import annotations

import html
from collections.abc import Iterable

import pytest

from accordeur.reports.privacy import without_text
from accordeur.reports.render import render
from accordeur.reports.results import Results
from tests.reports import samples
from tests.reports.samples.parts import TEXTS

SECRETS = [
    *TEXTS.values(),
    "Marie Lambert",
    "Paul Deschamps",
    "They said the quay would be ready",
    "agianst",
]


def find_leaks(page: str, forbidden: Iterable[str]) -> list[str]:
    """The forbidden strings that the page holds, raw or escaped."""
    return [text for text in forbidden if text in page or html.escape(text) in page]


def _private() -> Results:
    results = samples.typical()
    campaign = results.campaign.model_copy(update={"privacy": True})
    return results.model_copy(update={"campaign": campaign})


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_source_text_in_a_private_page(language):
    page = render(_private(), language=language)
    assert find_leaks(page, SECRETS) == []


def test_the_same_page_without_privacy_holds_them():
    page = render(samples.typical())
    assert "Marie Lambert" in find_leaks(page, SECRETS)


def test_results_without_text_serialise_without_it():
    assert find_leaks(without_text(samples.typical()).model_dump_json(), SECRETS) == []


def test_a_leak_is_found_escaped_too():
    assert find_leaks("<p>O&#x27;Brien</p>", ["O'Brien"]) == ["O'Brien"]


def test_the_text_that_a_disagreement_quotes_is_cut():
    results = _private()
    quoting = results.disagreements[0].model_copy(
        update={"said": {"Ana": "person “Marie Lambert”", "Bruno": ""}}
    )
    page = render(results.model_copy(update={"disagreements": [quoting]}))
    assert "Marie Lambert" not in page
    assert ">person<" in page
