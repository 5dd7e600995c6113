"""How the categories were used, as a table that fits a sheet of paper."""

from __future__ import annotations

from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Table
from accordeur.reports.page.page import Page
from accordeur.reports.results import Campaign, Distribution, Results, Run
from accordeur.reports.views.distribution import distribution_section


def tables(n_annotators: int) -> list[Table]:
    counts = [[a + 1 for a in range(n_annotators)], [2] * n_annotators]
    distribution = Distribution(
        layer="l", kind="items", tagset=["x", "y"], counts=counts,
        annotators=[f"a{a}" for a in range(n_annotators)],
    )  # fmt: skip
    base = {"campaign": Campaign(name="n"), "run": Run(version="0", input_hash="0")}
    results = Results.model_validate({**base, "distributions": [distribution]})
    section = distribution_section(Page(results, Language("en")))
    assert section is not None
    return [block for block in section.blocks if isinstance(block, Table)]


def test_many_annotators_are_rows_and_a_few_are_columns():
    [few] = tables(3)
    assert [cell.text for cell in few.columns] == ["Category", "Total", "Share", "a0", "a1", "a2"]
    [many] = tables(50)
    assert [cell.text for cell in many.columns] == ["Annotator", "Total", "x", "y"]
    rows = [[cell.text for cell in row] for row in (*many.rows, *many.folded)]
    assert rows[0] == ["Total", "1,375", "1,275", "100"]
    assert rows[1] == ["a0", "3", "1", "2"]
    assert len(rows) == 51
