"""CoNLL by blocks says what it says line by line, whatever the lines hold."""

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
from accordeur.data.readers.conll.reader import READER
from tests.data.readers.both_ways import read_both_ways

RELAXED = settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TAGS = st.sampled_from(["O", "O", "B-X", "I-X", "I-X", "I-Y", "B-Y", "E-X", "S-X", "L-Y", "U-Y"])
ODD_TAGS = st.sampled_from(["_", "*", "-", "B", "I", "Q-X", "B-", "I-a-b", "😀"])
TOKENS = st.tuples(st.sampled_from(["a", "É", "#", "😀"]), TAGS, TAGS | ODD_TAGS)
PLAIN = TOKENS.map(" ".join)
OTHERS = st.sampled_from(
    [
        *["", "", " ", "a", "a b", "-DOCSTART- O O", "# newdoc id = x", "#begin document y"],
        *["# id = 3", "#end document", "# 1 B-X", "\x1ca b O", "a\tB-X I-X", "a  B-X  O"],
    ]
)
EXTRA = st.fixed_dictionaries(
    {},
    optional={
        "scheme": st.sampled_from(["iob1", "iob2", "bioes", "bilou", "labels"]),
        "columns": st.sampled_from(["2", "anna=2,ben=3", "2=2", "x=4", "a=3,b=-1"]),
        "token_column": st.sampled_from(["1", "3"]),
        "chunks": st.sampled_from(["lenient", "strict"]),
        "offsets": st.sampled_from(["token", "char"]),
        "separator": st.just("tab"),
    },
)


@pytest.fixture(params=[0, 3])
def small_blocks(monkeypatch, request):
    """Little text at a time, blocks of few rows and of any number."""
    monkeypatch.setattr(lines, "BLOCK_BYTES", 40)
    monkeypatch.setattr(accordeur.data.blocks, "_FEW", request.param)


def assert_same(path: Path, options: SourceOptions) -> None:
    try:
        read_both_ways(path, "conll", options)
    except DataError:
        return


@RELAXED
@given(text=st.lists(PLAIN | PLAIN | OTHERS, max_size=40), extra=EXTRA, damage=st.booleans())
def test_both_ways(tmp_path, small_blocks, text, extra, damage):
    path = tmp_path / "anna.conll"
    path.write_bytes("\n".join(text).encode() + (b"\xff\na O\n" if damage else b""))
    assert_same(path, SourceOptions(extra=extra))


WORDS = st.tuples(
    st.sampled_from(["1", "2", "2", "10", "1-2", "8.1", "²", "x", ""]), TAGS, TAGS
).map(lambda row: "\t".join([row[0], "w", "l", row[1], "X", "_", "0", "d", "_", row[2]]))


@RELAXED
@given(
    text=st.lists(WORDS | st.sampled_from(["", "# newdoc", "# x", "#", "1\tw", "\t"]), max_size=30),
    column=st.sampled_from(["UPOS", "MISC", "MISC:Entity", "a=UPOS,b=MISC", "4"]),
    scheme=st.sampled_from([{}, {"scheme": "labels"}, {"scheme": "iob2"}]),
)
def test_conllu_both_ways(tmp_path, small_blocks, text, column, scheme):
    path = tmp_path / "anna.conllu"
    path.write_text("\n".join(text))
    assert_same(path, SourceOptions(extra={"columns": column, **scheme}))


def test_plain_lines_make_blocks_around_a_bad_one(tmp_path):
    path = tmp_path / "anna.conll"
    rows = ["a B-X", "b I-X", "c O"] * 60_000
    rows[90_000] = "a Q-X"
    path.write_text("\n".join(rows))
    found = list(READER.read_blocks(path, SourceOptions()))
    sizes = [len(row) for row in found if isinstance(row, Block)]
    assert sum(sizes) > 40_000
    assert min(sizes) > 1000
    read_both_ways(path, "conll", SourceOptions())
