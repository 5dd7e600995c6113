"""Names, chance models and references of the measures."""

from __future__ import annotations

from accordeur.metrics.measures import ITEMS, MEASURES, measure_of, split_variant
from accordeur.reports.bibliography import author_year_citation, bibliography, formatted_reference
from accordeur.reports.language import LANGUAGES, Language
from accordeur.reports.measure_facts import facts
from accordeur.reports.page.values import measure_name


def test_every_measure_has_a_name_in_every_language():
    for code in LANGUAGES:
        say = Language(code)
        assert [key for key in MEASURES if not say.knows(f"measure.{key}.name")] == []


def test_every_coefficient_on_items_is_named_and_says_its_chance_model():
    for code in LANGUAGES:
        say = Language(code)
        for name in ITEMS:
            assert say(f"measure.{name}.chance")


def test_a_weighted_slot_error_rate_cites_those_who_weighed_it():
    assert author_year_citation(MEASURES["slot_error_rate"].sources) == "Makhoul et al. 1999"
    assert (
        author_year_citation(MEASURES["weighted_slot_error_rate"].sources) == "Grouin et al. 2011"
    )


def test_every_citation_has_its_bibtex():
    entries = bibliography()
    cited = {source for measure in MEASURES.values() for source in measure.sources}
    assert cited <= set(entries)
    for key, entry in entries.items():
        assert entry.startswith("@")
        assert entry.count("{") == entry.count("}"), key
        year = key[-4:]
        assert f"year = {{{year}}}" in entry, key


def test_entries_are_told_in_words():
    entries = bibliography()
    assert formatted_reference(entries["mathet2015"]) == (
        "Mathet, Yann; Widlöcher, Antoine; Métivier, Jean-Philippe (2015). The Unified and "
        "Holistic Method Gamma (γ) for Inter-Annotator Agreement Measure and Alignment. "
        "Computational Linguistics 41(3), 437–479."
    )
    for key, entry in entries.items():
        said = formatted_reference(entry)
        assert not set(said) & set("{}$\\"), key
        assert f"({key[-4:]})" in said
        assert said.endswith(".")


def test_works_are_cited_by_their_authors_and_year():
    assert author_year_citation(["mathet2015"]) == "Mathet, Widlöcher & Métivier 2015"
    assert author_year_citation(["krippendorff2016"]) == "Krippendorff et al. 2016"
    assert (
        author_year_citation(MEASURES["conger_kappa"].sources)
        == "Davies & Fleiss 1982, Conger 1980"
    )
    assert author_year_citation([]) == ""


def test_variants_of_a_score():
    assert split_variant("exact_f") == ("exact", "f")
    assert split_variant("percent_agreement") == ("", "percent_agreement")
    assert measure_of("partial_recall").symbol == "R"
    assert measure_name(Language("en"), "exact_f") == "F-measure, exact match"


def test_an_unknown_measure_keeps_its_name():
    assert measure_of("my_measure").symbol == ""
    assert measure_name(Language("fr"), "my_measure") == "my measure"


def test_what_is_better_is_stated():
    better = {name: facts(one, Language("en"))["Better"] for name, one in MEASURES.items()}
    assert better["modification_rate"] == "lower"
    assert better["krippendorff_alpha"] == "higher"
    assert better["position_bias"] == better["mean_difference"] == "nearer to 0"
