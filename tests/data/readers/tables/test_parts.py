"""Parquet files that are the parts of one table are read as one: commands, campaigns, queries."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from accordeur.data.readers.tables.parts import PartedTable, with_joined_parts
from tests.flows.in_process import said

ROWS = [(f"i{k}", who, "ab"[(k + n) % 5 % 2]) for n, who in enumerate("xyz") for k in range(30)]
FRAME = pd.DataFrame(ROWS, columns=["item", "annotator", "label"])
JOINED = [
    ["train-0000.parquet", "train-0001.parquet"],
    ["train-00000-of-00003.parquet", "train-00002-of-00003.parquet"],
    ["0000.parquet", "0001.parquet"],
    ["part-00000-1a2b3c4d-55.snappy.parquet", "part-00001-1a2b3c4d-55.snappy.parquet"],
    ["part.0.parquet", "part.1.parquet"],
]
APART = [
    ["ann.parquet", "ben.parquet"],
    ["ann1.parquet", "ann2.parquet"],
    ["annotator_0001.parquet", "annotator_0002.parquet"],
    ["2023.parquet", "2024.parquet"],
    ["train-0000.parquet", "test-0000.parquet"],
    ["train-0000.csv", "train-0001.csv"],
]


@pytest.mark.parametrize("names", JOINED)
def test_parts_are_one_path(names):
    [joined] = with_joined_parts(map(Path, names))
    assert isinstance(joined, PartedTable)
    assert [*map(str, joined.files)] == names
    assert all(Path(one).match(joined.pattern) for one in names)


@pytest.mark.parametrize("names", APART)
def test_other_files_are_tables_of_their_own(names):
    assert [*map(str, with_joined_parts(map(Path, names)))] == names


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    FRAME[:50].to_parquet(tmp_path / "data" / "train-0000.parquet")
    FRAME[50:].to_parquet(tmp_path / "data" / "train-0001.parquet")
    FRAME.to_csv(tmp_path / "whole.csv", index=False)
    return tmp_path


def values(*arguments):
    code, output = said("agree", *arguments, "--replicates", "0", "--json")
    assert code == 0, output
    return [one["value"] for one in json.loads(output)["results"]]


@pytest.mark.long
def test_rows_of_an_item_may_be_in_several_parts(folder):
    expected = values(folder / "whole.csv")
    parts = sorted((folder / "data").iterdir())
    assert values(*parts) == expected
    assert values(folder / "data") == expected
    query = "select item, annotator, label from source"
    assert values(*parts, "--query", query) == expected


def test_the_campaign_file_of_look_reads_them_as_one(folder):
    parts = sorted((folder / "data").iterdir())
    code, toml = said("look", *parts, "--toml")
    assert code == 0, toml
    assert toml.count("[[sources]]") == 1
    campaign = folder / "campaign.toml"
    campaign.write_text(f'[campaign]\nname = "tones"\n\n{toml}', encoding="utf-8")
    code, output = said("check", campaign)
    assert code == 0, output
    assert "90" in output


def test_parts_of_other_columns_are_refused(folder):
    FRAME.rename(columns={"label": "tone"}).to_parquet(folder / "data" / "train-0001.parquet")
    code, output = said("agree", folder / "data")
    assert code == 2
    assert "train-0001.parquet: has other columns than train-0000.parquet" in " ".join(
        output.split()
    )


@pytest.mark.long
def test_answers_in_records_of_parts(tmp_path):
    records = [{"uid": f"u{k}", "tone_labels": ["ab"[k % 2], "ab"[k % 3 % 2]]} for k in range(40)]
    for n, part in enumerate((records[:25], records[25:])):
        pd.DataFrame(part).to_parquet(tmp_path / f"train-0000{n}-of-00002.parquet")
    code, output = said("look", tmp_path)
    assert code == 0, output
    assert "train.parquet: long table" in output
    assert "40 items with two labels or more" in output
