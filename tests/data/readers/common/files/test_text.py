"""Decoding that shifts nothing, UTF-16 offsets both ways, surfaces, spans."""

from __future__ import annotations

import codecs

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.readers.common.files.lines import iter_lines
from accordeur.data.readers.common.files.text import (
    Utf16Offsets,
    decode,
    parse_utf16_bounds,
    sha256_of,
)
from accordeur.data.readers.common.span_rules import (
    Problem,
    parse_integer,
    span_problem,
    surface_problem,
)

TEXTS = st.text(st.sampled_from("aé👑\u0301ش\r\n\t \U0010ffff"), max_size=30)


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_decode_keeps_every_character_but_the_mark(mark, encoding):
    text = "a\r\nZoe\u0301 👑\u2028\x85 \ufeff"
    assert decode(mark + text.encode(encoding), "x") == text


def test_decode_says_where():
    with pytest.raises(DataError, match=r"a\.txt: byte 2 is not UTF-8"):
        decode(b"ab\xff", "a.txt")
    assert decode(b"\xe9", "a.txt", default="cp1252") == "é"
    with pytest.raises(DataError, match="unknown encoding"):
        decode(b"x", "a.txt", default="nonsense")


@given(TEXTS)
def test_utf16_offsets_against_the_definition(text):
    offsets = Utf16Offsets(text)
    starts = [len(text[:i].encode("utf-16-le")) // 2 for i in range(len(text) + 1)]
    assert offsets.utf16_length == starts[-1]
    np.testing.assert_array_equal(offsets.from_code_points(range(len(text) + 1)), starts)
    np.testing.assert_array_equal(offsets.to_code_points(starts), range(len(text) + 1))
    inside = sorted(set(range(starts[-1])) - set(starts))
    assert (offsets.to_code_points(inside) == -1).all()
    assert (offsets.to_code_points([-1, starts[-1] + 1]) == -1).all()
    assert [offsets.to_code_point(each) for each in starts] == list(range(len(text) + 1))
    assert all(offsets.to_code_point(each) == -1 for each in inside)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("0", "2", (0, 1)),
        ("2", "3", (1, 2)),
        ("1", "3", "inside_character"),
        ("3", "2", "end_before_start"),
        ("2", "2", "zero_length"),
        ("0", "4", "outside_document"),
        ("-1", "2", "negative_offset"),
        ("0", "2.0", "not_an_offset"),
        ("٣", "4", "not_an_offset"),
    ],
)
def test_utf16_bounds(start, end, expected):
    bounds = parse_utf16_bounds(start, end, Utf16Offsets("👑x"))
    assert (bounds.rule if isinstance(bounds, Problem) else bounds) == expected


def test_integer_takes_plain_digits_only():
    assert (parse_integer("12"), parse_integer("+3"), parse_integer("-4")) == (12, 3, -4)
    assert all(
        parse_integer(text) is None for text in ("", "-", "1.0", "1e3", "²", "1_0", "9" * 19)
    )


def test_span_of_a_document_of_unknown_length():
    assert span_problem(0, 10**9) is None


def test_surface_ignores_white_space_only():
    text = "the\r\nsea is"
    assert surface_problem(text, [(0, 8)], "the sea") is None
    assert surface_problem(text, [(0, 3), (9, 11)], "the is") is None
    assert surface_problem(text, [(0, 3)], "The").rule == "surface_mismatch"


def test_sha256_of_a_lone_surrogate():
    assert sha256_of("\ud83d") != sha256_of("x")


def test_lines_of_a_utf16_file(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(codecs.BOM_UTF16_LE + "ਊ1\r\nb👑\n".encode("utf-16-le"))  # U+0A0A: a false \n
    assert list(iter_lines(path)) == [(1, "ਊ1"), (2, "b👑")]


@settings(max_examples=50)
@given(st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"))))
def test_lines_of_any_text(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("lines") / "x.txt"
    path.write_bytes(b"".join(f"{line}\n".encode() for line in lines))
    found = list(iter_lines(path))
    expected = [line.removeprefix("\ufeff") if k == 0 else line for k, line in enumerate(lines)]
    assert found == list(enumerate(expected, start=1))


def test_a_line_too_long_and_a_line_that_is_no_text(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"a" * 5000 + b"\nb\n\xff\nc")
    rules = [
        (number, line.rule if isinstance(line, Problem) else line)
        for number, line in iter_lines(path, max_bytes=1000)
    ]
    assert rules == [(1, "line_too_long"), (2, "b"), (3, "undecodable"), (4, "c")]


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        list(iter_lines(tmp_path / "nowhere"))
