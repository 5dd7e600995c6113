"""`accordeur judge`: what it says is what `agree`, `score`, `estimate` and `replace` say."""

from __future__ import annotations

import csv
import json
import math
import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordeur as acc
from accordeur.data.errors import DataError
from tests.flows.command_line import accordeur

HUMANS = {"ann": 0.08, "ben": 0.12, "cat": 0.1}
JUDGES = {"gpt": 0.1, "llm-2": 0.3}  # named like models

EVERY = [part for name in JUDGES for part in ("--judge", name)]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """120 items of two categories; the humans label 90 of them, the judges all."""
    drawn, rows = random.Random(3), []
    for item in range(120):
        truth = drawn.random() < 0.35
        for name, error in (HUMANS | JUDGES).items():
            said = truth != (drawn.random() < error)
            if name in JUDGES or item < 90:
                rows.append((f"i{item:03}", name, "yes" if said else "no"))
    path = tmp_path_factory.mktemp("judge") / "labels.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("item", "annotator", "label"), *rows])
    return path


def judged(table: Path, *options: str) -> dict:
    words = [part for name in JUDGES for part in ("--judge", name)]
    return json.loads(accordeur("judge", table, *words, "--json", *options).stdout)


def quick(*words: str | Path) -> dict:
    return json.loads(accordeur(*words, "--json").stdout)


def only_humans(table: Path) -> Path:
    path = table.with_name("humans.csv")
    rows = table.read_text(encoding="utf-8").splitlines()
    kept = [row for row in rows if row.split(",")[1] not in JUDGES]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path


def test_the_human_ceiling_is_what_agree_says_of_the_humans(table: Path) -> None:
    names = ("light_kappa", "krippendorff_alpha", "gwet_ac1")
    measures = [part for name in names for part in ("--measure", name)]
    alone = quick("agree", only_humans(table), *measures)["results"]
    for own, other in zip(judged(table)["agreement"], alone, strict=True):
        assert (own["measure"], own["value"], own["interval"]) == (
            other["measure"],
            other["value"],
            other["interval"],
        )


@settings(max_examples=15)
@given(st.lists(st.sampled_from(["yes", "no", "maybe", "9"]), min_size=12, max_size=12))
def test_the_wall_no_label_of_a_judge_changes_the_agreement_of_the_humans(said: list[str]) -> None:
    humans = [
        (f"i{i}", name, "yes" if (i + shift) % (3 + shift) == 0 else "no")
        for i in range(12)
        for shift, name in enumerate(("ann", "ben"))
    ]
    expected = acc.agreement(
        humans, item=0, annotator=1, label=2, measures=["cohen_kappa", "gwet_ac1"]
    )
    rows = [*humans, *((f"i{i}", "gpt", label) for i, label in enumerate(said))]
    found = acc.judge(rows, judges="gpt", item=0, annotator=1, label=2).agreement
    for measure in ("cohen_kappa", "gwet_ac1"):
        assert found[measure] == expected[measure]
        assert found[measure].interval == expected[measure].interval


def test_the_candidate_with_each_human_is_the_coefficient_of_their_labels(table: Path) -> None:
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    labels = {name: {} for name in (*HUMANS, *JUDGES)}
    for row in rows:
        labels[row["annotator"]][row["item"]] = row["label"]
    for candidate in judged(table)["candidates"]:
        for measure in candidate["measures"]:
            values = []
            for pair in measure["pairs"]:
                common = labels[pair["annotator"]].keys() & labels[candidate["system"]].keys()
                two = [
                    (item, name, labels[name][item])
                    for item in sorted(common)
                    for name in (pair["annotator"], candidate["system"])
                ]
                name = pair["value"]["measure"]
                expected = acc.agreement(two, item=0, annotator=1, label=2, measures=[name])[name]
                assert pair["value"]["value"] == pytest.approx(float(expected), abs=1e-12)
                values.append(float(expected))
            mean = measure["mean"]
            assert mean["value"] == pytest.approx(sum(values) / 3, abs=1e-12)
            assert mean["interval"][0] < mean["value"] < mean["interval"][1]


def test_scores_are_those_of_score_against_the_same_reference(table: Path, tmp_path: Path) -> None:
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    votes: dict[str, list[str]] = {}
    for row in rows:
        if row["annotator"] in HUMANS:
            votes.setdefault(row["item"], []).append(row["label"])
    with (tmp_path / "gold.csv").open("w", encoding="utf-8") as file:
        file.write("item,annotator,label\n")
        for item, said in votes.items():
            file.write(f"{item},gold,{max(set(said), key=said.count)}\n")
    gpt = [f"{row['item']},gpt,{row['label']}\n" for row in rows if row["annotator"] == "gpt"]
    (tmp_path / "gpt.csv").write_text("item,annotator,label\n" + "".join(gpt), encoding="utf-8")
    scored = quick("score", "--reference", tmp_path / "gold.csv", "--system", tmp_path / "gpt.csv")[
        "results"
    ]
    expected = {
        (one["category"], one["measure"]): (one["value"], one["interval"])
        for one in scored
        if one["system"] == "gpt"
    }
    found = next(one for one in judged(table)["scores"] if one["system"] == "gpt")
    own = {("", one["measure"]): (one["value"], one["interval"]) for one in found["values"]} | {
        (part["category"], one["measure"]): (one["value"], one["interval"])
        for part in found["categories"]
        for one in part["values"]
    }
    assert own == expected
    assert sum(cell["n"] for cell in found["confusion"]) == len(votes)


def test_corrected_shares_and_verdicts_are_those_of_estimate_and_replace(table: Path) -> None:
    systems = [part for name in JUDGES for part in ("--system", name)]
    found = judged(table, "--audit-is-random")
    estimated = quick("estimate", table, *systems, "--audit-is-random")
    assert found["corrected"]["systems"] == estimated["systems"]
    replaced = quick("replace", table, *systems)
    assert found["replacement"]["systems"] == replaced["systems"]


def test_python_and_command_give_one_result(table: Path) -> None:
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    frame = {name: [row[name] for row in rows] for name in ("item", "annotator", "label")}
    found, said = acc.judge(frame, judges=list(JUDGES)), judged(table)
    own = found.to_document()
    assert own["scores"] == said["scores"]
    assert own["verdicts"] == said["verdicts"]
    for mine, other in zip(own["candidates"], said["candidates"], strict=True):
        for one, two in zip(mine["measures"], other["measures"], strict=True):
            assert one["mean"]["value"] == two["mean"]["value"]
            assert one["mean"]["interval"] == two["mean"]["interval"]
    cell = next(
        one
        for one in said["scores"][0]["confusion"]
        if (one["reference"], one["label"]) == ("no", "yes")
    )
    assert found.items("gpt", "no", "yes") == cell["items"]


BARS = """
[[bars]]
measure = "cohen_kappa"
at_least = {kappa}

[[bars]]
measure = "recall"
of = "yes"
at_least = 0.5
on = "lower bound"
"""


@pytest.mark.parametrize(
    ("kappa", "judge", "status", "word"),
    [(0.1, "gpt", 0, "PASSED"), (0.95, "gpt", 1, "FAILED"), (0.62, "gpt", 2, "UNDECIDED")],
)
def test_bars_decide_the_exit_status(
    table: Path, tmp_path: Path, kappa: float, judge: str, status: int, word: str
) -> None:
    bars = tmp_path / "bars.toml"
    bars.write_text(BARS.format(kappa=kappa), encoding="utf-8")
    junit = tmp_path / "junit.xml"
    done = accordeur(
        "judge", table, "--judge", judge, "--role", "llm-2=human", "--bars", bars, "--junit", junit
    )
    assert done.returncode == status, done.stderr
    assert f"{word} by the bars: " in done.stdout
    suite = ElementTree.parse(junit).getroot()[0]
    assert suite.get("tests") == "2"
    assert suite.get("failures") == str(int(status == 1))


def test_a_bar_on_what_is_not_computed_says_what_is(table: Path, tmp_path: Path) -> None:
    bars = tmp_path / "bars.toml"
    bars.write_text('[[bars]]\nmeasure = "cohen_kapa"\nat_least = 0.5\n', encoding="utf-8")
    done = accordeur("judge", table, *EVERY, "--bars", bars)
    assert done.returncode == 2
    assert "no measure 'cohen_kapa'; did you mean cohen_kappa?" in done.stderr
    bars.write_text('[[bars]]\nmeasure = "brier"\nat_most = 0.2\n', encoding="utf-8")
    done = accordeur("judge", table, *EVERY, "--bars", bars)
    assert "a bar is on brier, which is only computed with --confidence" in done.stderr
    for text, said in (
        ("x = 1\n", "state each bar in a section [[bars]]"),
        ('[[bars]]\nmeasure = "recall"\n', "give either at_least or at_most"),
        ('[[bars]]\nmeasure = "recall"\nat_leest = 1\n', "at_leest is no key of a bar"),
    ):
        bars.write_text(text, encoding="utf-8")
        assert said in accordeur("judge", table, *EVERY, "--bars", bars).stderr


def test_a_panel_is_the_majority_of_three_judges(table: Path) -> None:
    done = accordeur("judge", table, *(p for n in JUDGES for p in ("--judge", n)), "--panel")
    assert "majority of three or more" in done.stderr
    rows = [
        (f"i{i}", name, "yes" if (i % 4 == 0) != (name == f"j{i % 5}") else "no")
        for i in range(40)
        for name in ("ann", "ben", "j0", "j1", "j2")
    ]
    found = acc.judge(
        rows, judges=["j0", "j1", "j2"], item=0, annotator=1, label=2, panel=True
    ).to_frame()
    accuracy = found[(found.judge == "panel") & (found.measure == "accuracy")]
    assert accuracy.value.item() == 1.0


def test_one_human_two_humans_and_none(table: Path) -> None:
    rows = [("i1", "ann", "a"), ("i1", "gpt", "a"), ("i2", "ann", "b"), ("i2", "gpt", "b")]
    found = acc.judge(rows, judges="gpt", item=0, annotator=1, label=2)
    assert len(found.agreement) == 0
    assert found.verdicts == {"gpt": "undecided"}
    assert any("it is not known how far humans agree" in one for one in found.sentences)
    with pytest.raises(DataError, match='judges="claude"'):
        acc.judge(rows, judges="claude", item=0, annotator=1, label=2)
    with pytest.raises(DataError, match="every annotator is a system"):
        acc.judge(rows[1::2], judges="gpt", item=0, annotator=1, label=2)


def test_markdown_has_the_tables_of_the_terminal(table: Path) -> None:
    printed = accordeur("judge", table, *EVERY, "--markdown").stdout
    assert printed.count("| --- |") >= 4
    assert re.search(r"^\| gpt \| cohen\\_kappa \| 0\.\d+", printed, re.MULTILINE)
    assert "not agreement" in printed


def test_a_log_with_columns_of_judge_and_human_beside_others(tmp_path: Path) -> None:
    rows = [(f"q{i}", i % 2, i % 3 % 2 if i < 30 else "", 100 + i) for i in range(60)]
    log = tmp_path / "log.csv"
    with log.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("id", "judge", "human", "tokens"), *rows])
    found = quick("judge", log, "--judge", "judge", "--human", "human")
    assert (found["annotators"], found["systems"]) == (["human"], ["judge"])
    assert found["reference"] == "human"
    assert found["n_unlabelled_by_humans"] == 30
    right = sum(judge == human for _, judge, human, _ in rows[:30])
    scores = {one["measure"]: one["value"] for one in found["scores"][0]["values"]}
    assert scores["accuracy"] == pytest.approx(right / 30)
    wrong = accordeur("judge", log, "--judge", "judge", "--human", "humn")
    assert "--human: humn must be columns of one table" in wrong.stderr


def test_ratings_have_correlations_beside_those_of_the_humans() -> None:
    drawn = random.Random(8)
    rows = []
    for i in range(60):
        truth = drawn.randint(1, 5)
        for name in ("ann", "ben", "gpt"):
            said = min(5, max(1, truth + drawn.choice((-1, 0, 0, 1)) + (name == "gpt")))
            rows.append((f"i{i}", name, said))
    found = acc.judge(rows, judges="gpt", item=0, annotator=1, label=2)
    assert {one.measure for one in found.human_ratings} == {
        *("spearman_rho", "kendall_tau_b", "pearson_r", "icc_2_1")
    }
    frame = found.to_frame()
    difference = frame[frame.measure == "mean_difference"].value.item()
    means = [
        sum(said for _, who, said in rows if who == name) / 60 for name in ("gpt", "ann", "ben")
    ]
    assert difference == pytest.approx(means[0] - (means[1] + means[2]) / 2)


def test_a_model_that_is_not_named_does_not_pass_for_a_human(table: Path) -> None:
    done = accordeur("judge", table, "--judge", "llm-2")
    assert done.returncode == 2
    assert "gpt would count as human" in done.stderr
    assert "--role gpt=human" in done.stderr
    human = accordeur("judge", table, "--judge", "llm-2", "--role", "gpt=human", "--json")
    assert json.loads(human.stdout)["annotators"] == ["ann", "ben", "cat", "gpt"]


def test_columns_without_those_of_the_humans_are_told_to_name_them(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("id,passed,words\nq1,1,80\nq2,0,95\n", encoding="utf-8")
    done = accordeur("judge", log, "--judge", "passed")
    assert "passed is a column: name the column of each human, too (--human)" in done.stderr
    assert "words" in done.stderr


def test_columns_with_the_labels_of_the_judge_are_proposed_as_humans(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    rows = [f"r{k},{k % 3},{k % 2},{k % 2},{int(k > 7)}" for k in range(30)]
    log.write_text("\n".join(["reply,topic,gpt,ann l,ben", *rows]), encoding="utf-8")
    done = accordeur("judge", log, "--judge", "gpt")
    assert "--human 'ann l' --human ben with the same labels" in done.stderr
    own = ("--human", "ann l", "--human", "ben")
    found = json.loads(accordeur("judge", log, "--judge", "gpt", *own, "--json").stdout)
    assert found["annotators"] == ["ann l", "ben"]
    assert found["n_items"] == 30  # `reply` differs in each row, and is the item


def test_a_row_is_an_item_where_no_column_names_it(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("topic,gpt,ann\na,1,1\nb,0,1\na,0,0\n", encoding="utf-8")
    done = accordeur("judge", log, "--judge", "gpt", "--human", "ann")
    assert "an item is a row; annotators gpt, ann (2)" in done.stderr
    assert "0.667" in done.stdout


def test_a_category_that_is_none_is_answered_with_the_categories(
    table: Path, tmp_path: Path
) -> None:
    bars = tmp_path / "bars.toml"
    bars.write_text('[[bars]]\nmeasure = "recall"\nof = "positive"\nat_least = 0.5\n')
    done = accordeur("judge", table, *(p for n in JUDGES for p in ("--judge", n)), "--bars", bars)
    assert "'positive', which is no category; there are no, yes" in done.stderr


@pytest.mark.parametrize("n", [60, 240])
def test_an_undecided_bar_names_the_items_that_would_decide_it(tmp_path: Path, n: int) -> None:
    rows = [
        (f"i{i}", who, "yes" if (i % 2 == 0) != (who == "gpt" and i % 5 == 0) else "no")
        for i in range(n)
        for who in ("ann", "gpt")
    ]
    bars = tmp_path / "bars.toml"
    bars.write_text('[[bars]]\nmeasure = "accuracy"\nat_least = 0.77\n')
    found = acc.judge(rows, judges="gpt", item=0, annotator=1, label=2, bars=str(bars))
    [bar] = found.to_document()["verdicts"][0]["bars"]
    value, low = bar["value"]["value"], bar["value"]["interval"][0]
    assert value == pytest.approx(0.8)
    error = (value - low) / 1.959964
    assert bar["more"] == math.ceil(n * (((1.959964 + 0.841621) * error / 0.03) ** 2 - 1))
    assert any(f"a further {bar['more']:,} items" in one for one in found.sentences)
    printed = found.to_markdown()
    assert "What a study that uses gpt reports" in printed
    assert "| Prompt | Give prompt in" in printed


def test_slices_by_a_column_are_the_check_of_their_items(tmp_path: Path) -> None:
    drawn, rows = random.Random(3), []
    for i in range(60):
        topic, truth = ("food", "law")[i % 2], drawn.choice(("yes", "no"))
        for who, right in (("ann", 0.9), ("ben", 0.9), ("gpt", 0.6 if topic == "law" else 0.95)):
            label = truth if drawn.random() < right else ("no" if truth == "yes" else "yes")
            rows.append({"item": f"i{i}", "annotator": who, "label": label, "topic": topic})
    frame = {name: [row[name] for row in rows] for name in rows[0]}
    found = acc.judge(frame, judges="gpt", by="topic").slices()
    for topic in ("food", "law"):
        own = {name: [row[name] for row in rows if row["topic"] == topic] for name in rows[0]}
        expected = acc.judge(own, judges="gpt").to_frame()
        part = found[found.slice == topic]
        for measure in ("cohen_kappa", "accuracy"):
            [value] = part[(part.measure == measure)].value
            assert value == expected[expected.measure == measure].value.item()
    path = tmp_path / "labels.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(frame))
        writer.writeheader()
        writer.writerows(rows)
    said = quick("judge", path, "--judge", "gpt", "--by", "topic")["slices"]
    assert [one["name"] for one in said] == ["food", "law"]
    assert said[0]["scores"][0]["value"] == found[found.measure == "accuracy"].value.iloc[0]
    shown = accordeur("judge", path, "--judge", "gpt", "--by", "topic").stdout
    assert "recall" in shown.partition("By slice and category")[2]
    wrong = accordeur("judge", path, "--judge", "gpt", "--by", "label")
    assert "a slice is a property of the item" in wrong.stderr
    wrong = accordeur("judge", path, "--judge", "gpt", "--by", "subject")
    assert "--by subject: labels.csv has no such column" in wrong.stderr
