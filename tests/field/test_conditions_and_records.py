"""Conditions of judgements, families of columns and nested records: what `look` proposes."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from tests.field.test_look import command_for
from tests.field.test_look_of_kinds import GIVEN, JUDGES, PAIRS, TONES, measured, percent
from tests.flows.in_process import said

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
