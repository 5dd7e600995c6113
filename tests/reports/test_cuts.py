"""Where the page cuts, it says where the rest is; no layer crowds out the others."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from accordeur.reports.costliest_disagreements import most_costly
from accordeur.reports.render import render
from accordeur.reports.results import Coverage, Disagreement, RejectedRow
from tests.reports import samples


def disagreement(layer: str, cost: float, number: int) -> Disagreement:
    said = {"anna": "A", "ben": "B"}
    return Disagreement(document=f"d{number}", layer=layer, where="i", cost=cost, said=said)


def test_each_layer_has_its_share_of_the_disagreements() -> None:
    """Disorders of units go to 3, distances of labels end at 1."""
    found = [disagreement("units", 2 + k / 100, k) for k in range(100)]
    found += [disagreement("labels", 1, k) for k in range(100)]
    found += [disagreement("few", 0.1, k) for k in range(5)]
    chosen = most_costly(found, 60)
    assert Counter(one.layer for one in chosen) == {"units": 28, "labels": 27, "few": 5}
    assert [one.cost for one in chosen] == sorted((one.cost for one in chosen), reverse=True)
    assert {one.cost for one in chosen if one.layer == "units"} == {
        2 + k / 100 for k in range(72, 100)
    }
    assert most_costly(found[:3], 60) == found[:3][::-1]


@pytest.mark.parametrize("code", ["en", "fr"])
def test_what_is_cut_is_in_the_file_that_is_named(code: str) -> None:
    sample = samples.typical()
    assert sample.validation is not None
    row = RejectedRow(source="s", location="line 1", rule="label_given", value="", message="m")
    states = [["finished", "unfinished"]] * 250
    coverage = Coverage(
        documents=[f"d{k}" for k in range(250)],
        annotators=["anna", "ben"],
        states=states,
        n_documents=400,
        counts={"finished": 400, "unfinished": 300, "not_assigned": 100},
        by_annotator={
            "anna": {"finished": 400},
            "ben": {"unfinished": 300, "not_assigned": 100},
        },
    )
    page = render(
        sample.model_copy(
            update={
                "validation": sample.validation.model_copy(
                    update={"rejected": [row] * 210, "rows_rejected": 999}
                ),
                "coverage": coverage,
                "coverages": [],
                "disagreements": [disagreement("l", 1, k) for k in range(90)],
            }
        ),
        language=code,  # type: ignore[arg-type]
    )
    for n, file in ((799, "rejected.parquet"), (200, "assignments.parquet"), (10, "results.json")):
        after, before = rf"{n} more[^.<]*{file}", rf"{file}[^.<]*: {n}\."
        others = rf"Autres cas\s: {n}\.[^<]*{file}"
        assert re.search(rf"{after}|{before}|{others}", page), file
