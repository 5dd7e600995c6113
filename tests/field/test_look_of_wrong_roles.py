"""Columns of public files that `look` took for annotators, for the item or for labels."""

from __future__ import annotations

import json
import random
import shlex
from pathlib import Path

import pytest

from tests.flows.in_process import said

DRAW = random.Random(7)


def table(path: Path, header: str, rows: list[list[object]]) -> Path:
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


def line_of(path: Path, *words: str) -> list[str]:
    """Return the words of the line that `look` prints first, and check that it runs."""
    code, output = said("look", str(path), *words, "--json")
    assert code == 0, output
    layer = next(one for one in json.loads(output)["layers"] if one["command"])
    return shlex.split(layer["command"])[1:]


def given(words: list[str], name: str) -> str:
    return words[words.index(name) + 1]


def test_parts_of_a_transcript_of_which_few_were_coded_by_several(tmp_path):
    """One utterance in twenty was coded by all; three columns of one ending are questions."""
    rows = [
        [f"t{k // 40}", k % 40, f"coder{who}", *(DRAW.choice(["yes", "n/a"]) for _ in "abc")]
        for k in range(200)
        for who in (range(9) if k % 20 == 0 else [k % 9])
    ]  # fmt: skip
    header = "talk_id,turn_id,annotator_id,question_exists,advice_exists,praise_exists"
    words = line_of(table(tmp_path / "a.csv", header, rows))
    assert given(words, "--annotator") == "annotator_id"
    assert given(words, "--item") == "talk_id,turn_id"


def test_a_judgement_is_no_part_of_the_item_where_rows_repeat(tmp_path):
    rows = [
        [f"w{who}", ref, system, DRAW.randrange(101), DRAW.choice([0, 2, 2, 2])]
        for ref in range(30)
        for system in range(6)
        for who in DRAW.sample(range(8), 4)
        for _ in range(1 + (ref == 3 and who < 7))
    ]
    header = "worker_id,ref_id,sys_id,human_score,gm"
    words = line_of(table(tmp_path / "a.csv", header, rows))
    assert given(words, "--item") == "ref_id,sys_id"


def test_files_of_two_groups_of_annotators_are_one_item(tmp_path):
    """The sound of a page was heard at another address by each group, and some heard it again."""
    rows = [
        [page, sound, f"{'wl'[who > 5]}-{page}-{sound}", f"s{who}", DRAW.randrange(9)]
        for page in "abcd"
        for sound in ("low", "mid", "top")
        for who in range(12)
        for _ in range(1 + (page + sound == "blow"))
    ]  # fmt: skip
    words = line_of(table(tmp_path / "a.csv", "page,sound,url,subject,rating", rows))
    assert given(words, "--item") == "page,sound"


def test_spans_in_texts_that_no_name_tells_with_rows_of_none(tmp_path):
    """Where a text has no span both bounds are −1; the summary is the document."""
    rows = [
        [k // 3, "abc"[k % 3], f"the text of number {k} is of some words", kind, start, end, who]
        for k in range(60)
        for who in ("w1", "w2", "w3")
        for kind, start, end in (
            [("none", -1, -1)]
            if DRAW.random() < 0.2
            else [("out", 1, 9 + DRAW.randrange(3)), ("in", 12, 20 + DRAW.randrange(3))]
        )
    ]
    header = "story,system,summary,span_type,span_start,span_end,worker_id"
    words = line_of(table(tmp_path / "a.csv", header, rows))
    assert words[0] == "gamma"
    assert given(words, "--document") == "summary"
    assert given(words, "--annotator") == "worker_id"


def test_a_column_beside_annotators_called_by_letters(tmp_path):
    rows = [
        [f"d{k}", k % 2, *(DRAW.choice(["0", "1", ""]) for _ in "ABCDE"), "some words of it"]
        for k in range(40)
    ]
    words = line_of(table(tmp_path / "a.csv", "ID,Manip,A,B,C,D,E,Talk", rows))
    assert given(words, "--annotator") == "A,B,C,D,E"


def test_judgements_of_other_columns_are_no_annotators(tmp_path):
    kinds = ["fine", "odd", "none"]
    rows = [
        [f"question {k} of some words", *(
            cell
            for bot in ("ana", "bot", "cat")
            for cell in (f"{bot} answers {k} in words", DRAW.choice(kinds), DRAW.choice(kinds))
        )]
        for k in range(40)
    ]  # fmt: skip
    header = ",".join(
        [
            "query",
            *(f"{bot}-reply{end}" for bot in ("ana", "bot", "cat") for end in ("", "-x", "-y")),
        ]
    )
    code, output = said("look", str(table(tmp_path / "a.csv", header, rows)))
    assert code == 2, output


def test_units_of_which_several_columns_may_be_of_the_annotator(tmp_path):
    rows = [[f"Show {k % 3}", k % 4, 10 * k, 10 * k + 9, *"012"] for k in range(40)]
    path = table(tmp_path / "a.csv", "Show,EpId,Start,Stop,Block,Music,Pause", rows)
    code, output = said("look", str(path))
    assert code == 2
    assert "annotator" in output


@pytest.mark.parametrize("more", ["", ",majority"])
def test_votes_of_which_each_item_has_as_many(tmp_path, more):
    """None of them is 0, so that they could be labels of three annotators."""
    rows = []
    for k in range(30):
        first, second = 1 + DRAW.randrange(5), 1 + DRAW.randrange(3)
        rows.append([f"p{k}", first, second, 10 - first - second, *([1] if more else [])])
    path = table(tmp_path / "a.csv", f"post,votes_1,votes_2,votes_3{more}", rows)
    assert line_of(path)[2:] == ["--option", "layout=counts"]
    code, output = said("agree", str(path), "--wide")
    assert code == 2
    assert "layout=counts" in output


def test_two_lines_of_names_are_named_where_a_table_is_refused(tmp_path):
    path = table(tmp_path / "a.csv", ",Ann,,Ben,", [["id", *["tone", "topic"] * 2], [*"12345"]])
    code, output = said("agree", str(path))
    assert code == 2
    assert "--option header=two" in output
