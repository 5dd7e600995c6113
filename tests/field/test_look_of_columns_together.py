"""`accordeur look` reads columns that are one thing together: counts, sets, entries, two lines."""

from __future__ import annotations

import csv
import json
import random
import shlex
from pathlib import Path

import pytest

from tests.field.generated_tables import alpha_of
from tests.field.test_look import command_for
from tests.flows.in_process import said

Row = list[str]


def written(path: Path, *rows: Row) -> Path:
    with path.open("w", newline="", encoding="utf-8") as handle:
        csv.writer(handle).writerows(rows)
    return path


def measured(*files: Path) -> float:
    """The value of the first command that `look` prints."""
    options = ("--replicates", "0", "--measure", "krippendorff_alpha", "--json")
    code, output = said(*command_for(*files), *options)
    assert code == 0, output
    return json.loads(output)["results"][0]["value"]


def votes(n_items: int = 30) -> list[list[str]]:
    """The labels of each item, of three to five annotators."""
    draw = random.Random(3)
    found = []
    for _ in range(n_items):
        usual, n = draw.choice("xyz"), draw.choice((3, 4, 5))
        found.append([usual if draw.random() < 0.7 else draw.choice("xyz") for _ in range(n)])
    return found


def alpha_of_votes() -> float:
    return alpha_of(
        [((str(k),), str(n), one) for k, own in enumerate(votes()) for n, one in enumerate(own)]
    )


@pytest.mark.parametrize(
    "names",
    [
        ["n_x", "n_y", "n_z", "seen"],
        ["votes: x", "votes: y", "votes: z", "seen"],
        ["Reads n [x]", "Reads n [y]", "Reads n [z]", "seen"],
        ["x_count", "y_count", "z_count", "seen"],
        ["x", "y", "z", "count"],
        ["x", "y", "z", "annotation_num"],
        ["x", "y", "z", "total"],
    ],
)
def test_columns_called_like_counts_are_counts(tmp_path, names):
    rows = [
        [f"p{k}", *(str(own.count(one)) for one in "xyz"), str(len(own))]
        for k, own in enumerate(votes())
    ]
    path = written(tmp_path / "t.csv", ["post", *names], *rows)
    assert measured(path) == pytest.approx(alpha_of_votes())
    code, output = said("agree", path, "--wide")
    assert code == 2
    assert "numbers of annotators" in output


@pytest.mark.parametrize("of_three", [sum, lambda own: round(sum(own) / 3, 2)])
def test_totals_of_ratings_are_no_annotator(tmp_path, of_three):
    draw = random.Random(4)
    ratings = [[draw.choice((1, 2, 3)) for _ in range(3)] for _ in range(20)]
    rows = [[str(k), *map(str, own), str(of_three(own))] for k, own in enumerate(ratings)]
    path = written(tmp_path / "t.csv", ["id", "ann", "ben", "cem", "total"], *rows)
    cells = [((row[0],), str(n), one) for row in rows for n, one in enumerate(row[1:4])]
    assert measured(path) == pytest.approx(alpha_of(cells))
    assert (
        "computed from those of the annotators and are not read (1): total"
        in said("agree", path, "--wide")[1]
    )


def test_columns_called_yes_and_no_are_counts(tmp_path):
    votes = [[str(k), str(k % 4), str((k // 4) % 3)] for k in range(24)]
    path = written(tmp_path / "t.csv", ["text", "yes", "no"], *votes)
    assert "numbers of annotators" in said("agree", path, "--wide")[1]
    assert "table of counts" in said("look", path)[1]


def test_an_average_is_no_annotator_even_if_it_is_always_one_of_their_labels(tmp_path):
    rows = [["a", "1", "1", "1", "1.0"], ["b", "0", "1", "", ""], ["c", "0", "0", "0", "0.0"]]
    path = written(tmp_path / "t.csv", ["id", "ann", "ben", "cem", "average"], *rows)
    assert "are not read (1): average" in said("agree", path, "--wide")[1]


def test_marks_and_labels_of_annotators_are_no_counts(tmp_path):
    draw = random.Random(4)
    rows = [[str(k), *(draw.choice("012") for _ in range(4))] for k in range(20)]
    of_grid = written(tmp_path / "grid.csv", ["id", "n_joy", "n_fear", "m_joy", "m_fear"], *rows)
    assert "numbers of annotators" not in said("agree", of_grid, "--wide")[1]
    marks = [[str(k), *(draw.choice("01") for _ in range(3))] for k in range(20)]
    marks = [[*row, str(sum(map(int, row[1:])))] for row in marks]
    summed = written(tmp_path / "marks.csv", ["id", "ann", "ben", "cem", "count"], *marks)
    assert "numbers of annotators" not in said("agree", summed, "--wide")[1]


def sets() -> list[tuple[str, str, Row]]:
    """Item, annotator and codes; the order of codes differs, and some rows have none."""
    draw = random.Random(5)
    found = []
    for k in range(30):
        usual = draw.sample("pqrstu", draw.choice((1, 2, 3)))
        for who in ("ann", "ben"):
            own = [one for one in usual if draw.random() < 0.8]
            draw.shuffle(own)
            found.append((f"s{k}", who, own))
    return found


def alpha_of_sets() -> float:
    return alpha_of([((item,), who, "+".join(sorted(own))) for item, who, own in sets() if own])


def filled(own: Row, width: int = 4) -> Row:
    return own + [""] * (width - len(own))


@pytest.mark.parametrize("stem", ["Code ", "tag_"])
def test_numbered_columns_of_an_annotator_are_a_set(tmp_path, stem):
    names = [f"{stem}{n}" for n in range(1, 5)]
    rows = [[item, who, *filled(own)] for item, who, own in sets()]
    path = written(tmp_path / "t.csv", ["segment", "coder", *names], *rows)
    assert measured(path) == pytest.approx(alpha_of_sets())


def test_numbered_columns_of_a_set_are_no_annotators(tmp_path):
    names = [f"tag_{n}" for n in range(1, 5)]
    rows = [[item, who, *filled(own)] for item, who, own in sets()]
    path = written(tmp_path / "t.csv", ["segment", "reader", *names], *rows)
    code, output = said("agree", path, "--wide")
    assert code == 2
    assert "tag_1, tag_2 … hold the labels of a set" in output
    assert measured(path) == pytest.approx(alpha_of_sets())  # readers are called by no usual name


def test_numbered_columns_of_several_annotators_are_sets(tmp_path):
    names = [f"{who}_code{n}" for who in ("ann", "ben") for n in range(1, 4)]
    found = sets()
    rows = [
        [item, *filled(own, 3), *filled(other[2], 3)]
        for (item, _, own), other in zip(found[::2], found[1::2], strict=True)
    ]
    path = written(tmp_path / "t.csv", ["segment", *names], *rows)
    assert measured(path) == pytest.approx(alpha_of_sets())


def test_sets_are_no_annotators_of_a_table_with_more_columns_than_rows(tmp_path):
    names = [f"{who}_tag_{n}" for who in ("ann", "ben", "cem", "dan") for n in range(1, 9)]
    own = [one for _, who, one in sets() if who == "ann"]
    rows = [[str(k), *filled(own[k], 8) * 2, *filled(own[k][:1], 8) * 2] for k in range(15)]
    path = written(tmp_path / "t.csv", ["id", *names], *rows)
    assert "hold the labels of a set" in said("agree", path, "--wide")[1]


@pytest.mark.long
def test_numbered_columns_of_files_are_sets(tmp_path):
    for who in ("ann", "ben"):
        rows = [[item, *filled(own)] for item, one, own in sets() if one == who]
        written(tmp_path / f"{who}.csv", ["segment", "code 1", "code 2", "code 3", "code 4"], *rows)
    assert measured(tmp_path) == pytest.approx(alpha_of_sets())


@pytest.mark.long
def test_two_entries_of_a_record_are_of_two_annotators(tmp_path):
    draw = random.Random(6)
    cells = [
        ((str(k), "visit_1"), str(n), draw.choice("000012")) for k in range(1, 31) for n in (1, 2)
    ]
    rows = [[f"{key[0]}--{n}", key[1], label, "1", "2"] for key, n, label in cells]
    header = ["record_id", "redcap_event_name", "severity", "smoker", "form_complete"]
    path = written(tmp_path / "t.csv", header, *rows)
    assert measured(path) == pytest.approx(alpha_of(cells))
    code, output = said("agree", path, "--wide")
    assert code == 2
    assert "two entries of a record" in output


QUESTIONS = ("tone", "topic")


@pytest.mark.parametrize(
    "first",
    [
        ["", "Ann", "", "Ben", ""],
        ["", "Ann", "Ann", "Ben", "Ben"],
        ["id", "Ann", "", "Ben", ""],
    ],
)
def test_names_below_names_of_groups_are_one_header(tmp_path, first):
    draw = random.Random(7)
    rows = [[str(k), *(draw.choice("aab") for _ in range(4))] for k in range(30)]
    second = ["" if first[0] else "id", *QUESTIONS, *QUESTIONS]
    path = written(tmp_path / "t.csv", first, second, *rows)
    cells = [((row[0],), who, row[k]) for row in rows for who, k in (("Ann", 1), ("Ben", 3))]
    assert measured(path) == pytest.approx(alpha_of(cells))
    assert command_for(path)[-4:] == ["--annotator", "Ann.tone,Ben.tone", "--option", "header=two"]


def test_a_title_above_the_names_is_no_group(tmp_path):
    rows = [[str(k), "ab"[k % 2], "aab"[k % 3]] for k in range(30)]
    path = written(tmp_path / "t.csv", ["Tone of 2026", "", ""], ["id", "ann", "ben"], *rows)
    cells = [((row[0],), who, row[k]) for row in rows for who, k in (("ann", 1), ("ben", 2))]
    assert measured(path) == pytest.approx(alpha_of(cells))


def test_a_first_line_of_repeated_labels_is_no_line_of_groups(tmp_path):
    rows = [[str(k % 3), str(k % 2), str(k % 3)] for k in range(30)]
    path = written(tmp_path / "t.csv", ["1", "1", "2"], *rows)
    assert "header=no" in command_for(path)


def test_columns_of_numbered_initials_are_annotators(tmp_path):
    draw = random.Random(7)
    rows = [[str(k), *(draw.choice("aab") for _ in range(4))] for k in range(30)]
    names = ["A1_tone", "A1_topic", "A2_tone", "A2_topic"]
    command = command_for(written(tmp_path / "t.csv", ["id", *names], *rows))
    assert command[-1] == "A1_tone,A2_tone"


def test_rows_of_annotators_without_names_are_numbered_only_if_asked(tmp_path):
    draw = random.Random(8)
    labels = [draw.choice("aab") for _ in range(60)]
    rows = [[f"study {k // 2}", one] for k, one in enumerate(labels)]
    path = written(tmp_path / "t.csv", ["study", "risk"], *rows)
    code, output = said("look", path)
    assert code == 2
    assert "each `study` has 2 rows, and no column says whose they are" in output
    [*_, command, _] = output.split("`")  # without the file where its path is long
    options = shlex.split(command[command.index("--query") :])
    code, output = said("agree", path, *options, "--replicates", "0", "--json")
    assert code == 0, output
    cells = [((row[0],), str(k % 2), row[1]) for k, row in enumerate(rows)]
    assert json.loads(output)["results"][0]["value"] == pytest.approx(alpha_of(cells))
