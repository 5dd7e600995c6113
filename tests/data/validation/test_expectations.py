"""Expectations of the campaign file: which rows they reject, what they find, what is rejected."""

from __future__ import annotations

import pytest

from accordeur.data.blocks import as_table
from accordeur.data.errors import DataError
from accordeur.data.schema import Label, Unit
from accordeur.data.validation.checks import (
    add_broken_value_columns,
    campaign_expectations,
    judge_campaign,
    require_expectations,
)
from accordeur.data.validation.expectations import Expectation


def expectation(
    type_: str, severity: str = "critical", table: str = "units", **arguments: object
) -> Expectation:
    return Expectation(0, table, type_, arguments, severity)


UNIT_ROWS = as_table(
    [
        Unit("d", "anna", "T1", 0, 3, "a"),
        Unit("d", "anna", "T2", 5, 3, "B"),
        Unit("e", "ben", "T3", 5, 9, "B"),
    ]
)


@pytest.mark.parametrize(
    ("one", "broken"),
    [
        (expectation("expect_column_values_to_match_regex", column="category", regex="^[A-Z]"),
         ["a", None, None]),
        (expectation("expect_column_pair_values_a_to_be_greater_than_b", column_A="end_offset",
                     column_B="start_offset"), [None, "3 · 5", None]),
        (expectation("expect_multicolumn_sum_to_equal", column_list=["start_offset", "end_offset"],
                     sum_total=8),
         ["0 · 3", None, "5 · 9"]),
        (expectation("expect_column_values_to_be_between", column="start_offset", max_value=4,
                     row_condition='annotator == "ben"', condition_parser="pandas"),
         [None, None, "5"]),
    ],
)  # fmt: skip
def test_a_condition_on_rows_says_which_rows_break_it(
    one: Expectation, broken: list[str | None]
) -> None:
    found, rejecting = add_broken_value_columns({"units": UNIT_ROWS}, [one])
    assert rejecting == [one]
    assert found["units"][one.column].to_pylist() == broken


@pytest.mark.parametrize(
    ("one", "n_broken", "passed", "examples"),
    [
        (expectation("expect_table_row_count_to_be_between", min_value=4), 0, False, ("3",)),
        (expectation("expect_column_values_to_be_unique", column="unit"), 0, True, ()),
        (expectation("expect_column_values_to_be_unique", column="category"), 2, False, ("B",) * 2),
        (expectation("expect_column_values_to_match_regex", column="category", regex="^[A-Z]",
                     mostly=0.5), 1, True, ("a",)),
        (expectation("expect_column_values_to_match_regex", "warning", column="category",
                     regex="^[A-Z]"), 1, False, ("a",)),
    ],
)  # fmt: skip
def test_what_several_rows_decide_rejects_none(
    one: Expectation, n_broken: int, passed: bool, examples: tuple[str, ...]
) -> None:
    assert campaign_expectations([one]) == [one]
    [found] = judge_campaign({"units": UNIT_ROWS}, [one])
    assert (found.n_unexpected, found.passed, found.examples) == (n_broken, passed, examples)
    assert add_broken_value_columns({"units": UNIT_ROWS}, [one])[1] == []


def test_labels_are_judged_as_one_text() -> None:
    rows = as_table([Label("d", "i", "anna", ("x", "y")), Label("d", "j", "anna", ("x",))])
    one = expectation(
        "expect_column_values_to_be_in_set", table="labels", column="category", value_set=["x"]
    )
    found, _ = add_broken_value_columns({"labels": rows}, [one])
    assert found["labels"][one.column].to_pylist() == ["x + y", None]


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (expectation("expect_column_mean_to_be_betwen", column="start_offset"),
         r"^expectations\[0\]\.type: .*; did you mean expect_column_mean_to_be_between"),
        (expectation("expect_column_mean_to_be_between", column="start_offset", max_valu=1),
         r"^expectations\[0\]\.arguments: .*max_valu: extra fields not permitted$"),
        (expectation("expect_column_mean_to_be_between"),
         r"^expectations\[0\]\.arguments: .*column: field required$"),
        (expectation("expect_column_mean_to_be_between", column="strt"),
         r"^expectations\[0\]\.arguments: the table units has no column 'strt'; it has document, "),
        (expectation("expect_column_mean_to_be_between", column="category"),
         r"^expectations\[0\]: .* cannot be evaluated on units: .*mean"),
        (expectation("expect_column_values_to_match_regex", column="category", regex="[A"),
         r"^expectations\[0\]: .* cannot be evaluated on units: .*regular expression"),
        (expectation("expect_column_values_to_be_between", column="start_offset", max_value=4,
                     row_condition='anotator == "ben"', condition_parser="pandas"),
         r"^expectations\[0\]: .* cannot be evaluated on units: .*anotator"),
        (Expectation(0, "units", "expect_column_values_to_be_null", {"severity": "info"}),
         r"^expectations\[0\]\.arguments: severity cannot be given"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_refused_with_its_key(one: Expectation, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        require_expectations([one])
