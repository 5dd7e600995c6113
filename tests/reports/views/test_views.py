"""Sections: which are shown, and the figures that views derive."""

from __future__ import annotations

import re

import pytest

from accordeur.reports.page.blocks import Bullets, Figure, Fold, Grid, Prose, Table
from accordeur.reports.render import render
from accordeur.reports.results import (
    Confusion,
    Distribution,
    ItemAgreement,
)
from accordeur.reports.views.confusions import N_CATEGORIES, confusion_table
from accordeur.reports.views.distribution import distribution_section
from accordeur.reports.views.parts import parts_section
from accordeur.reports.views.sections import SECTIONS, sections_of
from accordeur.reports.views.statement import statement_section
from tests.reports import samples
from tests.reports.samples.parts import value
from tests.reports.views.pages import page_of, results_with


def test_sections_come_in_their_order():
    identifiers = [section.identifier for section in sections_of(page_of(samples.typical()))]
    names = [re.sub(r"-\d$", "", one) for one in identifiers]
    of_all = [one.name for one in SECTIONS if not one.is_of_layer and one.name in names]
    brief = ["verdict", "findings", "drift", "disagreements"]
    assert [n for n in names if n in of_all] == brief + [n for n in of_all if n not in brief]
    assert len(identifiers) > 20
    assert (identifiers[0], identifiers[-1]) == ("verdict", "references")


def test_each_layer_has_a_part_of_its_own():
    sections = sections_of(page_of(samples.typical()))
    assert len({section.part for section in sections if section.part}) > 1
    for is_folded in (False, True):
        some = [one for one in sections if one.part and one.is_folded is is_folded]
        parts = [one.part for one in some]
        assert parts == sorted(parts, key=parts.index)  # no layer comes again after another
        for layer in parts:
            names = [re.sub(r"-\d$", "", one.identifier) for one in some if one.part == layer]
            assert names == [one.name for one in SECTIONS if one.name in names]
    assert len({section.identifier for section in sections}) == len(sections)


def test_a_single_layer_is_not_named_in_front_of_its_sections():
    results = samples.typical()
    alone = results.model_copy(update={"items": results.items[:1], "units": [], "relations": []})
    assert not any(section.part for section in sections_of(page_of(alone)))


def test_a_section_without_data_is_left_out():
    identifiers = [section.identifier for section in sections_of(page_of(samples.empty()))]
    assert identifiers == ["verdict", "statement", "reproduce"]


def test_scores_say_what_they_are_counted_on():
    html = render(samples.typical())
    framed = html[html.index('<section id="systems"') : html.index('<section id="campaign"')]
    assert ">Units<" in framed
    assert ">Counted<" not in framed


def test_no_chance_corrected_coefficient_among_the_systems():
    page = page_of(samples.typical())
    systems = next(s for s in sections_of(page) if s.identifier == "systems")
    assert "This section deliberately reports no agreement coefficient" in str(systems.blocks[0])
    assert "Krippendorff" not in str(systems.blocks[1:])


def test_a_large_confusion_matrix_keeps_its_totals():
    n = 40
    matrix = [[float((i * 7 + j * 3) % 5) for j in range(n)] for i in range(n)]
    confusion = Confusion(row_annotator="A", column_annotator="B", matrix=matrix)
    table = confusion_table(page_of(results_with()), confusion, [f"c{k}" for k in range(n)])
    assert len(table.rows) == N_CATEGORIES + 1
    assert table.rows[-1][-1].text == f"{sum(map(sum, matrix)):,.0f}"
    assert f"{sum(matrix[k][k] for k in range(n)):.0f} of" in table.caption


def test_coincidences_stand_with_their_margins_where_there_are_three():
    layer = ItemAgreement(
        layer="l",
        tagset=["x", "y"],
        annotators=["A", "B", "C"],
        n_items=4,
        values=[],
        coincidences=[[4.0, 1.5], [1.5, 2.0]],
    )
    section = parts_section(page_of(results_with(items=[layer])))
    assert section is not None
    [fold] = [one for one in section.blocks if isinstance(one, Fold)]
    table = fold.blocks[1]
    assert isinstance(table, Table)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["x", "4", "1.500", "5.500"],
        ["y", "1.500", "2", "3.500"],
    ]
    two = layer.model_copy(update={"annotators": ["A", "B"]})
    assert parts_section(page_of(results_with(items=[two]))) is None


def test_homogeneity_tells_the_chance_agreement_inside_documents():
    distribution = Distribution(
        layer="l",
        kind="items",
        tagset=["x", "y"],
        annotators=["A"],
        counts=[[15], [5]],
        documents=["d1", "d2", "d3"],
        document_counts=[[10, 0], [5, 5], [0, 0]],
    )
    section = distribution_section(page_of(results_with(distributions=[distribution])))
    assert section is not None
    words = " ".join(block.text for block in section.blocks if isinstance(block, Prose))
    assert "2 documents" in words
    assert "in 50.0% to 100.0% of cases (median 75.0%, 2 documents)" in words
    [table] = [inner for fold in section.blocks if isinstance(fold, Fold) for inner in fold.blocks]
    assert isinstance(table, Table)
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["d1", "10", "0"],
        ["d2", "5", "5"],
    ]


def test_the_pair_that_differs_most_comes_first():
    def layer(*matrices: list[list[float]]) -> ItemAgreement:
        confusions = [
            Confusion(row_annotator="A", column_annotator=f"B{i}", matrix=matrix)
            for i, matrix in enumerate(matrices)
        ]
        return ItemAgreement(
            layer="l",
            tagset=["x", "y"],
            annotators=["A", "B"],
            n_items=4,
            values=[],
            confusions=confusions,
        )

    section = parts_section(
        page_of(results_with(items=[layer([[4, 0], [0, 0]], [[1, 3], [0, 0]])]))
    )
    assert section is not None
    (grid,) = [block for block in section.blocks if isinstance(block, Grid)]
    captions = [block.caption for block in grid.blocks if isinstance(block, Table)]
    assert captions == [
        "A against B1: the same label on 1 of 4",
        "A against B0: the same label on 4 of 4",
    ]


def test_many_annotators_are_reduced_to_the_least_typical():
    distribution = Distribution(
        layer="l",
        kind="items",
        tagset=["x", "y"],
        annotators=[f"a{i}" for i in range(40)],
        counts=[[5] * 39 + [0], [5] * 39 + [10]],
    )
    section = distribution_section(page_of(results_with(distributions=[distribution])))
    assert section is not None
    (figure,) = [block for block in section.blocks if isinstance(block, Figure)]
    assert "16 annotators least like the whole" in figure.caption
    assert figure.svg.index("a39") < figure.svg.index("a0<")


@pytest.mark.parametrize(("over", "told"), [("items", True), ("documents", False)])
def test_intervals_over_items_are_said_not_to_hold_for_other_documents(over: str, told: bool):
    settings = f"distance:nominal|interval:bootstrap-expanded-percentile/{over}/0.95"
    results = samples.typical()
    layer = results.items[0].model_copy(
        update={"values": [value("fleiss_kappa", 0.7, settings=settings)]}
    )
    section = statement_section(page_of(results.model_copy(update={"items": [layer]})))
    assert section is not None
    texts = [text for b in section.blocks if isinstance(b, Bullets) for text, _ in b.items]
    assert any("they do not hold for other documents" in text for text in texts) == told
