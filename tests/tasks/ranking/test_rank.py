"""`accordeur rank` and `accordeur.rank`: from a table to the ranking."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.data.errors import DataError
from accordeur.data.readers.tables.known_shapes import Shape
from accordeur.data.readers.tables.preference_shapes import PREFERENCES
from accordeur.tasks.inputs.look import look
from accordeur.tasks.inputs.look_text import lines_of_look
from accordeur.tasks.ranking.preferences import read_preferences
from accordeur.tasks.ranking.ranking_options import RankOptions
from tests.flows.command_line import accordeur

NAMES = ("Alba", "Birch", "Cedar")
WORDS = {1: "model_a", 0: "tie", 2: "tie (bothbad)", -1: "model_b"}


def votes(folder: Path, n: int = 60) -> Path:
    """Votes of four judges in the columns of a public arena, each pair seen by two."""
    rng = np.random.default_rng(11)
    lines = ["question_id,model_a,model_b,judge,winner"]
    for q in range(n):
        a, b = rng.choice(3, 2, replace=False)
        for judge in rng.choice(4, 2, replace=False):
            said = WORDS[
                int(
                    rng.choice(
                        [1, 0, 2, -1], p=[0.4 + 0.1 * (b - a), 0.15, 0.05, 0.4 - 0.1 * (b - a)]
                    )
                )
            ]
            lines.append(f"{q},{NAMES[a]},{NAMES[b]},judge {judge},{said}")
    path = folder / "votes.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_command_and_python_give_one_ranking(tmp_path: Path) -> None:
    path = votes(tmp_path)
    said = json.loads(accordeur("rank", path, "--json").stdout)
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    found = acc.rank(rows, item=0, left=1, right=2, annotator=3, outcome=4)
    assert [one["system"] for one in said["systems"]] == found.order
    assert [one["strength"]["value"] for one in said["systems"]] == [
        one.value for one in found.strengths
    ]
    assert said["agreement"][0]["value"] == found.agreement[0].value
    assert list(found.to_frame().columns) == [
        "system", "strength", "lower", "upper", "first", "last", "best",
    ]  # fmt: skip
    for pair in found.pairs().itertuples():
        sides = {pair.better, pair.worse}
        of_both = [row for row in rows if {row[1], row[2]} == sides]
        won = sum(
            0.5 if row[4].startswith("tie") else row[1 + (row[4] == "model_b")] == pair.better
            for row in of_both
        )
        assert (pair.observed, pair.n_comparisons) == (won / len(of_both), len(of_both))
    assert set(found.without()) == {"judge 0", "judge 1", "judge 2", "judge 3"}
    assert acc.rank(path).order == found.order
    assert acc.rank(pd.read_csv(path)).order == found.order  # the usual names of its columns
    assert repr(found).startswith(found.sentences[0])
    assert acc.SystemRanking.from_json(found.to_json()).order == found.order


def test_the_terminal_says_what_may_change(tmp_path: Path) -> None:
    done = accordeur("rank", votes(tmp_path), "--order-effect")
    assert done.returncode == 0
    assert "120 comparisons on 60 items by 4 raters" in done.stdout
    assert "count as ties" in done.stdout
    assert "Effect of the order shown" in done.stdout
    assert "4 raters show little of how raters differ" in done.stdout
    assert "Agreement of the raters on the same pairs" in done.stdout


def test_agreement_does_not_depend_on_the_names_and_is_that_of_the_raters(tmp_path: Path) -> None:
    path = votes(tmp_path)
    other = tmp_path / "other.csv"
    text = path.read_text(encoding="utf-8")
    other.write_text(text.replace("Alba", "Zinnia"), encoding="utf-8")
    values = [acc.rank(one).agreement[0] for one in (path, other)]
    assert values[0].value == pytest.approx(values[1].value, abs=1e-12)
    alike = tmp_path / "alike.csv"
    lines = ["item,rater,left,right,outcome"]
    for q in range(12):  # the second rater sees each pair the other way round
        first, second = ("left", "right") if q % 3 else ("right", "left")
        lines += [f"{q},r1,A,B,{first}", f"{q},r2,B,A,{second}"]
    alike.write_text("\n".join(lines), encoding="utf-8")
    assert acc.rank(alike).agreement[0].value == 1


def test_scores_are_preferences_by_a_declared_rule(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    lines = ["item,rater,system,errors"]
    for q in range(10):
        lines += [f"{q},r{q % 2},A,{q % 3}", f"{q},r{q % 2},B,1", f"{q},r{q % 2},C,2"]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = read_preferences(path, RankOptions(score="errors", lower_is_better=True)).comparisons
    assert found.n == 30
    first = {
        (int(a), int(b)): int(o)
        for a, b, o in zip(found.left[:3], found.right[:3], found.outcome[:3], strict=True)
    }
    assert first == {(0, 1): 1, (0, 2): 1, (1, 2): 1}  # of item 0: A 0, B 1, C 2 errors
    options = ("--score", "errors", "--lower-is-better", "--json")
    ranked = json.loads(accordeur("rank", path, *options).stdout)
    assert ranked["systems"][-1]["system"] == "C"
    assert ranked["n_ties"] == 6  # A has as many errors as B on three items, as C on three others


def test_errors_are_summed_by_the_weights_of_their_severities(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    errors = {"A": ["Minor"], "B": ["Minor"] * 4, "C": ["Major"], "D": ["no-error"]}
    lines = ["system\tseg_id\trater\tseverity"]
    lines += [f"{name}\t1\tr1\t{one}" for name, own in errors.items() for one in own]
    path.write_text("\n".join(lines), encoding="utf-8")
    weights = {"no-error": 0.0, "minor": 1.0, "major": 5.0}
    options = RankOptions(item="seg_id", score="severity", weights=weights, lower_is_better=True)
    found = read_preferences(path, options).comparisons
    assert found.outcome.tolist() == [1, 1, -1, 1, -1, -1]  # of A, B, C, D: 1, 4, 5 and 0
    given = ("--item", "seg_id", "--score", "severity", "--weights", "Minor=1")
    assert "'Major' has no weight (--weights Major=1)" in accordeur("rank", path, *given).stderr
    wrong = accordeur("rank", path, *given, "--weights", "major")
    assert "give TEXT=NUMBER, such as major=5" in wrong.stderr


def test_the_effect_of_the_length_is_estimated_and_removed(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    lines = ["item,rater,left,right,outcome,left_length,right_length"]
    for q in range(900):
        a, b = rng.choice(3, 2, replace=False)
        long = 100 * 2.0 ** rng.integers(0, 3, 2) * (1 + (np.array([a, b]) == 2))  # C is long
        d = 0.4 * (b - a) + 0.8 * np.log2(long[0] / long[1])
        said = "left" if rng.random() < 1 / (1 + np.exp(-d)) else "right"
        lines.append(f"{q},r{q % 9},{'ABC'[a]},{'ABC'[b]},{said},{long[0]:g},{long[1]:g}")
    path = tmp_path / "lengths.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    own = acc.rank(path, left_length="left_length", right_length="right_length")
    assert own.order == ["A", "B", "C"]
    assert acc.rank(path).order != own.order
    [effect] = own.length_effect
    assert effect.interval[0] < 0.8 < effect.interval[1]
    given = ("--left-length", "left_length", "--right-length", "right_length", "--order-effect")
    shown = accordeur("rank", path, *given)
    assert "Effect of a text twice as long" in shown.stdout
    assert "Effect of the order shown" in shown.stdout
    assert "are given together" in accordeur("rank", path, *given[:2]).stderr
    path.write_text(path.read_text(encoding="utf-8").replace(",400,", ",0,"), encoding="utf-8")
    assert "the length '0' is not a positive number" in accordeur("rank", path, *given).stderr


PAIRWISE = {"type": "pairwise", "from_name": "pw", "to_name": "text1,text2"}
CHOICE = {"type": "choices", "value": {"choices": ["good"]}}
RANKS = [{"value": "A", "rank": 2}, {"value": "B", "rank": 1}, {"value": "C", "rank": 2}]
APPRAISE = (
    ",".join(f"system{n}Id" for n in range(1, 6))
    + ","
    + ",".join(f"system{n}rank" for n in range(1, 6))
)
SAMPLES: dict[str, tuple[str, object, set[tuple[str, str, int]]]] = {
    "label-studio": (
        "a.json",
        [
            {
                "id": 7,
                "data": {"prompt": "p", "model_a": "A", "model_b": "B"},
                "annotations": [
                    {"completed_by": 3, "result": [CHOICE, PAIRWISE | {"value": {"selected": own}}]}
                    for own in ("left", "right")
                ]
                + [
                    {
                        "completed_by": {"id": 4, "email": "b@x.org"},
                        "was_cancelled": True,
                        "result": [{**PAIRWISE, "value": {"selected": "left"}}],
                    }
                ],
            }
        ],
        {("A", "B", 1), ("A", "B", -1)},
    ),
    "argilla": (
        "a.json",
        [
            {
                "id": "r1",
                "fields": {},
                "responses": {
                    "quality": [{"value": 3, "user_id": "u1"}],
                    "order": [
                        {"value": RANKS, "user_id": "u1", "status": "submitted"},
                        {"value": RANKS[:2], "user_id": "u2", "status": "draft"},
                    ],
                },
            }
        ],
        {("A", "B", -1), ("A", "C", 0), ("B", "C", 1)},
    ),
    "appraise": (
        "a.csv",
        f"srclang,srcIndex,judgeId,{APPRAISE}\nFrench,4,j1,A,B,C,D,E,1,1,2,-1,-1\n",
        {("A", "B", 0), ("A", "C", 1), ("B", "C", 1)},
    ),
    "mqm": (
        "a.tsv",
        ("system\tdoc\tseg_id\trater\tcategory\tseverity\n"
        "A\td\t1\tr\tFluency/Punctuation\tMinor\nA\td\t1\tr\tAccuracy\tMajor\n"
        "B\td\t1\tr\tStyle\tMinor\nC\td\t1\tr\tNo-error\tNo-error\n"),
        {("A", "B", -1), ("A", "C", -1), ("B", "C", -1)},
    ),
    "pandalm": (
        "a.json",
        [
            {
                "idx": 0, "cmp_key": "A_B", "instruction": "x", "input": "", "response1": "",
                "annotator1": 2, "annotator2": 1, "annotator3": 0,
            }
        ],
        {("A", "B", -1), ("A", "B", 1), ("A", "B", 0)},
    ),
    "lmsys": (
        "a.csv",
        ("id,model_a,model_b,prompt,winner_model_a,winner_model_b,winner_tie\n"
        "1,A,B,x,1,0,0\n2,B,A,x,0,0,1\n"),
        {("A", "B", 1), ("B", "A", 0)},
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("shape", PREFERENCES, ids=lambda one: one.key)
def test_a_known_shape_is_seen_and_read(tmp_path: Path, shape: Shape) -> None:
    pytest.importorskip("duckdb")
    name, content, expected = SAMPLES[shape.key]
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    seen = look([path])
    assert seen.ranked is not None
    assert seen.ranked.command == f"accordeur rank {path} --query {shape.key}"
    assert lines_of_look(seen)[-1] == seen.ranked.command
    found = read_preferences(path, RankOptions(query=shape.key)).comparisons
    names = [
        (found.systems[a], found.systems[b], int(said))
        for a, b, said in zip(found.left, found.right, found.outcome, strict=True)
    ]
    assert set(names) == expected
    assert len(names) == len(expected)


def test_votes_with_usual_names_are_seen_and_other_pairs_are_not(tmp_path: Path) -> None:
    path = votes(tmp_path)
    seen = look([path])
    assert seen.layers == ()
    [sentence, command] = lines_of_look(seen)
    assert "120 comparisons of 3 systems on 60 items by 4 raters" in sentence
    assert command == f"accordeur rank {path}"
    assert seen.toml() == f'[ranking]\npreferences = "{path}"\n'
    path.write_text("item,annotator,left,right,label\n1,a,x y,z,same\n1,b,x y,z,same\n")
    assert look([path]).ranked is None


def test_without_a_column_of_items_each_preference_is_one_and_this_is_said(tmp_path: Path) -> None:
    path = tmp_path / "food.csv"
    path.write_text("left,right,winner\n" + "A,B,left\nB,A,left\nA,B,tie\n" * 4, encoding="utf-8")
    done = accordeur("rank", path)
    assert "12 comparisons on 12 items" in done.stdout
    assert "each preference counts as an item of its own" in " ".join(done.stdout.split())


def test_a_number_of_rows_is_no_item_beside_the_prompt(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("id,prompt,left,right,winner\n1,x,A,B,left\n2,x,A,B,right\n", encoding="utf-8")
    assert read_preferences(path, RankOptions()).columns["item"] == "prompt"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,left,right,outcome\n1,A,B,maybe\n", "'maybe' is neither a system"),
        ("item,left,right,outcome\n1,A,A,left\n", "row 1: A is compared with itself"),
        ("item,left,right\n1,A,B\n", r"name the column of the outcome \(outcome=\)"),
        ("item,left,right,outcome\n1,A,B,left\n2,B,C,left\n", "A won every comparison"),
        ("item,left,right,outcome\n", "has no rows"),
    ],
)
def test_what_cannot_be_ranked_is_answered_with_the_reason(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "preferences.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        acc.rank(path)


def test_a_rater_without_whom_only_ties_limit_a_difference_is_left_open() -> None:
    rows = [
        (f"i{k}", f"r{k % 2}", "A", "B", ("left", "right", "left", "tie")[k % 4]) for k in range(20)
    ]
    found = acc.rank(rows, item=0, annotator=1, left=2, right=3, outcome=4)
    assert found.without() == {"r0": [], "r1": []}


def test_items_and_unused_columns_are_found_where_the_names_do_not_show_them(
    tmp_path: Path,
) -> None:
    path = votes(tmp_path)
    text = path.read_text(encoding="utf-8").splitlines()
    rows = [f"en,{row}" for row in text[1:]]
    path.write_text("\n".join(["language,Fall,model_a,model_b,judge,winner", *rows]) + "\n")
    seen = look([path])
    [sentence, warning, command] = lines_of_look(seen)
    assert "item Fall" in sentence
    assert "60 items" in sentence
    assert warning.endswith("not used (1): language.")
    assert command == f"accordeur rank {path} --item Fall"
    assert seen.toml() == f'[ranking]\npreferences = "{path}"\nitem = "Fall"\n'
    alike = path.read_text(encoding="utf-8").replace("language", "language,row", 1).splitlines()
    rows = [f"en,{k}{row[2:]}" for k, row in enumerate(alike[1:])]
    path.write_text("\n".join([alike[0].replace("Fall", "language_2"), *rows]) + "\n")
    assert lines_of_look(look([path]))[-1] == f"accordeur rank {path} --item language_2"


def test_agreement_of_raters_counts_pairs_and_is_printed_as_in_python(tmp_path: Path) -> None:
    path = votes(tmp_path)
    [value] = acc.rank(path).agreement
    assert (value.n_items, value.n_annotators) == (60, 4)
    printed = accordeur("rank", path).stdout.splitlines()
    [row] = [line for line in printed if "krippendorff_alpha" in line]
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    lower, upper = value.interval
    numbers = [f"{value.value:.3f}", f"[{lower:.3f}, {upper:.3f}]", "60", "4"]
    assert [cell.replace("−", "-") for cell in cells[1:]] == numbers


def test_a_picture_of_a_ranking_has_intervals(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    axes = acc.rank(votes(tmp_path)).plot()
    assert len(axes.collections) == 1
