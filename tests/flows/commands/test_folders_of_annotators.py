"""Exports in folders: one per annotator, one per document, merged tables, several arguments."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from accordeur.data.readers.common.naming import distinct_parts
from tests.flows.in_process import found, said, texts, values

PEOPLE = ("anna", "ben")
ALPHA = ("--measure", "krippendorff_alpha", "--replicates", "0")
ROUGHLY = ("--replicates", "0", "--precision", "0.3")
TEXT = "aaa bbb ccc ddd eee fff "


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _label(who: str, day: int, k: int) -> str:
    return "AB"[(k + day + (who == "ben" and k % 4 == day % 3)) % 2]


def labels(path: Path, who: str, day: int, *, annotator: str = "") -> Path:
    """Eight items of a day by one annotator; without the column `annotator` where it is ""."""
    column, cell = ("annotator,", f"{annotator},") if annotator else ("", "")
    rows = (f"{k},{cell}{_label(who, day, k)}\n" for k in range(8))
    return _write(path, f"item,{column}label\n" + "".join(rows))


def all_labels(path: Path, *, document: str = "day{}") -> Path:
    """The same of every day and annotator as one table."""
    rows = (
        f"{document.format(day)},{k},{who},{_label(who, day, k)}\n"
        for day in range(3)
        for who in PEOPLE
        for k in range(8)
    )
    return _write(path, "document,item,annotator,label\n" + "".join(rows))


def _units(who: str, day: int) -> list[tuple[int, int, str]]:
    shift = 4 * (who == "ben")
    return [(8 * k, 8 * k + 3 + shift * (k % 3 == day), "XY"[k % 2]) for k in range(4 + day)]


def brat(folder: Path, who: str, day: int) -> None:
    text = TEXT * (3 + day)
    _write(folder / f"day{day}.txt", text)
    lines = (
        f"T{n}\t{category} {start} {end}\t{text[start:end]}\n"
        for n, (start, end, category) in enumerate(_units(who, day), 1)
    )
    _write(folder / f"day{day}.ann", "".join(lines))


def conll(path: Path, who: str, day: int) -> Path:
    tags = ["O"] * (40 + day)
    for start, end, category in _units(who, day):
        tags[start // 4 : end // 4 + 1] = [
            f"B-{category}",
            *["I-" + category] * ((end - start) // 4),
        ]
    return _write(path, "".join(f"w{k} {tag}\n" for k, tag in enumerate(tags)) + "\n")


def rttm(path: Path, who: str, day: int) -> Path:
    rows = (
        f"SPEAKER rec{day} 1 {start}.0 {end - start}.0 <NA> <NA> {category} <NA> <NA>\n"
        for start, end, category in _units(who, day)
    )
    return _write(path, "".join(rows))


def units(path: Path, who: str, day: int) -> Path:
    rows = (f"{start},{end},{category}\n" for start, end, category in _units(who, day))
    return _write(path, "start,end,category\n" + "".join(rows))


def doccano(path: Path, who: str, day: int) -> Path:
    line = {"id": day, "text": TEXT * (3 + day), "label": _units(who, day)}
    return _write(path, json.dumps(line) + "\n")


FORMATS = {"conll": conll, "rttm": rttm, "csv": units, "jsonl": doccano}


@pytest.mark.parametrize("ending", FORMATS)
def test_a_folder_per_annotator_is_found_for_every_format(tmp_path: Path, ending: str) -> None:
    for who in PEOPLE:
        for day in range(3):
            brat(tmp_path / "brat" / who, who, day)
            FORMATS[ending](tmp_path / "all" / who / f"day{day}.{ending}", who, day)
    expected = values("gamma", tmp_path / "brat", *ROUGHLY)["gamma"]
    of_folder = found("gamma", tmp_path / "all", *ROUGHLY)
    assert texts(of_folder)[0].startswith(
        "Folders that contain files with the same names are each read as one annotator (2)"
    )
    folders = [tmp_path / "all" / who for who in PEOPLE]
    asked = values("gamma", tmp_path / "all", "--option", "paths={annotator}/{document}", *ROUGHLY)
    measured = {row["measure"]: row["value"] for row in of_folder["results"]}
    assert values("gamma", *folders, *ROUGHLY) == measured == asked
    if ending in ("csv", "jsonl"):  # the same offsets as brat's
        assert measured["gamma"] == pytest.approx(expected, abs=0.15)


def test_folders_of_documents_stay_documents(tmp_path: Path) -> None:
    for who in PEOPLE:
        for day in range(3):
            conll(tmp_path / "by_annotator" / who / f"day{day}.conll", who, day)
            conll(tmp_path / "by_document" / f"day{day}" / f"{who}.conll", who, day)
    by_document = found("gamma", tmp_path / "by_document", *ROUGHLY)
    assert not [one for one in texts(by_document) if one.startswith("Folders")]
    by_annotator = found("gamma", tmp_path / "by_annotator", *ROUGHLY)
    assert by_annotator["results"] == by_document["results"]


def test_folders_that_may_be_either_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        for file in ("a1", "b1"):
            conll(tmp_path / folder / f"{file}.conll", "anna", 1)
    code, sentence = said("gamma", tmp_path)
    assert code == 2
    assert "a and b both hold a file a1.conll, and it is not clear" in sentence
    for paths in ("{annotator}/{document}", "{document}/{annotator}"):
        assert f"`--option 'paths={paths}'`" in sentence
        assert "not clear" not in said("gamma", tmp_path, "--option", f"paths={paths}", *ROUGHLY)[1]


@pytest.mark.parametrize("annotator", ["", "own"])
def test_tables_of_labels_in_folders_and_as_arguments(tmp_path: Path, annotator: str) -> None:
    expected = values("agree", all_labels(tmp_path / "one.csv"), *ALPHA)
    for who in PEOPLE:
        for day in range(3):
            path = tmp_path / "all" / who / f"day{day}.csv"
            labels(path, who, day, annotator=who if annotator else "")
    assert values("agree", tmp_path / "all", *ALPHA) == expected
    assert values("agree", *(tmp_path / "all" / who for who in PEOPLE), *ALPHA) == expected


@pytest.mark.parametrize("names", [("anna.csv", "ben.csv"), ("anna/day1.csv", "ben/day1.csv")])
def test_two_tables_without_annotators_are_two_annotators(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    paths = [labels(tmp_path / name, who, 1) for who, name in zip(PEOPLE, names, strict=True)]
    one = [labels(tmp_path / "one" / f"{who}.csv", who, 1, annotator=who) for who in PEOPLE]
    text = one[0].read_text() + one[1].read_text().partition("\n")[2]
    expected = values("agree", _write(tmp_path / "merged.csv", text), *ALPHA)
    assert values("agree", *paths, *ALPHA) == expected
    assert values("resample", *paths)


def test_a_folder_around_brats_folders_of_annotators_is_no_annotator(tmp_path: Path) -> None:
    for who in PEOPLE:
        for day in range(3):
            brat(tmp_path / "project" / "annotations" / who, who, day)
    inner = values("gamma", tmp_path / "project" / "annotations", *ROUGHLY)
    assert values("gamma", tmp_path, *ROUGHLY) == inner


def test_rounds_of_annotators_are_not_taken_for_annotators(tmp_path: Path) -> None:
    for who in PEOPLE:
        for number in ("round1", "round2"):
            brat(tmp_path / number / who, who, 1)
    code, sentence = said("gamma", tmp_path, *ROUGHLY)
    assert code == 2
    assert (
        "both anna and ben, and the folders that hold them, have files of the same names"
        in sentence
    )
    for paths in ("{annotator}/**/{document}", "{document}/{annotator}/{document}"):
        assert f"`--option 'paths={paths}'`" in sentence
        assert said("gamma", tmp_path, "--option", f"paths={paths}", *ROUGHLY)[0] == 0


def test_the_error_names_documents_and_no_cause(tmp_path: Path) -> None:
    rows = "".join(f"d-{who},{who},{k},{k + 3},A\n" for who in PEOPLE for k in range(0, 30, 5))
    path = _write(tmp_path / "units.csv", "document,annotator,start,end,category\n" + rows)
    code, sentence = said("gamma", path)
    assert code == 2
    assert (
        "each document was annotated by one annotator ('d-anna' by anna, 'd-ben' by ben …)"
        in sentence
    )
    assert "names the same" not in sentence


@pytest.mark.parametrize("document", ["day{}.csv", "all/day{}", "day{}"])
def test_a_merged_table_never_counts_rows_twice(tmp_path: Path, document: str) -> None:
    expected = values("agree", all_labels(tmp_path / "alone" / "all.csv"), *ALPHA)
    for day in range(3):
        rows = [f"{k},{who},{_label(who, day, k)}\n" for who in PEOPLE for k in range(8)]
        random.Random(day).shuffle(rows)
        _write(tmp_path / "both" / f"day{day}.csv", "item,annotator,label\n" + "".join(rows))
    all_labels(tmp_path / "both" / "merged.csv", document=document)
    if document == "day{}":  # the same rows by name: each is counted once
        result = found("agree", tmp_path / "both", *ALPHA)
        assert {row["measure"]: row["value"] for row in result["results"]} == expected
        assert result["rejected"] == []
        assert result["rows"]["excluded"] == {"delivered_again": 48}
        return
    code, sentence = said("agree", tmp_path / "both")
    assert code == 2
    assert "and would count twice" in sentence
    campaign = _write(tmp_path / "c.toml", '[campaign]\nname = "x"\n[[sources]]\npath = "both"\n')
    code, output = said("check", campaign)
    assert code == 2
    assert "and would count twice" in output


def test_a_merged_table_that_is_one_document_is_refused_too(tmp_path: Path) -> None:
    rows = []
    for day in range(3):
        own = [f"{day}-{k},{who},{_label(who, day, k)}\n" for who in PEOPLE for k in range(8)]
        _write(tmp_path / f"day{day}.csv", "item,annotator,label\n" + "".join(own))
        rows += own
    merged = _write(tmp_path / "merged.csv", "item,annotator,label\n" + "".join(rows))
    assert "merged.csv holds the same 48 rows as the other 3 tables" in said("agree", tmp_path)[1]
    days = sorted(tmp_path.glob("day*.csv"))
    assert "would count twice" in said("agree", *days, merged)[1]
    assert said("agree", *days)[0] == 0


def test_the_names_of_paths_are_their_shortest_that_differ() -> None:
    assert distinct_parts([Path("x/a/run.csv"), Path("x/b/run.csv")]) == ["a", "b"]
    assert distinct_parts([Path("x/a.csv"), Path("x/b.csv")]) == ["a", "b"]
    assert distinct_parts([Path("m/1/p.csv"), Path("m/2/p.csv"), Path("m/1/q.csv")]) == [
        *("1/p", "2/p", "1/q")
    ]


def test_an_older_option_is_read_with_the_pattern_to_write(tmp_path: Path) -> None:
    """On the command line and in a campaign file, whose exit status does not change."""
    for who in PEOPLE:
        conll(tmp_path / "day1" / f"{who}.conll", who, 1)
    older = found("gamma", tmp_path, "--option", "layout=document/annotator", *ROUGHLY)
    pattern = "paths=**/{document}/{annotator}"
    assert f"write `--option '{pattern}'`." in "".join(texts(older))
    assert older["results"] == found("gamma", tmp_path, "--option", pattern, *ROUGHLY)["results"]
    campaign = _write(
        tmp_path / "c.toml",
        '[campaign]\nname = "x"\n[[sources]]\npath = "."\nformat = "conll"\n'
        'options = { layout = "document/annotator" }\n',
    )
    code, output = said("check", campaign)
    assert code == 0
    assert 'write `options = { paths = "**/{document}/{annotator}" }` in the campaign' in output
