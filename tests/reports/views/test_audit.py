"""The audit page: claims with their intervals, numbers cut short, limits, how to check."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from accordeur.reports.language import AUDIT, LANGUAGES, Code, Language
from accordeur.reports.render import render_audit
from accordeur.reports.results import Release, Results
from accordeur.reports.views.audit import N_GATES, N_ROWS, N_WARNINGS
from tests.reports import samples
from tests.reports.html_check import checked, english_in


def text_of(page: str, section: str = "report") -> str:
    found = re.search(rf'id="{section}".*?</(section|main)>', page, re.DOTALL)
    assert found is not None
    body = re.sub(r"<style.*?</style>|<script.*?</script>", "", found[0], flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "sample",
    [samples.typical, samples.pathological, samples.large, samples.empty, samples.bare],
)
def test_it_is_well_formed_for_any_results(sample: Callable[[], Results], language: Code):
    check = checked(render_audit(sample(), language=language))
    assert (check.faults, check.open) == ([], [])
    assert [name for name, n in check.identifiers.items() if n > 1] == []
    assert [name for name in check.references if name not in check.identifiers] == []
    for _, name, address in check.addresses:
        if address.startswith("#"):
            assert address[1:] in check.identifiers, (name, address)


def test_a_claim_has_its_value_its_threshold_and_its_interval():
    claims = text_of(render_audit(samples.typical()), "claims")
    assert "1 failed and 2 passed" in claims
    value = "Krippendorff’s α, stance: 0.641; the campaign requires ≥ 0.667."
    assert f"{value} 95% CI [0.587, 0.655]." in claims
    assert "Licence CC BY 4.0" in claims


def test_without_gates_nothing_is_claimed():
    results = samples.typical().model_copy(update={"gates": []})
    claims = text_of(render_audit(results), "claims")
    assert "this release makes no claim about its agreement" in claims
    assert "Every claim" not in claims


def test_systems_stand_apart_from_agreement():
    page = render_audit(samples.typical())
    assert "tagger" not in text_of(page, "numbers")
    systems = text_of(page, "systems")
    assert "tagger-A on entities" in systems
    assert "α" not in systems


def test_missing_statement_and_warnings_are_limits():
    release = Release(missing=["licence", "Speech situation"])
    results = samples.typical().model_copy(update={"release": release})
    limits = text_of(render_audit(results), "limits")
    assert "Not stated by the authors Licence Speech situation" in limits
    assert "3 rows rejected; no number here" in limits


def test_long_lists_are_cut_and_say_so():
    results = samples.large()
    many = results.model_copy(
        update={
            "gates": samples.typical().gates * 20,
            "alerts": [*samples.typical().alerts] * 20,
            "items": [*samples.typical().items] * 20,
        }
    )
    page = render_audit(many)
    assert text_of(page, "claims").count("the campaign requires") == N_GATES
    n_more = len(many.gates) - N_GATES
    assert f"The full report has {n_more} more claims." in text_of(page, "claims")
    assert text_of(page, "limits").count("3 rows rejected") == N_WARNINGS
    assert re.search(r"The full report has \d+ more values", text_of(page, "numbers"))
    labels = page[page.index('id="numbers"') :].split("</table>")[0]
    assert labels.count("<tr>") == N_ROWS + 1


def test_the_french_page_has_no_english_sentence():
    results = samples.typical()
    names = [results.campaign.name, results.campaign.description, *results.campaign.tagset]
    assert english_in(render_audit(results, language="fr"), names=names) == []


def test_in_privacy_mode_no_campaign_file_is_listed():
    results = samples.typical()
    private = results.model_copy(
        update={"campaign": results.campaign.model_copy(update={"privacy": True})}
    )
    assert "campaign.toml" in text_of(render_audit(results), "check")
    assert "only their owners" not in text_of(render_audit(results), "check")
    assert "campaign.toml" not in text_of(render_audit(private), "check")
    assert "only their owners can run the last command" in text_of(render_audit(private), "check")


def test_commands_are_the_same_in_every_language():
    pages = [render_audit(samples.typical(), language=code) for code in LANGUAGES]
    commands = [
        re.findall(r"<code[^>]*>(accordeur [^<]+|sha256sum [^<]+)<", page) for page in pages
    ]
    assert commands[0] == commands[1]
    assert len(commands[0]) == 4
    assert Language("fr", AUDIT)("audit.claims") == "Affirmations"
