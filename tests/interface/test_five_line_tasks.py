"""What a notebook does with Accordeur, five lines a task; it reads as documentation."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError, RoleError

EXPORTS = Path(__file__).parents[2] / "flows" / "demo_campaign" / "exports"
ANSWERS = pd.DataFrame(
    {
        "task": [1, 1, 2, 2, 3, 3, 4, 4],
        "worker": ["ann", "bob"] * 4,
        "answer": ["low", "low", "mid", "high", "high", "high", "low", "mid"],
    }
)
# Krippendorff 2011, "Computing Krippendorff's alpha-reliability": 12 units, 4 observers
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
        [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
    ]
)


def test_agreement_of_a_pandas_frame() -> None:
    result = acc.agreement(
        ANSWERS, item="task", annotator="worker", label="answer", level="ordinal",
        order=["low", "mid", "high"],
    )  # fmt: skip
    assert "krippendorff_alpha" in result.measures
    assert float(result["cohen_kappa"]) == pytest.approx(3 / 11)
    assert isinstance(result.to_frame(), pd.DataFrame)
    assert result.account.startswith("8 rows read: 8 measured")


def test_agreement_of_arrow_rows_and_columns_is_the_same() -> None:
    named = {"item": "task", "annotator": "worker", "label": "answer"}
    expected = acc.agreement(ANSWERS, **named).to_dict()
    assert acc.agreement(pa.Table.from_pandas(ANSWERS), **named).to_dict() == expected
    assert acc.agreement(ANSWERS.to_dict("list"), **named).to_dict() == expected
    assert acc.agreement(ANSWERS.to_dict("records"), **named).to_dict() == expected
    rows = list(ANSWERS.itertuples(index=False))
    assert acc.agreement(rows, item=0, annotator=1, label=2).to_dict() == expected


def test_alpha_of_a_matrix_with_a_row_per_annotator() -> None:
    alpha = acc.krippendorff_alpha(PUBLISHED)
    assert alpha.value == pytest.approx(0.743, abs=5e-4)  # nominal
    assert acc.krippendorff_alpha(PUBLISHED, level="ordinal").value == pytest.approx(
        0.815, abs=5e-4
    )
    assert acc.krippendorff_alpha(PUBLISHED, level="interval").value == pytest.approx(
        0.849, abs=5e-4
    )
    turned = acc.krippendorff_alpha(items_by_annotators=PUBLISHED.T)
    assert turned.to_dict() == alpha.to_dict()


def test_a_value_says_what_a_paper_needs() -> None:
    alpha = acc.krippendorff_alpha(PUBLISHED)
    assert alpha.sentence.startswith("Krippendorff’s α: 0.743 (95 % CI [")
    assert "Krippendorff 2004" in alpha.sentence
    assert "@book" in alpha.bibtex
    assert alpha.signature.startswith("krippendorff_alpha|distance:nominal")
    assert "0.743" in alpha._repr_html_()


def test_an_undefined_value_is_nan_with_a_reason() -> None:
    value = acc.cohen_kappa([["a", "a"], ["a", "a"]])
    assert math.isnan(value)
    assert "single category" in repr(value)


def test_modification_rate() -> None:
    rates = acc.modification_rate(ANSWERS, item="task", annotator="worker", label="answer")
    assert [one.detail["k"] for one in rates] == [1]


def test_plan_from_a_pilot() -> None:
    pilot = pd.concat([ANSWERS.assign(task=ANSWERS.task + 10 * k) for k in range(5)])
    table = acc.plan(pilot, width=0.2, item="task", annotator="worker", label="answer")
    assert {"annotators", "documents", "width"} <= set(table.columns)


def test_gamma_of_a_frame_and_of_an_export() -> None:
    export = acc.read(EXPORTS / "brat")
    own = acc.gamma(export.units)
    assert own.value == pytest.approx(acc.gamma(EXPORTS / "brat").value, abs=0.03)
    assert own.category.measure == "gamma_cat"
    errors = own.errors.to_pydict()
    assert errors["cause"] == ["missing", "boundary", "category"]
    assert sum(errors["cost"]) == pytest.approx(1 - own.value)
    alignment = own.alignment("01-workshop")
    assert alignment.optimal
    assert set(alignment.to_frame().column_names) >= {"unitary_alignment", "annotator", "start"}
    assert "<svg" in alignment.plot().html


def test_everything_is_one_line_in_a_terminal() -> None:
    gamma = acc.gamma(EXPORTS / "brat")
    alignment = gamma.alignment("01-workshop")
    line, account = repr(gamma).split("\n")  # rejected rows are always shown
    assert len(line) < 120
    assert "3 rejected" in account
    for one in (gamma.category, alignment, alignment.plot(), acc.read(EXPORTS / "brat")):
        assert len(repr(one)) < 120
        assert "\n" not in repr(one)


def test_read_an_export_with_the_account_of_its_rows() -> None:
    export = acc.read(EXPORTS / "brat")
    assert export.units.num_rows == 144
    assert export.rules == {"outside_document": 1, "zero_length": 1, "unit_occurs_once": 1}


def test_scores_of_systems() -> None:
    gold = pd.DataFrame({"id": range(6), "label": list("ababab"), "text": [1, 1, 2, 2, 3, 3]})
    systems = {"one": gold.assign(label=list("abaaab")), "two": gold.assign(label=list("babbab"))}
    scores = acc.score(gold, systems, item="id", document="text", label="label")
    assert scores["one", "accuracy"].value == pytest.approx(5 / 6)
    assert scores.comparisons["first"].tolist()
    with pytest.raises(RoleError, match="κ"):
        acc.score(
            gold, systems, item="id", label="label", document="text", measures=["cohen_kappa"]
        )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: acc.agreement(ANSWERS), "no column 'item' for item; the frame has task"),
        (lambda: acc.agreement([("a", "b", "c")]), "item=0, annotator=1, label=2"),
        (lambda: acc.agreement(3), "int is not a data frame"),
        (
            lambda: acc.krippendorff_alpha([["a", "b", "c"], ["b", "a", "c"]], level="ordinal"),
            "order",
        ),
        (lambda: acc.krippendorff_alpha([[1, 2], [2, 1]], level="nominl"), "no level 'nominl'"),
    ],
)
def test_mistakes_are_one_sentence(call: object, said: str) -> None:
    with pytest.raises(MetricsError, match=said.replace("(", r"\(")):
        call()  # type: ignore[operator]


def test_nothing_is_imported_with_the_package() -> None:
    import subprocess
    import sys

    code = "import accordeur, sys; print(len([m for m in sys.modules if m.startswith('numpy')]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_tables_that_were_read_keep_systems_out_of_agreement() -> None:
    """They have a role, a pass and a layer; what has none of these columns is measured whole."""
    export = acc.read(EXPORTS / "brat", roles={"chloe": "system"})
    assert set(export.units["role"].to_pylist()) == {"human", "system"}
    assert acc.gamma(export.units).n_annotators == 2
    assert acc.gamma(export.units.drop(["role"])).n_annotators == 3
    sentiment = acc.read(EXPORTS / "sentiment.csv")
    found = acc.agreement(sentiment.labels, label="labels", document="document")
    direct = acc.agreement(pd.read_csv(EXPORTS / "sentiment.csv"), document="document")
    assert found["krippendorff_alpha"].value == pytest.approx(direct["krippendorff_alpha"].value)
    assert acc.agreement(
        [(1, "a", ["x", "y"]), (1, "b", ["x"])],
        item=0,
        annotator=1,
        label=2,
        level="masi",
        measures=["krippendorff_alpha"],
    ).measures
