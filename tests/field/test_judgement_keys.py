"""What was judged: tables whose item and annotator do not say it alone, or in several columns."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest

import accordeur as acc
from tests.flows.in_process import found, said, texts

CASES = Path(__file__).parent / "cases"
ALPHA = ("--replicates", 0, "--measure", "krippendorff_alpha")
SCORES = CASES / "long_table_of_several_questions" / "scores.csv"
OF_SCORES = ("--annotator", "judge", "--label", "score", "--distance", "interval")


def alpha(*arguments: object) -> float:
    [row] = found("agree", *arguments, *ALPHA)["results"]
    return float(row["value"])


def test_a_question_that_tells_repeated_rows_apart_is_named():
    code, sentence = said("agree", SCORES, "--item", "sentence", *OF_SCORES, *ALPHA)
    assert code == 2
    assert "67% of the rows repeat" in sentence
    assert "`--item sentence,quality`" in sentence
    assert "pass" not in sentence


@pytest.mark.parametrize(
    ("question", "value"), [("tone", 0.7240), ("order", 0.6698), ("brief", 0.8672)]
)
def test_each_question_has_the_value_of_other_packages(question, value):
    layer = ("--option", "layer=quality", "--layer", question)
    got = alpha(SCORES, "--item", "sentence", *OF_SCORES, *layer)
    assert got == pytest.approx(value, abs=5e-5)


def test_an_item_of_two_columns_has_one_name(tmp_path):
    """Values that contain the joint do not make two items one."""
    path = tmp_path / "t.csv"
    rows = [("a + b", "c"), ("a", "b + c"), ("x", "y"), ("x", "z")]
    path.write_text(
        "p,q,annotator,label\n"
        + "".join(f"{p},{q},{who},{k % 2}\n" for k, (p, q) in enumerate(rows) for who in "uv")
    )
    [row] = found("agree", path, "--item", "p,q", *ALPHA)["results"]
    assert (row["n_items"], row["value"]) == (4, 1.0)


def test_page_and_line_are_the_item():
    whole = found("agree", CASES / "two_id_columns_of_numbers" / "lines.csv", "--wide", *ALPHA)
    assert whole["results"][0]["value"] == pytest.approx(0.7040, abs=5e-5)
    assert any("page + line" in text for text in texts(whole))


def test_a_system_that_no_two_labels_of_an_item_share_is_refused(tmp_path):
    """Each annotator judged the output of another system for the same text."""
    draw = random.Random(7)
    path = tmp_path / "t.csv"
    lines = ["text,line,annotator,system,label"]
    for k in range(60):
        systems = draw.sample(["sys A", "sys B", "sys C"], 2)
        people = draw.sample(["ana", "ben", "cat"], 2)
        lines += [
            f"t{k},1,{w},{s},{draw.choice('xyz')}" for w, s in zip(people, systems, strict=True)
        ]
    path.write_text("\n".join(lines))
    code, sentence = said("agree", path, "--item", "text", *ALPHA)
    assert (code, "`system`" in sentence, "--item text,system" in sentence) == (2, True, True)
    assert "`--item text,line,system`" in said("agree", path, "--item", "text,line", *ALPHA)[1]
    assert "`--option ignore=system` leaves the column out" in sentence
    code, sentence = said("agree", path, "--item", "text", "--option", "ignore=system", *ALPHA)
    assert code == 0, sentence


def test_the_item_of_a_wide_table_is_named_within_each_question(tmp_path):
    draw = random.Random(7)
    rows = [[str(k), one, *(draw.choice("xyz") for _ in "ab")] for k in range(20) for one in "pq"]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(map(",".join, [["case", "question", "ana", "ben"], *rows])))
    parts = found("agree", path, "--wide", "--by", "question", *ALPHA)["parts"]
    assert [one["n_annotators"] for one in parts] == [2, 2]
    assert (
        said("look", path)[1].splitlines()[-1].endswith("--wide --item case,question --by question")
    )


@pytest.mark.parametrize("extra", ["session", "day", "gender", "position", "length", "domain"])
def test_what_describes_annotators_items_or_circumstances_is_no_part_of_the_key(tmp_path, extra):
    draw = random.Random(3)
    path = tmp_path / "t.csv"
    lines = [f"item,annotator,{extra},label"]
    for k in range(80):
        for a, who in enumerate(["ana", "ben", "cat"]):
            value = {
                "session": f"{who}-{k // 10}",
                "day": f"2026-03-{(k // 8) + a + 1:02}",
                "gender": "fm"[a % 2],
                "position": str(draw.randrange(1, 11)),
                "length": str(17 + k),
                "domain": ["news", "chat"][k % 2],
            }[extra]
            lines.append(f"i{k},{who},{value},{draw.choice('xy')}")
    path.write_text("\n".join(lines))
    code, sentence = said("agree", path, *ALPHA)
    assert code == 0, sentence
    assert "part of what was judged" not in sentence
    assert "no two labels of an item" not in sentence.casefold()


def test_a_grid_of_names_is_annotators_and_questions():
    path = CASES / "one_hot_columns_of_named_annotators" / "feelings.csv"
    code, sentence = said("agree", path, "--wide", "--item", "id", *ALPHA)
    assert (code, "`--annotator ana_joy,ben_joy`" in sentence) == (2, True)
    for question, value in (("joy", 0.5938), ("grief", 0.8960), ("fear", 0.6176)):
        named = ("--item", "id", "--annotator", f"*_{question}")
        assert alpha(path, *named) == pytest.approx(value, abs=5e-5)


def test_computed_columns_and_decisions_are_named():
    folder = CASES / "final_and_agree_columns"
    whole = found("agree", folder / "checked.csv", "--wide", *ALPHA)
    assert whole["results"][0]["value"] == pytest.approx(0.4198, abs=5e-5)
    assert any("agree, kappa" in text for text in texts(whole))
    whole = found("agree", folder / "coded.csv", "--wide", *ALPHA)
    assert any("names of references: “final”" in text for text in texts(whole))


def test_what_annotators_were_shown_is_no_label():
    path = CASES / "shown_text_as_label" / "full_report.csv"
    named = ("--item", "_unit_id", "--annotator", "_worker_id", "--label")
    whole = found("agree", path, *named, "answers", *ALPHA)
    assert any("may be the label (1): verdict" in text for text in texts(whole))
    whole = found("agree", path, *named, "verdict", *ALPHA)
    assert whole["results"][0]["value"] == pytest.approx(0.1250, abs=5e-5)
    assert not any("may be the label" in text for text in texts(whole))


def test_test_questions_and_rejected_work_are_excluded_and_counted():
    path = CASES / "test_questions_and_tainted_workers" / "f123.csv"
    named = ("--item", "_unit_id", "--annotator", "_worker_id", "--label", "tone")
    whole = found("agree", path, *named, *ALPHA)
    assert whole["results"][0]["value"] == pytest.approx(0.0748, abs=5e-5)
    excluded = whole["rows"]["excluded"]
    assert (excluded["test_question"], excluded["rejected_by_platform"]) == (27, 4)
    kept = alpha(path, *named, "--option", "status=keep")
    assert kept == pytest.approx(0.455, abs=5e-4)


@pytest.mark.parametrize(("which", "value"), [("first", 0.75), ("last", 0.5)])
def test_the_first_or_the_last_of_several_labels_counts(tmp_path, which, value):
    path = tmp_path / "log.csv"
    cells = "1ax 1by 1bx 2ay 2by 3ax 3bx 3by 4az 4bz 4by"
    path.write_text("item,annotator,label\n" + "\n".join(",".join(c) for c in cells.split()))
    share = ("--replicates", 0, "--measure", "percent_agreement")
    whole = found("agree", path, *share, "--option", f"repeats={which}")
    assert whole["results"][0]["value"] == value
    assert whole["rows"]["excluded"] == {"revised": 3}


def test_the_first_message_does_not_propose_what_was_shown():
    code, sentence = said("agree", CASES / "shown_text_as_label" / "full_report.csv", *ALPHA)
    assert (code, "--label answers" in sentence) == (2, False)
    assert "accordeur look" in sentence


def test_regions_of_time_series_are_times_whatever_their_numbers():
    path = CASES / "label_studio_time_series" / "project.json"
    whole = found("gamma", path, "--replicates", 0)
    values = {row["measure"]: row["value"] for row in whole["results"]}
    assert values["gamma"] == pytest.approx(-0.080, abs=0.03)  # a chance model is sampled
    assert values["gamma_cat"] == pytest.approx(0.469, abs=5e-4)
    assert (whole["results"][0]["n_items"], whole["rejected"]) == (24, [])


def test_example_id_alone_is_no_tool():
    code, sentence = said("agree", CASES / "example_id_is_not_lighttag" / "questions.json")
    assert (code, "LightTag" in sentence) == (2, False)


def test_a_workbook_that_begins_with_a_read_me_names_its_sheets():
    path = CASES / "readme_sheet_first" / "letters.xlsx"
    code, sentence = said("agree", path, "--wide", *ALPHA)
    assert (code, "--option sheet=codes" in sentence) == (2, True)


def test_records_that_nobody_saw_are_not_a_category_without_a_word():
    folder = CASES / "unseen_records_coded_minus_one"
    files = (folder / "reviewer_a.csv", folder / "reviewer_b.csv")
    named = ("--item", "record_id", "--label", "included", "--option", "paths={annotator}")
    whole = found("agree", *files, *named, *ALPHA)
    assert any("missing=-1" in text for text in texts(whole))
    whole = found("agree", *files, *named, *ALPHA, "--option", "missing=-1")
    assert whole["results"][0]["value"] == pytest.approx(0.5474, abs=5e-5)


def test_polarities_are_no_codes_of_missing_labels(tmp_path):
    draw = random.Random(2)
    path = tmp_path / "t.csv"
    rows = [f"{k},{draw.choice('-+0')},{draw.choice('-+0')}" for k in range(60)]
    cells = "\n".join(rows).replace("-", "-1").replace("+", "1")
    path.write_text(f"item,ana,ben\n{cells}\n")
    assert not any("missing" in text for text in texts(found("agree", path, *ALPHA)))


@pytest.mark.parametrize("column", ["quality", "system"])
def test_a_key_that_the_first_50_000_rows_do_not_show_is_found(tmp_path, column):
    """The table is sorted by the column: its first rows are all of one value."""
    draw = random.Random(5)
    path = tmp_path / "t.csv"
    lines = [f"item,annotator,{column},label"]
    for part in range(2):
        for k in range(51_000):
            same = column == "quality" or part == 0  # who labels both parts of an item
            who = "uvw"[k % 3] if same else "uvw"[(k + 1 + k % 2) % 3]
            lines.append(f"t{k},{who},{column} {part},{draw.choice('xyz')}")
    path.write_text("\n".join(lines))
    code, sentence = said("agree", path, *ALPHA)
    assert (code, f"--item item,{column}" in sentence) == (2, True), sentence


def test_each_question_has_a_line_of_its_own():
    whole = found("agree", SCORES, "--item", "sentence", *OF_SCORES, *ALPHA, "--by", "quality")
    values = {one["part"]: one["value"] for one in whole["parts"]}
    assert (whole["results"], whole["by"], [*values]) == ([], "quality", ["brief", "order", "tone"])
    assert [*values.values()] == pytest.approx([0.8672, 0.6698, 0.7240], abs=5e-5)
    assert whole["rows"]["measured"] == 108
    frame = pd.read_csv(SCORES)
    same = {"measures": "krippendorff_alpha", "scale": "interval", "replicates": 0}
    long = acc.agreement(
        frame, item="sentence", annotator="judge", label="score", by="quality", **same
    )
    wide = frame.pivot(index=["sentence", "quality"], columns="judge", values="score")
    people = [*wide.columns]
    of_wide = acc.agreement(
        wide.reset_index(), item="sentence", annotator=people, by="quality", **same
    )
    assert [*map(float, long)] == [*map(float, of_wide)] == [*values.values()]


def test_a_question_with_one_annotator_has_a_reason_in_place_of_a_value(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{k},{who},q1,{k % 2}" for k in range(6) for who in "uv"]
    rows += [f"{k},u,q2,{k % 2}" for k in range(6)]
    path.write_text("\n".join(["item,annotator,question,label", *rows]))
    parts = found("agree", path, "--by", "question", *ALPHA)["parts"]
    assert [(one["value"], one["reason"]) for one in parts] == [
        (1.0, ""), (None, "fewer than two annotators")
    ]  # fmt: skip


@pytest.mark.parametrize("column", ["document", "item", "annotator"])
def test_a_name_that_stands_in_the_first_of_its_rows_only_is_refused(tmp_path, column):
    """As where the cells of a spreadsheet are merged."""
    columns = ("document", "item", "annotator")
    lines, last = ["document,item,annotator,label"], ""
    for k in range(48):
        names = dict(zip(columns, (f"d{k // 12}", f"{k // 4}", "uvwx"[k % 4]), strict=True))
        if column == "annotator":
            names = dict(zip(columns, (f"d{k // 24}", f"{k % 12}", "uvwx"[k // 12]), strict=True))
        now = names[column]
        names[column], last = ("" if now == last else now), now
        lines.append(",".join((*names.values(), "pq"[k * k % 2])))
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines))
    code, sentence = said("agree", path, *ALPHA)
    assert (code, f"`{column}` is named in the first row" in sentence) == (2, True), sentence


def test_a_frame_whose_column_names_are_values_is_refused_as_the_file_is():
    path = CASES / "headerless_wide" / "ratings.csv"
    with pytest.raises(ValueError, match="not certain that the first line is a header"):
        acc.agreement(pd.read_csv(path), replicates=0)
    whole = acc.agreement(
        pd.read_csv(path, header=None).add_prefix("rater "), measures="krippendorff_alpha"
    )
    assert float(whole[0]) == pytest.approx(0.6601, abs=5e-5)
    ratings = pd.DataFrame({1: [1, 2, 3, 2, 1], 2: [1, 2, 3, 3, 1]})  # numbers are nobody's values
    assert acc.agreement(ratings, replicates=0)


def test_sessions_of_one_person_are_named_after_the_file():
    folder = CASES / "prodigy_sessions_of_one_person"
    whole = found("agree", folder, *ALPHA)
    assert any("`--option 'paths={annotator}'`" in text for text in texts(whole))
    named = found("agree", folder, *ALPHA, "--option", "paths=export_{annotator}.jsonl")
    [row] = named["results"]
    assert (row["n_annotators"], row["value"]) == (2, pytest.approx(0.3736, abs=5e-5))


def test_systems_that_agree_with_each_other_only_are_named(tmp_path):
    """Whatever their names are; people of whom two are more accurate are not."""
    draw = random.Random(4)

    def table(name: str, *, are_systems: bool) -> Path:
        lines = ["item,ana,ben,cem,m1,m2"]
        for k in range(200):
            true = draw.choice("abc")
            of_all = true if draw.random() < 0.6 else draw.choice("abc")
            own = of_all if are_systems else true
            people = [true if draw.random() < 0.7 else draw.choice("abc") for _ in range(3)]
            others = [own if draw.random() < 0.95 else draw.choice("abc") for _ in range(2)]
            lines.append(",".join((f"i{k}", *people, *others)))
        path = tmp_path / name
        path.write_text("\n".join(lines))
        return path

    def warned(path: Path) -> bool:
        codes = {one["code"] for one in found("agree", path, "--wide", *ALPHA)["warnings"]}
        return "annotators_apart" in codes

    assert warned(table("systems.csv", are_systems=True))
    assert not warned(table("experts.csv", are_systems=False))


def test_a_rare_category_one_category_and_hundreds_of_them_have_a_word(tmp_path):
    draw = random.Random(6)

    def output(rows: list[str], *options: str) -> str:
        path = tmp_path / "t.csv"
        path.write_text("\n".join(["item,ana,ben", *rows]))
        code, text = said("agree", path, "--wide", "--replicates", 0, *options)
        assert code == 0, text
        return text

    rare = [["no", "yes"][draw.random() < 0.04] for _ in range(400)]
    flipped = [one if draw.random() < 0.6 else "no" for one in rare]
    rows = [f"{k},{a},{b}" for k, (a, b) in enumerate(zip(rare, flipped, strict=True))]
    rows += [f"n{k},no,yes" for k in range(24)]
    text = output(rows, "--by", "category")
    assert "“no” has" in text
    assert "no, yes" in text  # one fact, once
    text = output([f"{k},no,no" for k in range(40)], "--categories", "yes,no")
    assert "Report bennett_s" not in text
    assert "Report AC1" in text
    names = [f"c{draw.randrange(500)}" for _ in range(600)]
    assert "categories on 600 items" in output([f"{k},{n},{n}" for k, n in enumerate(names)])
    numbers = [f"{k},{n[1:]},{n[1:]}" for k, n in enumerate(names)]
    assert "categories on 600 items" not in output(numbers)


@pytest.mark.parametrize("extra", [[], ["--annotator", "*"]])
def test_columns_of_people_and_questions_are_a_grid_however_they_are_written(tmp_path, extra):
    """Camel case, and a grid in which one combination lacks."""
    for header in ("id,anaJoy,anaFear,benJoy,benFear", "id,ana_a,ana_b,ana_c,ben_a,ben_b"):
        path = tmp_path / "t.csv"
        rows = [f"t{k},{k % 2},{k % 3 % 2},{k % 2},{k % 5 % 2},1" for k in range(20)]
        width = header.count(",") + 1
        lines = [",".join(row.split(",")[:width]) for row in rows]
        path.write_text("\n".join([header, *lines]))
        code, sentence = said("agree", path, "--wide", "--item", "id", *extra, *ALPHA)
        assert code == (0 if extra else 2), sentence
        assert bool(extra) or "each combination of ana, ben" in sentence


def pages(tmp_path: Path, rows: list[list[str]]) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(map(",".join, [["page", "line", "ana", "ben"], *rows])))
    return path


def test_a_page_and_its_line_are_the_item_in_any_order_of_the_rows(tmp_path):
    draw = random.Random(5)
    rows = [
        [str(page), str(line), label, label if draw.random() < 0.8 else draw.choice("123")]
        for page in range(1, 5)
        for line in range(1, 6)
        for label in draw.choice("123")
    ]
    sorted_ = found("agree", pages(tmp_path, rows), "--wide", *ALPHA)["results"][0]
    draw.shuffle(rows)
    whole = found("agree", pages(tmp_path, rows), "--wide", *ALPHA)
    assert whole["results"][0]["value"] == pytest.approx(sorted_["value"], abs=1e-12)
    assert any("page + line" in text for text in texts(whole))


def test_a_page_beside_running_lines_is_named(tmp_path):
    """Its values are in adjacent rows, and no annotator agrees with it beyond chance."""
    draw = random.Random(6)
    labels = [draw.choice("123") for _ in range(20)]
    rows = [[str(k // 5 + 1), str(k + 1), one, one] for k, one in enumerate(labels)]
    whole = found("agree", pages(tmp_path, rows), "--wide", *ALPHA)
    assert any("may hold something else" in text and ": page" in text for text in texts(whole))
    rows = [[one, *row[1:]] for one, row in zip(sorted(labels), rows, strict=True)]
    by_label = [[row[0], row[1], row[0], row[0]] for row in rows]
    whole = found("agree", pages(tmp_path, by_label), "--wide", *ALPHA)
    assert not any("may hold something else" in text for text in texts(whole))


def test_a_decision_after_discussion_is_named_whatever_it_is_called(tmp_path):
    draw = random.Random(7)
    path = tmp_path / "t.csv"
    pairs = [(a, draw.choice([a, draw.choice("pqr")])) for a in draw.choices("pqr", k=80)]
    lines = [f"n{k},{a},{b},{draw.choice([a, b])}" for k, (a, b) in enumerate(pairs)]
    path.write_text("\n".join(["id,ana,ben,z", *lines]))
    assert any("“z” always has" in one for one in texts(found("agree", path, "--wide", *ALPHA)))
    lines = [f"{line[: line.rfind(',')]},{draw.choice('pqr')}" for line in lines]
    path.write_text("\n".join(["id,ana,ben,z", *lines]))
    said_ = texts(found("agree", path, "--wide", *ALPHA))
    assert not any("always has" in one for one in said_)


def test_whether_two_agree_is_named_though_its_values_are_those_of_labels(tmp_path):
    draw = random.Random(8)
    path = tmp_path / "t.csv"
    pairs = [(draw.choice("01"), draw.choice("01")) for _ in range(30)]
    lines = [f"n{k},{a},{b},{int(a == b)}" for k, (a, b) in enumerate(pairs)]
    path.write_text("\n".join(["id,ana,ben,x", *lines]))
    whole = found("agree", path, "--wide", *ALPHA)
    assert any("computed" in text and ": x" in text for text in texts(whole))


def test_a_frame_whose_item_is_named_is_read_as_the_file(tmp_path):
    draw = random.Random(9)
    rows = {"case": [f"c{k}" for k in range(20)], "ana": draw.choices("ab", k=20)}
    frame = pd.DataFrame({**rows, "ben": draw.choices("ab", k=20)})
    frame.to_csv(tmp_path / "t.csv", index=False)
    [value] = acc.agreement(frame, item="case", measures="krippendorff_alpha", replicates=0)
    assert value.value == alpha(tmp_path / "t.csv", "--wide", "--item", "case")
    made = acc.consensus(frame.assign(cleo=frame.ana), item="case")
    assert [*made.data["case"]] == sorted(rows["case"])
    long = frame.melt("case", var_name="who", value_name="code")
    assert len(acc.consensus(long, item="case", annotator="who", label="code").data) > 0


@pytest.mark.parametrize("bounds", [("pos0", "pos1"), ("onset", "offset"), ("Begin", "Stop")])
def test_a_table_of_units_is_refused_with_the_options_that_read_it(tmp_path, bounds):
    for who in ("ana", "ben"):
        rows = [f"{k},Trust,clip{k // 3},{20 * k},{20 * k + 9}" for k in range(6)]
        header = f"rowid,codename,video,{bounds[0]},{bounds[1]}"
        (tmp_path / f"{who}.csv").write_text("\n".join([header, *rows]))
    files = [tmp_path / "ana.csv", tmp_path / "ben.csv"]
    code, sentence = said("gamma", *files)
    assert (code, "`--wide`" in sentence) == (2, False)
    proposed = " ".join(re.findall("`(--[^`]*)`", sentence))
    code, sentence = said("gamma", *files, *shlex.split(proposed), "--replicates", "0")
    assert code == 0, sentence


def test_the_key_of_a_wide_table_is_checked_in_all_rows(tmp_path):
    rows = [f"i{k},yes,no" for k in range(9_000)]
    rows += [f"r{k // 9},{'yes' if k % 2 else 'no'},{'ab'[k % 2]}{k % 9}" for k in range(30_000)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["item,ann,ben", *rows]) + "\n", encoding="utf-8")
    code, output = said("agree", path, "--wide", "--replicates", "0")
    assert code == 2
    assert "of the rows repeat the item" in output
