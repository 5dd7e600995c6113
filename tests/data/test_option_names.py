"""Messages name options as the front end of the user does."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import accordeur as acc
from accordeur.data.errors import DataError
from accordeur.data.option_names import (
    format_options,
    in_campaign_file,
    in_python,
    option,
)
from accordeur.reports.language import TERMINAL, Language
from tests.read_labels import read_labels


def test_an_option_is_a_flag_or_a_keyword_argument():
    assert format_options(a="1", b="x y") == "--option a=1 --option 'b=x y'"
    with in_python():
        assert format_options(a="1", b="x y") == 'options={"a": "1", "b": "x y"}'
    asked = [("categories",), ("distance", "ordinal"), ("option", "separator=,"), ("per_item", "3")]
    flags = ["--categories", "--distance ordinal", "--option separator=,", "--per-item 3"]
    of_frames = 'data.assign(**{"label": data["label"].str.split(",", regex=False)})'
    keywords = ["categories=", 'distance="ordinal"', of_frames, 'per_item="3"']
    assert [option(*one) for one in asked] == flags
    with in_python():
        assert [option(*one) for one in asked] == keywords
    with in_python(categories="tagset"), pytest.raises(ValueError, match="tagset="):
        raise ValueError(option("categories"))
    assert option("categories") == "--categories"
    keys = [
        *("categories", 'distance = "ordinal"', 'options = { separator = "," }', 'per_item = "3"'),
        *('anna = { role = "reference" }', "complete = true", 'categories = ["a", "b"]'),
    ]
    asked += [("role", "anna=reference"), ("complete",), ("categories", '"a,b"')]
    with in_campaign_file():
        assert [option(*one) for one in asked] == keys
        assert format_options(a="1", b="x") == 'options = { a = "1", b = "x" }'


def test_readers_name_their_options_as_the_front_end_does(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("1,2,1\n2,2,1\n1,1,1\n", encoding="utf-8")
    with pytest.raises(DataError) as found:
        read_labels(path)
    assert "--option header=no" in str(found.value)
    with pytest.raises(DataError) as found:
        acc.read(path)
    assert 'options={"header": "no"' in str(found.value)
    assert "--" not in str(found.value)
    path.write_text("target,judge1,judge2\n1,2,3\n2,2,1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r'use `options=\{"layout": "wide", "item": "target"\}`'):
        acc.read(path)


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("wording", [in_python, in_campaign_file])
def test_warnings_name_flags_on_the_command_line_only(wording, code):
    say = Language(code, TERMINAL)
    figures = dict.fromkeys([*"n"], 2)
    for key in say.table("warning"):
        names = dict.fromkeys(say.names_of(f"warning.{key}"), "it's")
        counted = {name: 2 for name in names if name.startswith(("n", "total"))} | figures
        with wording():
            worded = say.filled(f"warning.{key}", names | counted)
        assert "--" not in worded, key


@pytest.mark.parametrize(
    ("message", "worded"),
    [
        ("choose one with `--option view=NAME`", 'choose one with `options={"view": "NAME"}`'),
        ("use `--item id --label COLUMN` for", 'use `item="id" label="COLUMN"` for'),
        ("add --independent", "add independent="),
        ("--role 'x': give NAME=ROLE", "roles= 'x': give NAME=ROLE"),
        ("use `--wide` if", 'use `annotator=["NAME", "NAME"]` if'),
    ],
)
def test_errors_written_for_the_command_line_name_keywords_in_python(message, worded):
    with pytest.raises(ValueError, match=re.escape(worded)), in_python():
        raise ValueError(message)


def test_functions_keep_their_signatures():
    assert [*inspect.signature(acc.agreement).parameters][:4] == [
        "data",
        "item",
        "annotator",
        "label",
    ]
