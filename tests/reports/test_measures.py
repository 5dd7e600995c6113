"""Names, chance models and references of the measures."""

from __future__ import annotations

from accordeur.metrics.agreement.coefficients import COEFFICIENTS
from accordeur.metrics.agreement.sources import SOURCES
from accordeur.reports.bibliography import bibliography, in_words
from accordeur.reports.language import LANGUAGES, Language
from accordeur.reports.measures import MEASURES, measure_of, variant_of
from accordeur.reports.page.values import measure_name


def test_every_measure_has_a_name_in_every_language():
    for code in LANGUAGES:
        say = Language(code)
        assert [key for key in MEASURES if not say.knows(f"measure.{key}.name")] == []


def test_every_coefficient_on_items_is_named_and_says_its_chance_model():
    for code in LANGUAGES:
        say = Language(code)
        for name in COEFFICIENTS:
            assert name in MEASURES
            assert say(f"measure.{name}.chance")


def test_coefficients_cite_the_source_that_they_are_computed_from():
    key_of = {bibtex: key for key, (_, bibtex) in SOURCES.items()}
    for name, spec in COEFFICIENTS.items():
        assert MEASURES[name].entry == key_of[spec.bibtex], name


def test_a_weighted_slot_error_rate_cites_those_who_weighed_it():
    assert MEASURES["slot_error_rate"].citation == "Makhoul et al. 1999"
    assert MEASURES["weighted_slot_error_rate"].citation == "Grouin et al. 2011"


def test_every_citation_has_its_bibtex():
    entries = bibliography()
    cited = {measure.entry for measure in MEASURES.values() if measure.entry}
    assert cited <= set(entries)
    for key, entry in entries.items():
        assert entry.startswith("@")
        assert entry.count("{") == entry.count("}"), key
        year = key[-4:]
        assert f"year = {{{year}}}" in entry, key


def test_entries_are_told_in_words():
    entries = bibliography()
    assert in_words(entries["mathet2015"]) == (
        "Mathet, Yann; Widlöcher, Antoine; Métivier, Jean-Philippe (2015). The Unified and "
        "Holistic Method Gamma (γ) for Inter-Annotator Agreement Measure and Alignment. "
        "Computational Linguistics 41(3), 437–479."
    )
    for key, entry in entries.items():
        said = in_words(entry)
        assert not set(said) & set("{}$\\"), key
        assert f"({key[-4:]})" in said
        assert said.endswith(".")


def test_citations_give_the_year_of_their_entry():
    for measure in MEASURES.values():
        if measure.entry:
            assert measure.entry[-4:] in measure.citation, measure.key


def test_variants_of_a_score():
    assert variant_of("exact_f") == ("exact", "f")
    assert variant_of("percent_agreement") == ("", "percent_agreement")
    assert measure_of("partial_recall").symbol == "R"
    assert measure_name(Language("en"), "exact_f") == "F-measure, exact match"


def test_an_unknown_measure_keeps_its_name():
    assert measure_of("my_measure").symbol == ""
    assert measure_name(Language("fr"), "my_measure") == "my measure"
