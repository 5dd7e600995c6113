"""What the quick looks tell beside their values: rejected rows, names alike, few documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.command_line import accordeur, results, warnings_in


def test_a_row_that_cannot_be_measured_is_set_aside_and_told(tmp_path: Path) -> None:
    """A bad row of each kind: what is left is measured as if it had not been there."""
    rows = [f"d,{who},{k},{k + 5},x" for k in (0, 7, 21, 40, 58) for who in ("anna", "ben")]
    head = "document,annotator,start,end,category"
    clean, holed = tmp_path / "clean.csv", tmp_path / "holed.csv"
    clean.write_text("\n".join([head, *rows]), encoding="utf-8")
    bad = ["d,anna,9,9,x", "d,anna,30,20,x", "d,ben,3.5,9,x", rows[0], "d,anna,31,20,x"]
    holed.write_text("\n".join([head, *rows, *bad]), encoding="utf-8")
    assert results("gamma", holed) == results("gamma", clean)
    found = json.loads(accordeur("gamma", holed, "--json").stdout)["rejected"]
    assert [(row["location"], row["rule"]) for row in found] == [
        ("line 12", "zero_length"),
        ("line 13", "end_before_start"),
        ("line 14", "fraction"),
        ("line 15", "unit_occurs_once"),
        ("line 16", "end_before_start"),
    ]
    told = accordeur("gamma", holed).stdout
    assert "5 rows rejected" in told
    assert "line 13: end (20) is before start (30) – and 1 more: line 16\n" in told
    strict = accordeur("gamma", holed, "--strict")
    assert (strict.returncode, strict.stdout) == (2, "")
    assert "holed.csv line 12: the unit at 9 has zero length" in strict.stderr
    assert "(and 4 more rejected)" in strict.stderr


def test_units_of_a_document_by_one_annotator_are_told_apart(tmp_path: Path) -> None:
    rows = [f"d,{who},{k},{k + 5},x" for k in (0, 7, 21, 40, 58) for who in ("anna", "ben")]
    table = tmp_path / "units.csv"
    head = "document,annotator,start,end,category"
    table.write_text("\n".join([head, *rows, "e,anna,0,5,x", "e,anna,7,9,x"]), encoding="utf-8")
    assert results("gamma", table)["gamma"]["n_items"] == len(rows)
    told = accordeur("gamma", table).stdout
    fates = "10 measured, 2 excluded (with one annotator only), 0 rejected"
    assert f"12 rows read: {fates}; 2 annotators" in told


def test_labels_that_cannot_be_measured_are_set_aside_and_told(tmp_path: Path) -> None:
    rows = ["1,a,x", "1,b,x", "2,a,y", "2,b,x", "3,a,y", "3,b,y"]
    clean, holed = tmp_path / "clean.csv", tmp_path / "holed.csv"
    clean.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    bad = ["4,a,", ",a,x", "1,a,y", "4,b,z", "5,a,x,x"]
    holed.write_text("\n".join(["item,annotator,label", *rows, *bad]), encoding="utf-8")
    for command in ("agree", "resample"):
        both = [results(command, path, "--categories", "x,y") for path in (clean, holed)]
        assert both[0] == both[1]
    found = json.loads(accordeur("agree", holed, "--categories", "x,y", "--json").stdout)[
        "rejected"
    ]
    assert [(row["location"], row["rule"], row["value"]) for row in found] == [
        ("line 8", "empty_value", "label"),
        ("line 9", "empty_value", "item"),
        ("line 10", "label_occurs_once", "1"),
        ("line 11", "label_in_tagset", "z"),
        ("line 12", "wrong_number_of_columns", "4"),
    ]
    assert accordeur("agree", holed, "--strict").returncode == 2
    nobody = accordeur("agree", clean, "--categories", "y,z")
    assert "one annotator only" not in nobody.stderr
    alone = accordeur("agree", clean, "--categories", "w,z")
    assert "clean.csv line 2: label not among the layer's categories (x)" in alone.stderr


def test_agree_takes_other_exports_and_one_of_their_layers(tmp_path: Path) -> None:
    rows = [
        f"{item},{who},{layer},{label}"
        for item, labels in enumerate(("xx", "xy", "yy", "yy"))
        for layer in ("tone", "topic")
        for who, label in zip("ab", labels if layer == "tone" else "xx", strict=True)
    ]
    path, plain = tmp_path / "layers.csv", tmp_path / "plain.csv"
    path.write_text("\n".join(["item,annotator,layer,label", *rows]), encoding="utf-8")
    tone = [row.replace(",tone,", ",") for row in rows if ",tone," in row]
    plain.write_text("\n".join(["item,annotator,label", *tone]), encoding="utf-8")
    undecided = accordeur("agree", path)
    assert undecided.returncode == 2
    assert "several layers of labels ('tone', 'topic')" in undecided.stderr
    values = [
        {measure: row["value"] for measure, row in results(*arguments).items()}
        for arguments in (("agree", path, "--layer", "tone"), ("agree", plain))
    ]
    assert values[0] == values[1]


def test_categories_that_look_the_same_are_told(tmp_path: Path) -> None:
    """One annotator's tool writes é as a letter and its accent: another category, unseen."""
    path = tmp_path / "labels.csv"
    rows = [f"{k},a,caf\u00e9\n{k},b,cafe\u0301\n{k},c,Tea\n{k},d,tea" for k in range(3)]
    path.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    told = warnings_in(json.loads(accordeur("agree", path, "--json").stdout))
    assert [text.partition(" are ")[0] for text in told if "counted as" in text] == [
        "the categories 'Tea', 'tea'",
        "the categories 'cafe\\u0301', 'caf\\xe9'",
    ]
    assert (
        "warning: the categories 'Tea', 'tea' are counted as different"
        in accordeur("agree", path).stdout
    )


def test_intervals_of_few_documents_are_told_to_be_narrow(tmp_path: Path) -> None:
    labels, units = tmp_path / "labels.csv", tmp_path / "units.csv"
    rows = [f"d{d},{i},{who},{'xy'[i % 2]}" for d in range(3) for i in range(6) for who in "ab"]
    labels.write_text("\n".join(["document,item,annotator,label", *rows]), encoding="utf-8")
    places = [(d, who, 10 * i + d) for d in range(3) for who in "ab" for i in range(3)]
    lines = [f"d{d},{who},{start},{start + 5},x,30" for d, who, start in places]
    head = "document,annotator,start,end,category,length"
    units.write_text("\n".join([head, *lines]), encoding="utf-8")
    for arguments, said in (
        (("agree", labels), "Documents with a label other than “x”: 3 of 3."),
        (("gamma", units), "Documents with units: 3."),
    ):
        found = json.loads(accordeur(*arguments, "--json").stdout)
        [told] = [one["text"] for one in found["warnings"] if one["code"] == "few_documents"]
        assert told.startswith(said)
        without = json.loads(accordeur(*arguments, "--json", "--replicates", 0).stdout)
        assert without["warnings"] == []


def test_names_with_square_brackets_are_printed_as_they_are(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.csv", tmp_path / "system.csv"
    gold.write_text("item,annotator,label\n1,gold,[b]\n2,gold,[/x]\n", encoding="utf-8")
    system.write_text("item,annotator,label\n1,[red],[b]\n2,[red],[b]\n", encoding="utf-8")
    done = accordeur("score", "--reference", gold, "--system", system, "--replicates", "0")
    assert done.returncode == 0, done.stderr
    assert "[red]" in done.stdout
    assert "[b]" in done.stdout


def test_rows_of_one_rule_are_told_file_by_file(tmp_path: Path) -> None:
    """Else the second file that is wrong in the same way would hide behind the first."""
    for who, text in (("anna", "one two"), ("ben", "one two"), ("carl", "ONE"), ("dora", "ONE tw")):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.txt").write_text(text, encoding="utf-8")
        units = f"T1\tX 0 1\t{text[0]}\nT2\tX 1 3\t{text[1:3]}\n"
        (tmp_path / who / "d.ann").write_text(units, encoding="utf-8")
    told = accordeur("gamma", tmp_path).stdout
    assert "4 rows rejected" in told
    assert "– 4 in all: 2 in carl/d.ann, 2 in dora/d.ann\n" in told


def test_labels_that_contradict_an_earlier_one_are_counted(tmp_path: Path) -> None:
    """The first is measured: two orders of the same rows give two values, and both say so."""
    rows = ["1,b,x", "2,a,x", "2,b,x", "3,a,y", "3,b,y"]
    values = []
    for name, pair in (("one.csv", ["1,a,x", "1,a,y"]), ("two.csv", ["1,a,y", "1,a,x"])):
        path = tmp_path / name
        path.write_text("\n".join(["item,annotator,label", *pair, *rows]), encoding="utf-8")
        found = json.loads(accordeur("agree", path, "--replicates", 0, "--json").stdout)
        values.append(found["results"][0]["value"])
        [told] = [one for one in found["warnings"] if one["code"] == "conflicting_labels"]
        assert told["figures"]["n"] == 1
        assert "only the first of the two is measured" in found["rejected"][0]["message"]
    assert values == pytest.approx([1.0, 4 / 9])
    same = tmp_path / "same.csv"
    same.write_text("\n".join(["item,annotator,label", "1,a,x", "1,a,x", *rows]), encoding="utf-8")
    assert "differ from an earlier label" not in accordeur("agree", same).stdout


def test_an_option_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", encoding="utf-8")
    twice = (word for name in "ab" for word in ("--option", f"exclude_annotators={name}"))
    done = accordeur("agree", path, *twice)
    assert done.returncode == 2
    assert "--option exclude_annotators is given twice (a, b)" in done.stderr
