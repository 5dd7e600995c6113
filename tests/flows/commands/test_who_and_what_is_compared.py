"""References of other documents, systems of one name, speakers that are taken for annotators."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.reference_documents import mismatch
from tests.flows.in_process import found, said, texts

ROUGHLY = ("--replicates", "0", "--precision", "0.3")


def _table(path: Path, who: str, documents: tuple[str, ...], role: str = "human") -> Path:
    rows = [f"{d},{k},{who},{'xy'[k % 2]},{role}\n" for d in documents for k in range(4)]
    path.write_text("document,item,annotator,label,role\n" + "".join(rows), encoding="utf-8")
    return path


def _units(path: Path, speakers: dict[str, int], *, length: int) -> Path:
    """Turns of ten seconds, of which each annotator has the one that its number says."""
    rows = [
        f"{who},{10 * len(speakers) * k + 10 * at},{10 * len(speakers) * k + 10 * at + length},A\n"
        for k in range(8)
        for who, at in speakers.items()
    ]
    path.write_text("annotator,start,end,category\n" + "".join(rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("reference", "others", "sentence"),
    [
        (["d1", "d2"], ["d1", "d2", "d3"], ""),
        (["d1", "d2"], ["d1"], ""),
        (["d1"], [], ""),
        (
            ["d1"],
            ["d2"],
            "no document of the reference is in the other exports ('d1' there, 'd2' here)",
        ),
        (["r/d1.txt"], ["d1"], "without folders and extensions 1 of 1 would be the same"),
        (
            ["d1", "d2.txt"],
            ["d1", "x/d2"],
            "1 of 2 documents of the reference would be in the other",
        ),
        (["v1.1"], ["v1.2"], "no document of the reference is in the other exports ('v1.1' there"),
    ],
)
def test_names_of_documents_of_a_reference(
    reference: list[str], others: list[str], sentence: str
) -> None:
    assert (
        mismatch(reference, others).startswith(sentence)
        if not sentence
        else (sentence in mismatch(reference, others))
    )
    assert bool(mismatch(reference, others)) is bool(sentence)


def test_check_and_score_name_the_documents_of_both_sides(tmp_path: Path) -> None:
    gold = _table(tmp_path / "gold.csv", "gold", ("d1.txt", "d2.txt"), "reference")
    for who in ("anna", "ben"):
        _table(tmp_path / f"{who}.csv", who, ("d1", "d2"))
    sources = "".join(f'[[sources]]\npath = "{w}.csv"\n' for w in ("gold", "anna", "ben"))
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(f'[campaign]\nname = "x"\n{sources}', encoding="utf-8")
    code, output = said("check", campaign)
    assert code == 1
    both = "('d1.txt', 'd2.txt' there, 'd1', 'd2' here)"
    assert f"reference gold: no document of the reference is in the other exports {both}" in output
    code, sentence = said("score", "--reference", gold, "--system", tmp_path / "anna.csv")
    assert code == 2
    assert both in sentence
    _table(tmp_path / "gold.csv", "gold", ("d1", "d2"), "reference")
    assert said("check", campaign)[0] == 0


def test_systems_of_one_name_are_called_after_their_folders(tmp_path: Path) -> None:
    gold = _table(tmp_path / "gold.csv", "gold", ("d1", "d2"), "reference")
    systems = []
    for run in ("first", "second"):
        folder = tmp_path / "runs" / run / "out"
        folder.mkdir(parents=True)
        systems += ["--system", _table(folder / "model.csv", "model", ("d1", "d2"), "system")]
    scores = found("score", "--reference", gold, *systems, "--replicates", "0")["results"]
    names = {row["system"] for row in scores}
    assert {"first/out/model", "second/out/model"} <= names


def test_annotators_that_never_overlap_are_suspected_to_be_speakers(tmp_path: Path) -> None:
    turns = _units(tmp_path / "turns.csv", {"MOT": 0, "CHI": 1}, length=9)
    [warning] = [
        text for text in texts(found("gamma", turns, *ROUGHLY)) if "if they are speakers" in text
    ]
    assert warning.startswith(
        "no unit of an annotator overlaps one of another (16 units in 1 document)"
    )
    assert "annotator_from=file" in warning
    over = _units(tmp_path / "over.csv", {"MOT": 0, "CHI": 1}, length=11)
    assert not [text for text in texts(found("gamma", over, *ROUGHLY)) if "speakers" in text]
