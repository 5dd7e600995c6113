"""TextGrid and RTTM by blocks say what they say one by one, whatever the file holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accordeur.data.blocks
from accordeur.data.blocks import Block
from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.common.files import lines
from accordeur.data.readers.common.times import milliseconds, plain_milliseconds, seconds
from accordeur.data.readers.registry import read_blocks
from accordeur.data.schema import Unit
from tests.data.readers.both_ways import read_both_ways

RELAXED = settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TIMES = st.sampled_from(
    [
        *["0", "1", "0.5", "1.25", "0.0005", "1.9995", "2.3335000000001", "0.0000001", "0.000000"],
        *["3.", ".5", "1e1", "+1", "-1", "007", "0.0000051", "x", "9" * 13],
    ]
) | st.integers(0, 9).map(str)
TEXTS = st.sampled_from(["PER", "", " ", '""', 'a ""b""', "two\nlines", "É😀", "item [1]:", "5"])


@pytest.fixture(params=[0, 3])
def small_blocks(monkeypatch, request):
    """Little text at a time, blocks of few rows and of any number."""
    monkeypatch.setattr(lines, "BLOCK_BYTES", 90)
    monkeypatch.setattr(accordeur.data.blocks, "_FEW", request.param)


def assert_same(path: Path, format: str, **options: str) -> None:
    try:
        read_both_ways(path, format, SourceOptions(extra=options))
    except DataError:
        return


@st.composite
def tiers(draw, long: bool) -> str:
    rows = draw(st.lists(st.tuples(TIMES, TIMES, TEXTS), max_size=5))
    name = draw(st.sampled_from(["anna", "ben", ""]))
    kind = draw(st.sampled_from(["IntervalTier"] * 4 + ["TextTier"]))
    size = draw(st.sampled_from([len(rows)] * 5 + [len(rows) + 1, 0]))
    if not long:
        return "\n".join([f'"{kind}"', f'"{name}"', "0", "9", str(size)]) + "".join(
            f'\n{a}\n{b}\n"{text}"' for a, b, text in rows
        )
    head = f'item [1]:\n class = "{kind}"\n name = "{name}"\n xmin = 0\n xmax = 9\n'
    return f"{head} intervals: size = {size}" + "".join(
        f'\n intervals [{k}]:\n  xmin = {a} \n  xmax = {b} \n  text = "{text}" '
        for k, (a, b, text) in enumerate(rows, 1)
    )


@RELAXED
@given(
    parts=st.booleans().flatmap(lambda long: st.lists(tiers(long), max_size=4)),
    extra=st.sampled_from([{}, {"annotator_from": "file"}, {"tiers": "anna"}]),
    end=st.sampled_from(["\n", "\r\n"]),
    cut=st.sampled_from([None, None, None, -1, -9]),
)
def test_textgrid(tmp_path, small_blocks, parts, extra, end, cut):
    head = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0", "xmax = 9"]
    text = "\n".join([*head, f"tiers? <exists>\nsize = {len(parts)}\nitem []:", *parts, ""])
    path = tmp_path / "x.TextGrid"
    path.write_bytes(text[:cut].replace("\n", end).encode())
    assert_same(path, "textgrid", **extra)


ROWS = st.tuples(
    st.sampled_from(["SPEAKER"] * 6 + ["LEXEME", "SPKR-INFO", "nothing"]),
    st.sampled_from(["d1", "d2", "É"]),
    st.sampled_from(["1"] * 5 + ["<NA>", "2"]),
    TIMES,
    TIMES,
    st.just("<NA> <NA>"),
    st.sampled_from(["anna", "😀"]),
    st.sampled_from(["<NA> <NA>", "<NA>", ""]),
).map(" ".join)
PLAIN = st.tuples(st.integers(0, 9), st.integers(1, 999)).map(
    lambda pair: f"SPEAKER d{pair[0]} 1 {pair[0]}.{pair[1]} 0.{pair[1]} <NA> <NA> a <NA> <NA>"
)


@RELAXED
@given(
    rows=st.lists(PLAIN | PLAIN | ROWS | st.sampled_from(["", ";; note", "SPEAKER d", "\xa0"])),
    extra=st.sampled_from([{}, {"types": "SPEAKER, LEXEME"}]),
    damage=st.booleans(),
)
def test_rttm(tmp_path, small_blocks, rows, extra, damage):
    path = tmp_path / "x.rttm"
    path.write_bytes("\n".join(rows).encode() + (b"\n\xff x\n" if damage else b""))
    assert_same(path, "rttm", **extra)


@RELAXED
@given(whole=st.integers(0, 10**9 - 1), fraction=st.text("0123456789", max_size=8))
def test_plain_milliseconds_round_as_the_others(whole, fraction):
    text = f"{whole}.{fraction}" if fraction else str(whole)
    value = seconds(text)
    assert value is not None
    assert plain_milliseconds(text) == milliseconds(value)


def test_plain_rows_make_blocks(tmp_path):
    row = "SPEAKER d{} 1 {}.125 1.065 <NA> <NA> Anna <NA> <NA>\n"
    (tmp_path / "x.rttm").write_text("".join(row.format(k // 100, k) for k in range(5000)))
    found = list(read_blocks(tmp_path / "x.rttm", "rttm", SourceOptions()))
    blocks = [row for row in found if isinstance(row, Block)]
    singly = [row for row in found if isinstance(row, Unit)]
    assert sum(map(len, blocks)) + len(singly) == 5000
    assert len(singly) < 128
