"""What quick looks say beside their values: names, documents, annotators that do not fit."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests.flows.command_line import accordeur
from tests.flows.in_process import said


def _notes(*arguments: object) -> list[str]:
    result = accordeur(*map(str, arguments))
    assert result.returncode == 0, result.stderr
    return [
        line.removeprefix("warning: ") for line in result.stdout.splitlines() if "warning:" in line
    ]


def _labels(path, rows):
    path.write_text("item,annotator,label\n" + "".join(",".join(row) + "\n" for row in rows))
    return path


def test_items_that_look_the_same(tmp_path):
    rows = [
        (unicodedata.normalize("NFD" if who == "ben" else "NFC", f"été-{k}"), who, "ny"[k % 2])
        for k in range(6)
        for who in ("anna", "ben", "carla")
    ]
    [note] = [
        n
        for n in _notes("agree", _labels(tmp_path / "a.csv", rows))
        if "items" in n and "one label only" not in n
    ]
    assert note.startswith("12 items are counted as different although they differ only in case")
    assert "u0301" in note


def test_alike_items_that_are_paired_are_no_matter(tmp_path):
    labels = {"a": "no", "A": "no", "b": "yes"}
    rows = [(item, who, label) for item, label in labels.items() for who in ("anna", "ben")]
    assert _notes("agree", _labels(tmp_path / "a.csv", rows), "--replicates", 0) == []


def test_an_annotator_of_another_tagset(tmp_path):
    said = {"anna": ("yes", "no"), "ben": ("yes", "no"), "comments": ("ok", "see item 3")}
    rows = [(str(k), who, said[who][k % 2]) for k in range(8) for who in said]
    notes = _notes("agree", _labels(tmp_path / "a.csv", rows))
    assert (
        "“comments” used none of the categories of the others ('ok', 'see item 3'; the others: "
        "'no', 'yes'): is this another set of categories, or not an annotator?"
    ) in notes


def test_items_of_one_name_in_several_files(tmp_path):
    for who in ("anna", "ben"):
        _labels(tmp_path / f"{who}.csv", [(str(k), who, "ny"[k % 2]) for k in range(5)])
    [note] = [n for n in _notes("agree", tmp_path) if "items" in n and "one label only" not in n]
    assert note.startswith(
        "items with the same name in different documents count as different items (5)"
    )
    assert "'paths={annotator}'" in note
    assert not [
        n
        for n in _notes("agree", tmp_path, "--option", "paths={annotator}")
        if "items" in n and "one label only" not in n
    ]


@pytest.fixture
def brat(tmp_path):
    for who in ("anna", "ben", "carla"):
        (tmp_path / who).mkdir()
        for name in ("été", "mai"):
            form = "NFD" if who == "carla" else "NFC"
            file = tmp_path / who / unicodedata.normalize(form, name)
            file.with_suffix(".txt").write_text("a bc def ghij")
            said = "Lieu" if who == "carla" else "Place"
            lines = [f"T{k}\t{said} {k} {k + 1}\t{'a bc def'[k]}\n" for k in (0, 2, 5)]
            file.with_suffix(".ann").write_text("".join(lines))
    return tmp_path


def test_documents_of_one_annotator_and_another_tagset(brat):
    notes = "\n".join(_notes("gamma", brat, "--replicates", 0))
    assert "1 document with only one annotator" in notes
    assert "3 units cannot be compared" in notes
    assert "2 documents are counted as different although they differ only in case" in notes
    assert (
        "“carla” used none of the categories of the others ('Lieu'; the others: 'Place')" in notes
    )


def test_seconds_beside_milliseconds(tmp_path):
    path = tmp_path / "a.csv"
    rows = [
        f"{who},X,{k * by},{(k + 1) * by}\n"
        for who, by in (("anna", 1), ("ben", 1000))
        for k in range(12)
    ]
    path.write_text("annotator,category,start,end\n" + "".join(rows))
    assert any(
        note.startswith("the units of “ben” end at about 1,000 times the offsets of the others")
        for note in _notes("gamma", path, "--replicates", 0)
    )


def test_folders_of_annotators_one_level_too_deep(tmp_path):
    """`inner/anna/d.ann`: a folder that only leads to those of the annotators is none itself."""
    for who in ("anna", "ben"):
        home = tmp_path / "brat" / "inner" / who
        home.mkdir(parents=True)
        (home / "d.txt").write_text("one two")
        (home / "d.ann").write_text("T1\tX 0 3\tone\n")
    few = [
        (
            "The layer has 2 units. With fewer than 10, γ is mostly due to chance, and its "
            "interval does not reflect that."
        )
    ]
    assert _notes("gamma", tmp_path / "brat", "--replicates", 0) == few
    assert _notes("gamma", tmp_path / "brat" / "inner", "--replicates", 0) == few
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('[campaign]\nname = "x"\n[[sources]]\npath = "brat"\n')
    assert "annotators: anna (human), ben (human)" in accordeur("check", campaign).stdout


def test_columns_of_a_wide_table_that_are_read_as_annotators_are_named(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("id,comment,ann1,n\n1,ok,x,3\n2,,y,5\n", encoding="utf-8")
    wide = ("agree", path, "--wide", "--item", "id", "--replicates", 0)
    notes = _notes(*wide)
    assert any("something else, such as comments or a date (1): n." in n for n in notes)
    assert any("not used (1): comment." in n for n in notes)
    assert any("use `--count n`" in n for n in notes)
    plain = path.with_name("plain.csv")
    plain.write_text("id,rater1,rater2\n1,x,x\n2,x,y\n", encoding="utf-8")
    assert _notes("agree", plain, "--item", "id", "--replicates", 0) == []


def test_decimal_commas_are_not_taken_for_joined_labels(tmp_path):
    path = tmp_path / "comma.csv"
    rows = ["1;a;1,5", "1;b;1,0", "2;a;3,0", "2;b;3,0", "3;a;1,5", "3;b;1,5"]
    path.write_text("\n".join(["item;annotator;label", *rows]), encoding="utf-8")
    [note] = _notes("agree", path, "--replicates", 0)
    assert note.startswith("cells such as '1,0', '1,5', '3,0' are counted as categories, not as")
    assert "write a decimal point" in note


def test_files_that_end_in_their_annotator_are_recognised(tmp_path: Path) -> None:
    folder = tmp_path / "brat"
    folder.mkdir()
    for name in ("d1_anna", "d1_ben"):
        (folder / f"{name}.txt").write_text("A short text.", encoding="utf-8")
        (folder / f"{name}.ann").write_text("T1\tX 2 7\tshort\n", encoding="utf-8")
    code, sentence = said("gamma", folder)
    assert code == 2
    assert "if 'd1_anna' and 'd1_ben' are one document by two annotators" in sentence
