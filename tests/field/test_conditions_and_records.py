"""Conditions of judgements, families of columns and nested records: what `look` proposes."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pandas as pd
import pytest

from tests.field.test_look import command_for
from tests.field.test_look_of_kinds import GIVEN, JUDGES, PAIRS, TONES, measured, percent
from tests.flows.in_process import found, said

N_IMAGES, WORDINGS = 60, ("few", "many", "some")


def slider(*, matters: bool) -> pd.DataFrame:
    """Return ratings of images under wordings: six of an image, two of each wording."""
    rng = np.random.default_rng(3)
    meant = {"few": 1, "many": 5, "some": 3} if matters else dict.fromkeys(WORDINGS, 3)
    rows = [
        (f"i{image}", f"w{(image + place) % 9}", word, meant[word] + int(rng.integers(-1, 2)))
        for image in range(N_IMAGES)
        for place, word in enumerate([*WORDINGS, *WORDINGS])
    ]
    return pd.DataFrame(rows, columns=["image", "worker", "wording", "rating"])


def test_a_condition_that_decides_the_labels_is_part_of_what_was_judged(tmp_path):
    table = slider(matters=True)
    table.to_csv(path := tmp_path / "t.csv", index=False)
    named = ("--item", "image", "--annotator", "worker", "--label", "rating")
    code, sentence = said("agree", path, *named)
    assert (code, "`--item image,wording`" in sentence) == (2, True)
    assert "image,wording" in command_for(path)
    groups = table.groupby(["image", "wording"]).rating
    equal = float(groups.apply(lambda own: own.nunique() == 1).mean())
    assert measured(path)["percent_agreement"] == pytest.approx(equal)


def test_questions_with_labels_of_their_own_are_not_pooled(tmp_path):
    tags = {"tone": ("warm", "cold"), "length": ("long", "short")}
    rows = [
        (f"d{k}/{question}", who, question, tags[question][own[k]])
        for k in range(40)
        for who, own in GIVEN.items()
        for question in tags
    ]
    names = ["item", "annotator", "question", "label"]
    pd.DataFrame(rows, columns=names).to_csv(path := tmp_path / "t.csv", index=False)
    code, sentence = said("agree", path)
    assert (code, "`--by question`" in sentence) == (2, True)
    equal = percent([[own[k] for own in GIVEN.values()] for k in range(40)])
    lines = said("look", path)[1].splitlines()[-2:]
    for line in lines:
        assert "--option layer=question" in line
        results = found(*shlex.split(line)[1:], "--replicates", 0)["results"]
        assert results[-1]["value"] == pytest.approx(equal)
    together = found("agree", path, "--option", "ignore=question", "--replicates", 0)["results"]
    assert together[-1]["value"] == pytest.approx(equal)


def test_an_order_that_does_not_matter_is_no_part_of_it(tmp_path):
    slider(matters=False).to_csv(path := tmp_path / "t.csv", index=False)
    assert command_for(path)[command_for(path).index("--item") + 1] == "image"


def test_columns_of_lettered_experts_are_annotators(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"graph": range(1, 41), " true": rng.integers(0, 2, 40)})
    for letter, own in zip("ABC", GIVEN.values(), strict=True):
        frame[f"Expert{letter}"] = own
    frame["effect"] = rng.random(40).round(3)
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    rows = frame.filter(like="Expert").to_numpy().tolist()
    assert measured(path)["percent_agreement"] == pytest.approx(percent(rows))


def test_the_two_sides_of_a_pair_are_no_annotators(tmp_path):
    rows = [
        (f"q{k}_{side}", f"q{k}", side, f"text {k} {side}", k * 7 % 3 % 2)
        for k in range(40)
        for side in "AB"
    ]
    names = ["item_id", "question_id", "side", "text", "human_label"]
    pd.DataFrame(rows, columns=names).to_csv(path := tmp_path / "t.csv", index=False)
    assert "accordeur agree" not in said("look", path)[1]


def test_columns_of_numbered_items_with_one_value_are_no_annotators(tmp_path):
    frame = pd.DataFrame({"page": [f"p{k}" for k in range(40)]})
    for k in (1, 2):
        frame[f"item_{k}_section"] = "target"
        frame[f"item_{k}_number"] = [n * (k + 2) % 37 for n in range(40)]
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    assert "accordeur agree" not in said("look", path)[1]


def test_counts_of_labels_under_the_names_of_items_are_read(tmp_path):
    counts = {f"k{k}": {"label_counter": {"a": 3 + k % 5, "b": 7 - k % 5}} for k in range(20)}
    (path := tmp_path / "t.json").write_text(json.dumps(counts))
    equal = [
        sum(n * (n - 1) for n in one["label_counter"].values()) / 90 for one in counts.values()
    ]
    assert measured(path)["percent_agreement"] == pytest.approx(np.mean(equal))


def test_lists_of_annotators_under_the_names_of_items_are_read(tmp_path):
    answers = {
        f"k{k}": {"votes": [{"worker": who, "answer": own[k]} for who, own in TONES.items()]}
        for k in range(40)
    }
    (path := tmp_path / "t.json").write_text(json.dumps(answers, indent=1))
    rows = [[own[k] for own in TONES.values()] for k in range(40)]
    assert measured(path)["percent_agreement"] == pytest.approx(percent(rows))


def test_answers_in_objects_within_objects_are_compared_at_their_place(tmp_path):
    lines = [
        {
            "annotator_name": who,
            "id": f"d{k}",
            "out": {
                "one": {"tone": {"present": TONES[who][k], "why": "w" * k}},
                "two": {"tone": {"present": TONES[who][-1 - k], "why": ""}},
            },
        }
        for k in range(20)
        for who in JUDGES
    ]
    (path := tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    rows = [[own[k] for own in TONES.values()] for k in range(40)]
    assert len(PAIRS) == 3
    assert measured(path)["percent_agreement"] == pytest.approx(percent(rows))


def test_features_of_texts_are_no_annotators(tmp_path):
    rng = np.random.default_rng(4)
    names = [f"Has {what} (1, NaN)" for what in ("a goal", "a role", "simple words", "steps")]
    frame = pd.DataFrame(rng.integers(0, 2, (40, 4)), columns=names)
    frame.insert(0, "prompt", [f"please write the text {k} for me" for k in range(40)])
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    assert "accordeur agree" not in said("look", path)[1]


def test_the_answers_of_two_coders_beside_each_agreed_answer_are_theirs(tmp_path):
    frame = pd.DataFrame(
        {
            f"{question}{who}": GIVEN[JUDGES[int(who or 0)]] if question == "type" else own
            for question, own in (("type", None), ("reading", [*"aabb"] * 10))
            for who in ("", "1", "2")
        }
    )
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    equal = float(np.mean(frame.type1 == frame.type2))
    assert measured(path)["percent_agreement"] == pytest.approx(equal)


def test_the_answers_of_a_grid_come_before_their_averages(tmp_path):
    frame = pd.DataFrame({"url": [f"u{k}" for k in range(40)], "MEAN": [k % 7 for k in range(40)]})
    for who, own in GIVEN.items():
        frame[f"{who} average"], frame[f"{who} agents"] = own + 1.5, own
        frame[f"{who} events"] = own[::-1]
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    assert ",".join(f"{who} agents" for who in JUDGES) in command_for(path)


def test_separators_above_the_header_are_no_header(tmp_path):
    frame = pd.DataFrame({"id": [f"u{k}" for k in range(40)], **TONES})
    (path := tmp_path / "t.csv").write_text(",,,\n" + frame.to_csv(index=False))
    rows = [[own[k] for own in TONES.values()] for k in range(40)]
    assert measured(path)["percent_agreement"] == pytest.approx(percent(rows))


def test_the_first_guess_of_a_model_is_judged_and_no_annotator(tmp_path):
    frame = pd.DataFrame({"image": [f"i{k}.png" for k in range(40)]})
    for name, who in (("top1", "ann"), ("human_label", "ben")):
        frame[f"{name}_index"], frame[f"{name}_name"] = GIVEN[who], TONES[who]
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    assert command_for(path)[:1] == ["judge"]


def test_records_without_answers_of_several_annotators_are_described(tmp_path):
    records = {f"k{k}": {"pair": f"x{k}", "preference": "AB"[k % 2]} for k in range(9)}
    (path := tmp_path / "t.json").write_text(json.dumps(records, indent=1))
    code, output = said("look", path)
    assert code == 2
    assert "each under its name with pair, preference" in output
    assert "value ->> 'FIELD'" in output


@pytest.mark.parametrize(
    "names",
    [
        ("tag_ann1", "tag_ann2"),
        ("Group (Annotator-1)", "Annotator-2"),
        ("reviewer a", "reviewer b"),
    ],
    ids=lambda names: names[0],
)
def test_columns_called_after_annotators_are_theirs_beside_the_participants_of_a_study(
    tmp_path, names
):
    frame = pd.DataFrame({"participantid": [k // 2 for k in range(40)]})
    frame["itemtype"] = [*"xy"] * 20
    frame["seen"] = [("one", "other")[k % 2] for k in range(40)]
    for name, who in zip(names, JUDGES, strict=False):
        frame[name] = TONES[who]
    frame["majority"] = TONES["cem"]
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    equal = float(np.mean(GIVEN["ann"] == GIVEN["ben"]))
    assert measured(path)["percent_agreement"] == pytest.approx(equal)


def test_numbered_columns_of_annotators_beside_gold_and_majority(tmp_path):
    frame = pd.DataFrame({"id": [f"u{k}" for k in range(40)], "entity": [*"pqrs"] * 10})
    for name, who in (("Doccano", "cem"), ("A1", "ann"), ("A2", "ben"), ("Gold", "cem")):
        frame[name] = TONES[who]
    frame["n_agree"] = 1 + (GIVEN["ann"] == GIVEN["ben"])
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    equal = float(np.mean(GIVEN["ann"] == GIVEN["ben"]))
    assert measured(path)["percent_agreement"] == pytest.approx(equal)


def test_items_and_marks_side_by_side_in_the_row_of_a_participant(tmp_path):
    rows = [
        {"ParticipantID": f"w{who}"}
        | {f"Paper{n + 1}": f"p{(who + n) % 12}" for n in range(3)}
        | {f"Mark{n + 1}": (who + n) % 12 % 2 if who % 3 else n % 2 for n in range(3)}
        for who in range(12)
    ]
    pd.DataFrame(rows).to_csv(path := tmp_path / "t.csv", index=False)
    marks: dict[str, list[int]] = {}
    for row in rows:
        for n in (1, 2, 3):
            marks.setdefault(row[f"Paper{n}"], []).append(row[f"Mark{n}"])
    equal = np.mean([np.mean([one[a] == one[b] for a, b in PAIRS]) for one in marks.values()])
    assert measured(path)["percent_agreement"] == pytest.approx(equal)


def test_a_topic_beside_the_annotators_of_a_wide_table_is_none_of_them(tmp_path):
    frame = pd.DataFrame({"id": [f"u{k}" for k in range(40)], "topic": ["news", "sport"] * 20})
    frame = frame.assign(**TONES, gpt=[("warm", "cold")[k % 2] for k in range(40)])
    frame.to_csv(path := tmp_path / "t.csv", index=False)
    frame.drop(columns="topic").to_csv(without := tmp_path / "without.csv", index=False)
    asked = ("--wide", "--system", "gpt", "--json")
    with_topic, alone = (found("replace", one, *asked) for one in (path, without))
    assert with_topic["systems"] == alone["systems"]
    assert "topic" in str(with_topic["warnings"])
