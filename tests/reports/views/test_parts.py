"""Parts of a layer, pairs at a glance, and the repairs of a guideline of units."""

from __future__ import annotations

import math
from dataclasses import replace

from accordeur.metrics.estimate_detail import Detail
from accordeur.metrics.pair_names import pair_name
from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.results import (
    Campaign,
    ItemAgreement,
    Named,
    Repair,
    Results,
    Run,
    UnitAgreement,
)
from accordeur.reports.views.parts import part_tables
from accordeur.reports.views.repairs import category_pairs_by_frequency, repairs_section
from accordeur.reports.views.units import units_section
from tests.reports import samples
from tests.reports.samples.parts import value

HUMANS = ["a", "b – c", "d"]
TEXT = "one two three four five six seven"

KEYS = ("category", "pair", "left_out", "document", "pass")


def page_of(layer: UnitAgreement | ItemAgreement) -> Page:
    held = {"units" if isinstance(layer, UnitAgreement) else "items": [layer]}
    base = {"campaign": Campaign(name="n"), "run": Run(version="0", input_hash="0")}
    results = Results.model_validate({**base, **held})
    return Page(results, Language("en"))


def unit_layer(**fields: object) -> UnitAgreement:
    base = {"layer": "l", "tagset": ["x", "y"], "annotators": HUMANS, "n_units": 6, "values": []}
    return UnitAgreement.model_validate({**base, "n_documents": 3, **fields})


def test_units_of_a_single_annotator_are_told_apart():
    layer = unit_layer(n_unpaired=2)
    section = units_section(page_of(layer))
    assert section is not None
    assert section.blocks[0] == Prose(
        "l: 6 units, 3 documents, 3 human annotators and 2 categories. "
        "Excluded because only one annotator finished the document: 2 units."
    )


def test_each_measure_of_the_parts_has_its_own_table():
    named = [
        Named(name=name, value=value(measure, 0.5))
        for measure in ("gamma", "gamma_k")
        for name in ("x", "y")
    ]
    layer = unit_layer(per_category=named)
    tables = [
        block for block in part_tables(page_of(layer), layer, *KEYS) if isinstance(block, Table)
    ]
    assert [table.caption for table in tables] == [
        "By category: γ (gamma) of the units of the category alone",
        "By category: γ-k",
    ]
    assert [[row[0].text for row in table.rows] for table in tables] == [["x", "y"]] * 2


def test_parts_that_are_computed_on_some_of_the_documents_say_so():
    named = [Named(name="x", value=value(measure, 0.5)) for measure in ("gamma", "gamma_k")]
    layer = unit_layer(per_category=named, n_documents=1200, n_part_documents=500)
    of_some, of_all = part_tables(page_of(layer), layer, *KEYS)
    assert isinstance(of_some, Table)
    assert isinstance(of_all, Table)
    assert "Computed on 500 documents of 1,200" in of_some.note
    assert "Computed on" not in of_all.note  # γ-k comes from the counts of all
    [of_all, _] = part_tables(page_of(layer), layer.model_copy(update={"n_documents": 500}), *KEYS)
    assert isinstance(of_all, Table)
    assert "Computed on" not in of_all.note


def test_documents_without_intervals_have_no_column_for_them_and_say_why():
    layer = unit_layer(per_document=[Named(name="d1", value=value("gamma", 0.5, half=0))])
    [table] = part_tables(page_of(layer), layer, *KEYS)
    assert isinstance(table, Table)
    assert "95% CI" not in [cell.text for cell in table.columns]
    assert "no confidence interval, because intervals resample documents" in table.note


def test_units_without_a_category_are_named_in_the_language_of_the_page():
    layer = unit_layer(per_category=[Named(name="(no category)", value=value("gamma", 0.5))])
    page = page_of(layer)
    [table] = part_tables(Page(page.results, Language("fr")), layer, *KEYS)
    assert isinstance(table, Table)
    assert table.rows[0][0].text == "(sans catégorie)"


def test_the_sentence_of_a_part_says_which_part_it_is():
    """Without d, .9; the lowest first: names follow their values."""
    parts = [Named(name=name, value=value("gamma", v)) for name, v in (("d", 0.9), ("a", 0.4))]
    layer = unit_layer(leave_one_out=parts, per_document=parts)
    tables = [
        block for block in part_tables(page_of(layer), layer, *KEYS) if isinstance(block, Table)
    ]
    told = [[row[2].value.sentence.split(", γ")[0] for row in table.rows] for table in tables]
    assert told == [
        ["For l, without d", "For l, without a"],
        ["For l, document a", "For l, document d"],
    ]


def test_the_pair_matrix_is_symmetric_and_finds_names_with_dashes():
    pairs = {("a", "b – c"): 0.25, ("a", "d"): 0.5, ("b – c", "d"): -0.75}
    named = [Named(name=pair_name(*two), value=value("gamma", v)) for two, v in pairs.items()]
    layer = unit_layer(per_pair=named, annotators=[*HUMANS, "e", "f"])
    matrix = part_tables(page_of(layer), layer, *KEYS)[0]
    assert isinstance(matrix, Table)
    shown = [[cell.text for cell in row[1:4]] for row in matrix.rows[:3]]
    assert shown == [["–", "0.50", "0.25"], ["0.50", "–", "−0.75"], ["0.25", "−0.75", "–"]]
    assert [row[0].text for row in matrix.rows] == ["a", "d", "b – c", "e", "f"]  # by their means
    assert [row[-1].text for row in matrix.rows] == ["0.38", "−0.12", "−0.25", "–", "–"]
    assert matrix.rows[2][2].share == 0.0  # no negative tint
    assert [cell.text for cell in matrix.rows[3][1:]] == ["–"] * 6


def test_of_three_annotators_a_pair_is_what_is_left_and_said_once():
    pairs = [Named(name="a – d", value=value("gamma", 0.5))]
    left = [Named(name="b – c", value=value("gamma", 0.5))]
    layer = unit_layer(per_pair=pairs, leave_one_out=left)
    [table] = part_tables(page_of(layer), layer, *KEYS)  # three pairs need no heat map
    assert isinstance(table, Table)
    assert table.caption == "By pair of annotators: γ (gamma), the lowest first"
    assert "the third annotator differs from both" in table.note
    of_four = layer.model_copy(update={"annotators": [*HUMANS, "e"]})
    captions = [
        t.caption for t in part_tables(page_of(of_four), of_four, *KEYS) if isinstance(t, Table)
    ]
    assert captions[1] == "One annotator left out: γ (gamma) among the others"
    assert len(captions) == 2


def test_observed_and_expected_are_disorders_of_gamma_and_disagreements_of_gamma_k():
    named = [
        Named(name="x", value=value(measure, 0.5, observed=0.3, expected=0.6))
        for measure in ("gamma", "gamma_k")
    ]
    layer = unit_layer(per_category=named)
    heads = [
        [cell.text for cell in table.columns if cell.text.startswith("Observed")]
        for table in part_tables(page_of(layer), layer, *KEYS)
        if isinstance(table, Table)
    ]
    assert heads == [["Observed disorder"], ["Observed disagreement"]]


def test_confused_categories_are_those_of_the_results_with_places_to_look_at():
    given = [Repair(layer="stance", first="against", second="for", count=9, out_of=20)]
    results = samples.typical().model_copy(update={"repairs": given})
    [repair] = category_pairs_by_frequency(results)
    assert repair.where == ["document-04, item 17"]
    section = repairs_section(Page(results, Language("en")))
    assert section is not None
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert [[cell.text for cell in row[2:4]] for row in table.rows] == [["9", "45.0%"]]


def test_pairs_with_nothing_in_common_are_counted_and_not_listed():
    nothing = value("gamma", math.nan, n_items=0)
    found = {"a – b": value("gamma", 0.5), "a – c": nothing, "b – c": nothing}
    named = [Named(name=name, value=one) for name, one in found.items()]
    layer = unit_layer(per_pair=named, annotators=[*HUMANS, "e"])
    table = part_tables(page_of(layer), layer, *KEYS)[0]
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == ["a – b"]
    assert "2 pairs annotated nothing in common and are not listed." in table.note
    alone = unit_layer(per_pair=named[1:], annotators=[*HUMANS, "e"])
    [table] = part_tables(page_of(alone), alone, *KEYS)
    assert isinstance(table, Table)
    assert len(table.rows) == 2  # else nothing would be left to look at


def test_labels_of_sets_have_a_table_that_says_so():
    named = [Named(name="p", value=value("krippendorff_alpha", 0.5))]
    layer = ItemAgreement(
        layer="l", tagset=["p", "p+q"], labels=["p", "q"], annotators=["a", "b"], n_items=5,
        values=[value("krippendorff_alpha", 0.4)], per_category=named,
    )  # fmt: skip
    [table] = part_tables(page_of(layer), layer, *KEYS)
    assert isinstance(table, Table)
    assert "for the presence of the label in the set" in table.caption
    assert table.columns[0].text == "Label"


def test_parts_that_stand_against_another_chance_process_are_named():
    named = [
        Named(name=name, value=replace(value("gamma", 0.5), detail=Detail(process=own)))
        for name, own in (("a – d", "shuffle"), ("a – b", "random2"), ("b – d", "shuffle"))
    ]
    process = {"process": "random2", "n_samples": 30, "mean": 1.0, "chosen": True}
    told = {}
    for key, chance in (("one", [process]), ("both", [process, {**process, "process": "shuffle"}])):
        layer = unit_layer(per_pair=named, chance=chance)
        tables = [
            block for block in part_tables(page_of(layer), layer, *KEYS) if isinstance(block, Table)
        ]
        told[key] = tables[-1].note
    assert "not ranked with the rest: shuffle: a – d and b – d." in told["one"]
    assert "chance process" not in told["both"]


def test_the_greedy_algorithm_says_how_far_it_is_from_the_ideal():
    for detail, told in (
        (
            Detail(n_documents_not_ideal=2, largest_excess_of_disorder=0.125),
            "misses the ideal alignment in 2 of 3 documents, with up to 12.5% more disorder.",
        ),
        (Detail(n_documents_not_ideal=0), "finds the ideal alignment of every document here"),
    ):
        greedy = replace(value("holistic_greedy", 0.4), detail=detail)
        layer = unit_layer(values=[value("holistic", 0.5), greedy])
        section = units_section(page_of(layer))
        assert section is not None
        [table] = [block for block in section.blocks if isinstance(block, Table)]
        assert told in table.note


def test_pairs_of_many_annotators_say_how_many_there_are():
    named = [Named(name="a – b", value=value("krippendorff_alpha", 0.5))]
    base = {"layer": "l", "tagset": ["x"], "n_items": 5, "values": [], "per_pair": named}
    layer = ItemAgreement.model_validate({**base, "annotators": list("abcd"), "n_pairs": 4})
    *_, table = part_tables(page_of(layer), layer, *KEYS)
    assert isinstance(table, Table)
    assert "the 1 pairs with the most items in common, of 4" in table.note
    assert "2 pairs annotated nothing in common" in table.note
