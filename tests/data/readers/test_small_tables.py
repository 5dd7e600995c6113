"""Brégeon's CSV and pygamma's CSV."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "x.csv"
    path.write_text(text)
    return path


def test_bregeon(corpora, read):
    found = read(corpora / "formats" / "tables" / "bregeon.csv")
    labels = {(r.annotator, r.item): r.labels[0] for r in found.labels}
    assert len(labels) == 3 * 4 - 2
    assert (labels["1", "1"], labels["3", "4"], labels["2", "4"]) == ("1", "2", "2")
    assert ("1", "4") not in labels
    assert found.labels[0].location == "line 2, column 1"


@pytest.mark.parametrize("head", ["2,3,4\n", "2\n3\n4\n", "2;3;4;;;\n", "2 3 4\n", "2\t3\t4\n"])
def test_the_counts_may_stand_on_one_line_or_three(tmp_path, read, head):
    found = read(write(tmp_path, head + "1,2,3,.\n1,.,1,1\n"), "bregeon")
    assert len(found.labels) == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3,2,4\n1,2,1,.\n1,1,1,2\n", "declares 3 annotators but has 2 rows"),
        ("2,2,4\n1,2,1,.\n1,1,1\n", "line 3: declares 4 observables but has 3"),
        ("2,2,4\n1,2,1,.\n1,3,1,1\n", "declares 2 classes but has 3"),
        ("a,b,c\n1,2,1\n", "must begin with the numbers of"),
        ("2,2\n1,2\n", "must begin with the numbers of"),
    ],
)
def test_counts_are_checked_against_the_body(tmp_path, read, text, message):
    with pytest.raises(DataError, match=message):
        read(write(tmp_path, text), "bregeon")


def test_pygamma_whole_numbers_stay(corpora, read):
    found = read(corpora / "formats" / "pygamma" / "whole.csv")
    assert [(u.annotator, u.category, u.start_offset, u.end_offset) for u in found.units] == [
        ("Anna", "a, b", 2, 9),
        ("Boris", "c", 11, 17),
    ]
    assert found.documents[0].offset_unit == "char"


def test_pygamma_fractions_are_seconds_kept_as_milliseconds(corpora, read):
    found = read(corpora / "formats" / "pygamma" / "seconds.csv")
    assert [(u.start_offset, u.end_offset) for u in found.units] == [(500, 1250), (500, 1250)]
    assert found.documents[0].offset_unit == "ms"
    assert found.units[1].source_offsets == "0.4996 1.2504"
    assert [r.rule for r in found.rejected] == [
        "end_before_start",
        "not_an_offset",
        "wrong_number_of_columns",
    ]


@pytest.mark.parametrize(
    ("last", "unit"),
    [("30", "char"), (" 30", "char"), ("", "char"), ("30.5", "ms"), ("9" * 19, "ms")],
)
def test_pygamma_unit_is_guessed_from_every_bound(tmp_path, read, last, unit):
    found = read(write(tmp_path, f"a,X,0,10\nb,X,12,{last}\n"), "pygamma_csv")
    assert found.documents[0].offset_unit == unit


def test_pygamma_unit_said_outright(corpora, read):
    path = corpora / "formats" / "pygamma" / "whole.csv"
    found = read(path, "pygamma_csv", extra={"offset_unit": "s"})
    assert (found.units[0].start_offset, found.units[0].end_offset) == (2000, 9000)
    fractions = corpora / "formats" / "pygamma" / "seconds.csv"
    found = read(fractions, "pygamma_csv", extra={"offset_unit": "char"})
    assert "fraction" in {r.rule for r in found.rejected}


@pytest.mark.shared
def test_pygamma_own_files(shared_data, read):
    found = read(shared_data / "pygamma_tests" / "*.csv")
    assert len(found.documents) == 16
    assert len(found.units) + len(found.rejected) == 20_459
    rejected = [(r.source, r.location, r.rule) for r in found.rejected]
    assert rejected == [
        ("2by5000.csv", "line 1249", "zero_length"),
        ("2by5000.csv", "line 6443", "zero_length"),
    ]
    assert {d.document for d in found.documents if d.offset_unit == "ms"} == {"null_disorder"}
    alex = found.by("units", document="annotation_paul_suzann_alex", annotator="Alex")
    assert [(u.category, u.start_offset, u.end_offset) for u in alex][:2] == [
        ("1", 2, 9),
        ("2", 11, 17),
    ]
