"""Expectations of the campaign file in a run and in `accordeur check`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.data.validation.data_docs import write_data_docs
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.cli import app
from accordeur.flows.toml_file import ConfigError
from accordeur.reports.results import Results
from tests.flows.outcomes import results_of

Run = Callable[..., tuple[dict[str, Any], Any]]

UNITS = """document,annotator,start,end,category
d1,anna,0,3,A
d1,anna,5,9,b
d1,ben,0,3,A
d1,ben,5,9,B
d2,anna,0,3,A
d2,ben,0,4,A
"""
CAPITALS = """
[[expectations]]
table = "units"
type = "expect_column_values_to_match_regex"
arguments = { column = "category", regex = "^[A-Z]" }
description = "categories begin with a capital letter"
"""
AT_LEAST_TEN = """
[[expectations]]
table = "units"
type = "expect_table_row_count_to_be_between"
arguments = { min_value = 10 }
"""


def write(folder: Path, *expectations: str, more: str = "") -> Path:
    (folder / "units.csv").write_text(UNITS, encoding="utf-8")
    campaign = folder / "campaign.toml"
    head = '[campaign]\nname = "c"\n[[sources]]\npath = "units.csv"\n[chance]\nmax_samples = 60\n'
    head += "[reading_grid]\ntrials = 0\n"  # not under test
    campaign.write_text(head + more + "".join(expectations), encoding="utf-8")
    return campaign


@pytest.mark.long
@pytest.mark.services
def test_broken_rows_are_rejected_with_file_line_and_words(
    tmp_path: Path, run_campaign: Run
) -> None:
    tagset = '[layers.units]\ncategories = ["A", "b", "B"]\n'
    outcome, _ = run_campaign(write(tmp_path, CAPITALS, AT_LEAST_TEN, more=tagset))
    results = Results.model_validate(results_of(outcome))
    assert results.validation is not None
    [row] = results.validation.rejected
    assert (row.source, row.location, row.value) == ("units.csv", "line 3", "b")
    assert row.rule == "expect_column_values_to_match_regex"
    assert row.message == (
        "not as expected: categories begin with a capital letter (b): correct the row, or "
        "expectations[0] in the campaign file"
    )
    judged = {one.name: one for one in results.validation.expectations if "expect_" in one.name}
    capitals, at_least_ten = judged.values()
    assert (capitals.n_rows, capitals.n_unexpected, capitals.passed) == (6, 1, False)
    assert (at_least_ten.examples, at_least_ten.passed) == (["5"], False)
    assert any(
        "does not meet an expectation: expect_table_row_count" in one for one in outcome["alerts"]
    )
    written = Path(outcome["report"]).with_name("validation_result.json")
    as_great_expectations_reads_it(json.loads(written.read_text(encoding="utf-8")))
    accepted_rows_meet_their_suite(written.parent)
    index = write_data_docs(written.read_bytes(), "run-0001", tmp_path / "docs")
    assert "accordeur" in index.read_text(encoding="utf-8")
    [page] = (tmp_path / "docs" / "validations").rglob("*.html")
    shown = page.read_text(encoding="utf-8")
    assert "categories are among those of the layer (layer units)" in shown
    assert "start < end" in shown


def accepted_rows_meet_their_suite(run: Path) -> None:
    """The suite in a plain context, on the table that the run published."""
    import great_expectations as gx
    import pandas as pd

    context = gx.get_context(mode="ephemeral")
    suites = json.loads((run / "expectation_suites.json").read_bytes())
    suite = gx.ExpectationSuite(**suites["units"])
    context.suites.add(suite)
    rows = pd.read_parquet(run / "tables" / "units.parquet")
    asset = context.data_sources.add_pandas("run").add_dataframe_asset("units")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": rows})
    result = batch.validate(suite)
    failed = [one.expectation_config.type for one in result.results if not one.success]
    assert failed == ["expect_table_row_count_to_be_between"]  # ten are asked for, five there
    types = {one.expectation_config.type for one in result.results}
    assert "expect_column_pair_values_a_to_be_greater_than_b" in types


def as_great_expectations_reads_it(written: dict[str, Any]) -> None:
    from great_expectations.core.expectation_validation_result import (
        expectationSuiteValidationResultSchema,
    )
    from great_expectations.render.renderer import ValidationResultsPageRenderer
    from great_expectations.render.view import DefaultJinjaPageView

    read = expectationSuiteValidationResultSchema.load(written)
    assert read.to_json_dict() == written
    assert not read.success
    failed = {one.expectation_config.type: one for one in read.results if not one.success}
    capitals = failed["expect_column_values_to_match_regex"]
    assert capitals.expectation_config.kwargs == {"column": "category", "regex": "^[A-Z]"}
    assert (capitals.result["element_count"], capitals.result["unexpected_count"]) == (6, 1)
    at_least_ten = failed["expect_table_row_count_to_be_between"]
    assert at_least_ten.result["observed_value"] == "5"
    stated = {one.expectation_config.description: one.expectation_config for one in read.results}
    assert stated["start < end"].kwargs == {"column_A": "end_offset", "column_B": "start_offset"}
    tagset = stated["categories are among those of the layer (layer units)"]
    assert tagset.kwargs["value_set"] == ["A", "b", "B"]
    page = DefaultJinjaPageView().render(ValidationResultsPageRenderer().render(read))
    assert "categories begin with a capital letter" in page


@pytest.mark.services
def test_a_run_that_stops_at_rejected_rows_stops_at_an_expectation(
    tmp_path: Path, run_campaign: Run
) -> None:
    stop = '[validation]\non_rejected = "stop"\n'
    with pytest.raises(DataError, match="on_rejected is 'stop': expect_table_row_count"):
        run_campaign(write(tmp_path, AT_LEAST_TEN, more=stop))


def test_check_leaves_expectations_to_a_run_and_finds_their_mistakes(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["check", str(write(tmp_path, CAPITALS, AT_LEAST_TEN))])
    assert done.exit_code == 0
    assert "2 expectations of [[expectations]]: checked only in a run" in done.output
    wrong = CAPITALS.replace("regex =", "regx =")
    done = CliRunner().invoke(app, ["check", str(write(tmp_path, wrong))])
    assert done.exit_code == 2
    assert "expectations[0].arguments: expect_column_values_to_match_regex: regx" in done.output


def test_a_run_with_a_wrong_expectation_does_not_start(tmp_path: Path) -> None:
    campaign = write(tmp_path, CAPITALS.replace("category", "colour"))
    done = CliRunner().invoke(app, ["run", str(campaign)])
    assert isinstance(done.exception, DataError)
    assert str(done.exception).startswith("expectations[0].arguments: the table units has no col")
    assert not (tmp_path / "runs").exists()


def test_names_of_hidden_annotators_are_not_written_into_expectations(tmp_path: Path) -> None:
    names = CAPITALS.replace('"category", regex = "^[A-Z]"', '"annotator", regex = "anna"')
    hidden = '[annotators]\nanna = { pseudonym = "P1" }\nben = { pseudonym = "P2" }\n'
    campaign = write(tmp_path, hidden, names)
    text = campaign.read_text(encoding="utf-8").replace('name = "c"', 'name = "c"\nprivacy = true')
    campaign.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"expectations\[0\] contains the name of an annotator"):
        load_campaign(campaign)
