"""Tables of which several columns could be the item, the annotators or the label."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import accordeur as acc

DRAW = random.Random(11)
PEOPLE = [f"p{k}" for k in range(24)]
TRUE = {f"image{k:03}.jpg": DRAW.randrange(1, 6) for k in range(60)}


def rating(true: int) -> int:
    return true if DRAW.random() < 0.6 else DRAW.randrange(1, 6)


def of_trials() -> pd.DataFrame:
    """Each participant sees 20 of 60 images, in an order of their own."""
    return pd.DataFrame(
        {
            "stage": f"main_{place}",
            "image": image,
            "rating": rating(TRUE[image]),
            "participant": who,
        }
        for who in PEOPLE
        for place, image in enumerate(DRAW.sample([*TRUE], 20))
    )


def of_conditions() -> pd.DataFrame:
    """Each worker rates one of four answers to each of 15 questions."""
    rows = [
        (f"q{q}", f"an answer to {q} that says {4 * q + (who + q) % 4}", f"w{who}")
        for q in range(15)
        for who in range(24)
    ]
    true = {answer: DRAW.choice("yno") for _, answer, _ in rows}
    return pd.DataFrame(
        {
            "question": question,
            "answer": answer,
            "useful": true[answer] if DRAW.random() < 0.8 else DRAW.choice("yno"),
            "worker_id": who,
        }
        for question, answer, who in rows
    )


@pytest.mark.parametrize(
    ("frame", "item", "rival"),
    [(of_trials(), "image", "stage"), (of_conditions(), "answer", "question")],
)
def test_the_item_is_that_on_which_labels_agree(tmp_path, frame, item, rival):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    found = acc.look(path)
    assert found.options["item"] == item
    columns = {"annotator": found.options["annotator"], "label": found.options["label"]}
    of_rival = acc.agreement(frame, item=rival, **columns, replicates=0)
    assert any(item in one and "agree more" in one for one in of_rival.warnings)
    right = acc.agreement(frame, item=item, **columns, replicates=0)
    assert not any("agree more" in one for one in right.warnings)


def test_ages_of_judges_and_authors_are_no_labels(tmp_path):
    rows = [(judge, file) for judge in range(12) for file in range(30)]
    frame = pd.DataFrame(
        {
            "IDListener": [judge for judge, _ in rows],
            "ageListener": [20 + judge % 5 for judge, _ in rows],
            "sexListener": ["fm"[judge % 2] for judge, _ in rows],
            "filename": [f"{file}.wav" for _, file in rows],
            "orderPlayed": [DRAW.randrange(30) for _ in rows],
            "ageSpeaker": [20 + file % 5 for _, file in rows],
            "sexSpeaker": ["fm"[file % 2] for _, file in rows],
            "Rating_Warm": [rating(file % 5 + 1) for _, file in rows],
        }
    )
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    options = acc.look(path).options
    assert options == {"item": "filename", "annotator": "IDListener", "label": "Rating_Warm"}


def test_what_raters_agreed_on_is_no_rater_and_other_questions_are_named(tmp_path):
    columns = {
        f"Q{q}{who}": [DRAW.choice(["yes", "no"]) for _ in range(40)]
        for q in (1, 2)
        for who in ("Rater1", "Rater2", "Rater3", "Agreement")
    }
    path = tmp_path / "reasons.csv"
    pd.DataFrame({"sentence": [f"s{k}" for k in range(40)], **columns}).to_csv(path, index=False)
    found = acc.look(path)
    assert found.options["annotator"] == "Q1Rater1,Q1Rater2,Q1Rater3"
    [further] = found.to_dict()["further"]
    assert "Q2Rater1,Q2Rater2,Q2Rater3" in further
    assert further in repr(found)


def test_brackets_may_be_in_names_of_columns_and_of_files(tmp_path):
    labels = {f"{who} [a]": [DRAW.choice("xy") for _ in range(20)] for who in ("ann", "ben")}
    frame = pd.DataFrame({"id": range(20), **labels})
    path = tmp_path / "codes.csv"
    frame.to_csv(path, index=False)
    rows = acc.read(path, options={"annotator": "ann [a],ben [a]"})
    assert {*rows.labels["annotator"].to_pylist()} == {*labels}
    files = [tmp_path / f"Codes of Round (no {n}).csv" for n in (1, 2)]
    for file, own in zip(files, labels.values(), strict=True):
        pd.DataFrame({"item": frame["id"], "code": own}).to_csv(file, index=False)
    assert acc.look(files).options["label"] == "code"


def test_answers_of_several_kinds_are_no_transposed_table(tmp_path):
    asked = {f"What is your answer to question {n}?": ["stay", "go", "wait"] for n in range(8)}
    other = {f"How sure are you about question {n}?": [*range(40)] for n in range(8)}
    names = {"What is the name of your workplace?": [f"place {k}" for k in range(40)]}
    frame = pd.DataFrame(
        {
            "Record": [*range(1, 21)],
            **{
                name: [DRAW.choice(values) for _ in range(20)]
                for name, values in (asked | other | names).items()
            },
        }
    )
    path = tmp_path / "survey.csv"
    frame.to_csv(path, index=False)
    with pytest.raises(ValueError, match="different things"):
        acc.look(path)
