"""`accordeur look` of tables as people save them: titles, remarks, names of rows, old line ends."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest

from tests.field.generated_tables import alpha_of
from tests.field.test_look import command_for
from tests.field.test_look_of_columns_together import measured
from tests.flows.in_process import said

LABELS = ("calm", "tense", "glad")
WHO = ("Maria", "Piotr", "Ines")
N_ITEMS = 40


def answers(seed: int = 3, names: Sequence[str] = LABELS) -> dict[str, list[str]]:
    """Labels of three annotators who often agree."""
    draw = random.Random(seed)
    usual = [draw.choice(names) for _ in range(N_ITEMS)]
    return {
        who: [one if draw.random() < 0.7 else draw.choice(names) for one in usual] for who in WHO
    }


ANSWERS = answers()
ITEMS = [f"s{k:03}" for k in range(N_ITEMS)]


def alpha(given: Mapping[str, Sequence[str]] = ANSWERS) -> float:
    return alpha_of(
        [((str(k),), who, own[k]) for who, own in given.items() for k in range(N_ITEMS)]
    )


def lines(sign: str, names: Mapping[str, str] | None = None) -> list[str]:
    """The lines of a wide table, its header first."""
    called = names or {who: who for who in WHO}
    rows = zip(ITEMS, *ANSWERS.values(), strict=True)
    return [sign.join(["id", *called.values()]), *map(sign.join, rows)]


@pytest.mark.parametrize(
    ("above", "sign"),
    [
        (["Survey of commuters, wave 2"], ";"),
        (["Survey of commuters;;;", ";;;"], ";"),
        (["# coded in spring", "# by three, with a pilot"], ","),
        (["# coded in spring"], "\t"),
    ],
)
def test_lines_above_the_header_are_told_and_not_read(tmp_path, above, sign):
    path = tmp_path / "coded.csv"
    path.write_text("\n".join([*above, *lines(sign)]))
    code, output = said("look", path)
    assert code == 0
    assert "Lines above the names of the columns that are not read" in output
    assert measured(path) == pytest.approx(alpha())


def test_a_title_above_a_sheet(tmp_path):
    path = tmp_path / "coded.xlsx"
    cells = [["Wave 2", *[None] * 3], [None] * 4, *(one.split(",") for one in lines(","))]
    pd.DataFrame(cells).to_excel(path, index=False, header=False)
    assert measured(path) == pytest.approx(alpha())


def test_remarks_within_a_file_are_no_lines_above_it(tmp_path):
    path = tmp_path / "coded.csv"
    header, *rows = lines(",")
    path.write_text("\n".join(["#first", header, *rows[:3], "#second", *rows[3:]]))
    assert said("look", path)[0] != 0


@pytest.mark.parametrize("sign", [" ", "\t", ","])
def test_rows_with_names_of_r(tmp_path, sign):
    path = tmp_path / "coded.txt"
    names = {who: f"rater{k}" for k, who in enumerate(WHO, 1)}
    header, *rows = (one.partition(sign)[2] for one in lines(sign, names))
    path.write_text("\n".join([header, *(f'"{k}"{sign}{one}' for k, one in enumerate(rows, 1))]))
    assert measured(path) == pytest.approx(alpha())


def test_line_ends_of_an_old_macintosh(tmp_path):
    path = tmp_path / "coded.csv"
    path.write_bytes("\r".join(lines(",")).encode())
    assert measured(path) == pytest.approx(alpha())


def test_sheets_of_annotators_without_names_of_items(tmp_path):
    path = tmp_path / "coded.xlsx"
    with pd.ExcelWriter(path) as writer:
        for k, own in enumerate(ANSWERS.values(), 1):
            frame = pd.DataFrame({"mood": own, "pace": own[::-1]})
            frame.to_excel(writer, sheet_name=f"annotator{k}", index=False)
    assert measured(path) == pytest.approx(alpha())


@pytest.mark.parametrize("names", ["Coding {}", "{}_mood", "mood of {}"])
def test_columns_that_are_called_after_persons(tmp_path, names):
    path = tmp_path / "coded.csv"
    given = {names.format(who): own for who, own in ANSWERS.items()}
    pd.DataFrame({"id": ITEMS, **given, "length": range(N_ITEMS)}).to_csv(path, index=False)
    assert measured(path) == pytest.approx(alpha())


def test_criteria_are_no_annotators(tmp_path):
    path = tmp_path / "rated.csv"
    given = answers(names="12345")
    named = dict(zip(("Fluency", "Coherence", "Adequacy"), given.values(), strict=True))
    pd.DataFrame({"id": ITEMS, **named}).to_csv(path, index=False)
    assert said("look", path)[0] != 0


def test_a_human_and_a_judge_of_a_model(tmp_path):
    path = tmp_path / "judged.jsonl"
    human, judge, _ = ANSWERS.values()
    frame = pd.DataFrame({"id": ITEMS, "human_label": human, "judge_label": judge})
    frame.to_json(path, orient="records", lines=True)
    command = command_for(path)
    assert command[0] == "judge"
    assert command[command.index("--judge") + 1] == "judge_label"


def test_the_first_of_numbered_labels_has_another_name(tmp_path):
    path = tmp_path / "pairs.csv"
    given = dict(zip(("author", "label2", "label3"), ANSWERS.values(), strict=True))
    pd.DataFrame({"guid": ITEMS, **given}).to_csv(path, index=False)
    assert measured(path) == pytest.approx(alpha())


def test_columns_that_name_who_gave_the_answer_beside_it(tmp_path):
    path = tmp_path / "answers.csv"
    draw = random.Random(5)
    rows, judgements = [], []
    for k, item in enumerate(ITEMS):
        who = draw.sample(WHO, 2)
        rows.append({"text": f"what {item} says", "mood_all": ANSWERS[who[0]][k]})
        for n, name in enumerate(who, 1):
            rows[-1] |= {f"mood_G{n}": ANSWERS[name][k], f"annotator_G{n}": name}
            judgements.append(((item,), name, ANSWERS[name][k]))
    pd.DataFrame(rows).to_csv(path, index=False)
    assert measured(path) == pytest.approx(alpha_of(judgements))


@pytest.mark.parametrize("written", ["[{}]", "{}"])
def test_lists_of_scores_of_as_many_as_there_were(tmp_path, written):
    path = tmp_path / "scored.csv"
    draw = random.Random(9)
    rows, judgements = [], []
    for item in ITEMS:
        usual = draw.randint(1, 5)
        own = [
            min(5, max(1, usual + draw.choice((-1, 0, 0, 1)))) for _ in range(draw.randint(5, 9))
        ]
        judgements += [(item, str(n), str(one)) for n, one in enumerate(own)]
        cell = written.format(", ".join(map(str, own)))
        rows.append({"id": item, "full-ratings": cell, "mean-ratings": sum(own) / len(own)})
    pd.DataFrame(rows).to_csv(path, index=False)
    assert measured(path) == pytest.approx(alpha_of(judgements))


def test_files_of_which_one_has_notes_too(tmp_path):
    for who, own in ANSWERS.items():
        frame = pd.DataFrame({"Title": ITEMS, "mood": own})
        if who == WHO[1]:
            frame["Notes"] = ["", "unsure"] * (N_ITEMS // 2)
        frame.sample(frac=1, random_state=len(who)).to_csv(tmp_path / f"{who}.csv", index=False)
    files: list[Path] = sorted(tmp_path.iterdir())
    assert "Each file is taken as the work of one annotator." in said("look", *files)[1]
    assert measured(*files) == pytest.approx(alpha())


def test_a_column_of_systems_is_no_annotators(tmp_path):
    path = tmp_path / "rated.csv"
    rows = [
        {"seg": item, "sys": who, "score": own}
        for who, given in answers(names="12345").items()
        for item, own in zip(ITEMS, given, strict=True)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    assert said("look", path)[0] != 0


def test_a_counter_of_each_annotators_rows_is_no_item(tmp_path):
    path = tmp_path / "coded.csv"
    draw = random.Random(2)
    rows = [
        {"coder": who, "Index": k, "content": f"{who} read post {draw.random()}", "mood": own}
        for who, given in ANSWERS.items()
        for k, own in enumerate(given)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    code, output = said("look", path)
    assert code != 0 or "--item Index" not in output


def test_attributes_of_units_that_everyone_was_given(tmp_path):
    text = "so it goes and goes"
    for k, (who, own) in enumerate(ANSWERS.items()):
        for n, mood in enumerate(own[:12]):
            folder = tmp_path / who
            folder.mkdir(exist_ok=True)
            (folder / f"d{n}.txt").write_text(text)
            rows = ["T1\tVerb 6 10\tgoes", f"A1\tMood T1 {mood}"]
            rows += ["A2\tNote T1 " + f"n{k}{n}"] if n == k else []
            (folder / f"d{n}.ann").write_text("\n".join(rows) + "\n")
    command = command_for(tmp_path)
    assert command[-2:] == ["--option", "category=Mood"]


def test_lists_between_tabs_without_names_of_columns(tmp_path):
    path = tmp_path / "rated.txt"
    draw = random.Random(4)
    rows, judgements = [], []
    for item in ITEMS:
        usual = draw.randint(-2, 2)
        own = [usual + draw.choice((-1, 0, 0, 1)) for _ in range(6)]
        judgements += [((item,), str(n), str(one)) for n, one in enumerate(own)]
        rows.append(f"{item}\t{sum(own) / 6}\t0.5\t{own}")
    path.write_text("\n".join(rows))
    assert measured(path) == pytest.approx(alpha_of(judgements))


def test_a_crowd_of_whom_most_have_one_row(tmp_path):
    path = tmp_path / "crowd.csv"
    rows = [
        {"text_id": item, "annotator_id": f"{who}{k}", "mood": own[k]}
        for who, own in ANSWERS.items()
        for k, item in enumerate(ITEMS)
    ]
    pd.DataFrame([*rows, *rows[:1]]).to_csv(path, index=False)
    assert measured(path) == pytest.approx(alpha())


def test_two_of_a_pair_name_it_together(tmp_path):
    path = tmp_path / "pairs.csv"
    rows = [
        {"participant_id": who, "image1": f"i{k // 4}", "image2": f"j{k % 4}", "click": own[k]}
        for who, own in ANSWERS.items()
        for k in range(N_ITEMS)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    command = command_for(path)
    assert command[command.index("--item") + 1] in ("image1,image2", "image2,image1")


def test_assignments_of_mechanical_turk_without_workers(tmp_path):
    path = tmp_path / "batch.csv"
    rows = [
        {"Input.story": f"a story of {item}", "Input.end": f"end {k % 7}", "Answer.mood": own[k]}
        for own in ANSWERS.values()
        for k, item in enumerate(ITEMS)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    assert "The annotators have no names" in said("look", path)[1]
    assert measured(path) == pytest.approx(alpha())


def test_names_that_occur_twice_are_told_apart_in_a_certain_header(tmp_path):
    path = tmp_path / "measured.tsv"
    given = answers(names="123")
    rows = zip(ITEMS, *given.values(), *[map(str, range(7, 7 + N_ITEMS))] * 1, strict=True)
    header = ["id", "Expert1", "Expert2", "Expert3", "0", "0"]
    path.write_text("\n".join("\t".join(one) for one in [header, *([*r, "1.5"] for r in rows)]))
    assert measured(path) == pytest.approx(alpha(given))


@pytest.mark.parametrize("sign", ["NA", "nan"])
def test_a_sign_of_nothing_beside_numbers_is_no_label(tmp_path, sign):
    path = tmp_path / "rated.csv"
    given = answers(names="1234")
    cells = {
        f"rater{k}": [sign if n % 5 == k else one for n, one in enumerate(own)]
        for k, own in enumerate(given.values(), 1)
    }
    pd.DataFrame({"id": ITEMS, **cells}).to_csv(path, index=False)
    assert command_for(path)[-2:] == ["--option", f"missing={sign}"]
    judgements = [
        ((item,), who, one)
        for who, own in cells.items()
        for item, one in zip(ITEMS, own, strict=True)
        if one != sign
    ]
    assert measured(path) == pytest.approx(alpha_of(judgements))


def test_files_whose_rows_show_different_things_are_not_compared_by_row(tmp_path):
    for who, own in ANSWERS.items():
        shown = [f"{who} saw {k} of these" for k in range(N_ITEMS)]
        frame = pd.DataFrame({"shown": shown, "system": ["x", "y"] * (N_ITEMS // 2), "mood": own})
        frame.to_csv(tmp_path / f"{who}.csv", index=False)
    assert "accordeur agree" not in said("look", *sorted(tmp_path.iterdir()))[1]


def test_files_of_one_tool_whose_only_user_is_1(tmp_path):
    for who, own in ANSWERS.items():
        frame = pd.DataFrame({"annotator": 1, "id": ITEMS, "lead_time": 4.5, "mood": own})
        frame.to_csv(tmp_path / f"{who}.csv", index=False)
    assert measured(*sorted(tmp_path.iterdir())) == pytest.approx(alpha())


def test_lists_with_blanks_are_of_annotators(tmp_path):
    path = tmp_path / "tagged.tsv"
    draw = random.Random(6)
    rows, judgements = [], []
    for item in ITEMS:
        usual = draw.choice("01")
        own = [usual if draw.random() < 0.8 else "1" for _ in range(4)]
        judgements += [((item,), str(n), one) for n, one in enumerate(own)]
        mean = own.count("1") / 4
        rows.append({"id": item, "joy": " ".join(own), "joy_mean": mean, "joy_final": round(mean)})
    pd.DataFrame(rows).to_csv(path, index=False, sep="\t")
    assert measured(path) == pytest.approx(alpha_of(judgements))


def test_sheets_that_are_not_read_are_told(tmp_path):
    path = tmp_path / "coded.xlsx"
    columns = {"id": ITEMS, **{f"rater{k}": own for k, own in enumerate(ANSWERS.values(), 1)}}
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame(columns).to_excel(writer, sheet_name="spring", index=False)
        pd.DataFrame({**columns, "note": ""}).to_excel(writer, sheet_name="autumn", index=False)
        pd.DataFrame().to_excel(writer, sheet_name="empty", index=False)
    assert "Sheets of the workbook that are not read (1): autumn." in said("look", path)[1]
    assert (
        "Sheets of the workbook that are not read (1): autumn." in said("agree", path, "--wide")[1]
    )


def test_a_final_column_of_a_question_is_a_reference(tmp_path):
    path = tmp_path / "coded.csv"
    frame = {"key": ITEMS}
    for question in ("r1", "r2"):
        first, second, _ = answers(len(frame) + 3).values()
        frame |= {f"{question}_c1": first, f"{question}_c2": second, f"{question}_final": first}
    pd.DataFrame(frame).to_csv(path, index=False)
    command = command_for(path)
    assert "r1_final=reference" in command


@pytest.mark.parametrize(
    "names",
    [("t1_auto", "t1_GT"), ("Hate (Expert 1)", "Hate (Expert 2)"), ("label_J1", "label_J2")],
)
def test_columns_that_differ_in_one_mark(tmp_path, names):
    path = tmp_path / "coded.csv"
    given = dict(zip(names, ANSWERS.values(), strict=False))
    about = {"speaker": ["p", "q"] * (N_ITEMS // 2), "turn": [k % 7 for k in range(N_ITEMS)]}
    pd.DataFrame({"id": ITEMS, **about, **given}).to_csv(path, index=False)
    command = command_for(path)
    assert command[command.index("--annotator") + 1] == ",".join(names)
