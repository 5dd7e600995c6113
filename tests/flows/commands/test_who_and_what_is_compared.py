"""References of other documents, systems of one name, speakers that are taken for annotators."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.reference_documents import mismatch_message
from accordeur.data.same_rows import Sketch, SourceContents, sources_of_same_rows
from tests.flows.in_process import found, said, texts
from tests.flows.outcomes import results_of
from tests.flows.small import NO_GRID

WHO = ("anna", "ben")
ROUGHLY = ("--replicates", "0", "--precision", "0.3")


def _table(path: Path, who: str, documents: tuple[str, ...], role: str = "human") -> Path:
    rows = [f"{d},{k},{who},{'xy'[k % 2]},{role}\n" for d in documents for k in range(4)]
    path.write_text("document,item,annotator,label,role\n" + "".join(rows), encoding="utf-8")
    return path


def _campaign(folder: Path, *sources: str) -> Path:
    campaign = folder / "campaign.toml"
    listed = "".join(f'[[sources]]\npath = "{one}"\n' for one in sources)
    more = "[intervals]\nreplicates = 20\n[chance]\nprecision = 0.2\n[engine]\nworkers = 1\n"
    campaign.write_text(f'[campaign]\nname = "x"\n{listed}{NO_GRID}{more}', encoding="utf-8")
    return campaign


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
            "is in the other exports ('d1' in the reference, 'd2' in the others)",
        ),
        (["r/d1.txt"], ["d1"], "if folders and extensions are ignored, 1 of 1 match"),
        (
            ["d1", "d2.txt"],
            ["d1", "x/d2"],
            "1 of 2 documents of the reference match documents of the other",
        ),
        (
            ["v1.1"],
            ["v1.2"],
            "no document of the reference is in the other exports ('v1.1' in the reference",
        ),
    ],
)
def test_names_of_documents_of_a_reference(
    reference: list[str], others: list[str], sentence: str
) -> None:
    assert (
        mismatch_message(reference, others).startswith(sentence)
        if not sentence
        else (sentence in mismatch_message(reference, others))
    )
    assert bool(mismatch_message(reference, others)) is bool(sentence)


def test_check_and_score_name_the_documents_of_both_sides(tmp_path: Path) -> None:
    gold = _table(tmp_path / "gold.csv", "gold", ("d1.txt", "d2.txt"), "reference")
    for who in ("anna", "ben"):
        _table(tmp_path / f"{who}.csv", who, ("d1", "d2"))
    sources = "".join(f'[[sources]]\npath = "{w}.csv"\n' for w in ("gold", "anna", "ben"))
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(f'[campaign]\nname = "x"\n{sources}', encoding="utf-8")
    code, output = said("check", campaign)
    assert code == 1
    both = "('d1.txt', 'd2.txt' in the reference, 'd1', 'd2' in the others)"
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
    [warning] = [text for text in texts(found("gamma", turns, *ROUGHLY)) if "speakers" in text]
    seen = "No unit of one annotator overlaps a unit of another (16 units, 1 document)."
    assert warning.startswith(seen)
    assert "'paths={document}/{annotator}'" in warning
    over = _units(tmp_path / "over.csv", {"MOT": 0, "CHI": 1}, length=11)
    assert not [text for text in texts(found("gamma", over, *ROUGHLY)) if "speakers" in text]
    campaign = _campaign(tmp_path, "turns.csv")
    assert f"layer units: {seen}" in said("check", campaign)[1]
    campaign = _campaign(tmp_path, "over.csv")
    assert "speakers" not in said("check", campaign)[1]


def _deliveries_of_one_text(folder: Path) -> tuple[str, str]:
    """Two sources in brat: the text of d1 comes back as e1, marked otherwise."""
    text = "The sea was calm, and nobody had seen the boat come in that night."
    for source, name, end in (("first", "d1", 3), ("second", "e1", 7)):
        for who, start in zip(WHO, (0, 8), strict=True):  # no unit of one overlaps another's
            (folder / source / who).mkdir(parents=True)
            (folder / source / who / f"{name}.txt").write_text(text, encoding="utf-8")
            row = f"T1\tA {start} {start + end}\t{text[start : start + end]}\n"
            (folder / source / who / f"{name}.ann").write_text(row, encoding="utf-8")
    return "first", "second"


def test_copies_in_another_source_are_reported(tmp_path: Path) -> None:
    campaign = _campaign(tmp_path, *_deliveries_of_one_text(tmp_path))
    assert "copies of another one (1): 'e1' = 'd1'" in " ".join(said("check", campaign)[1].split())


@pytest.mark.long
@pytest.mark.services
def test_a_run_suspects_speakers_and_copies_between_sources(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    turns = _units(tmp_path / "turns.csv", {"MOT": 0, "CHI": 1}, length=9)
    (tmp_path / "again.csv").write_bytes(turns.read_bytes())
    sources = ("turns.csv", "again.csv", *_deliveries_of_one_text(tmp_path))
    results = results_of(run_campaign(_campaign(tmp_path, *sources))[0])
    [layer] = results["units"]
    assert "never_overlap" in {one["rule"] for one in layer["findings"]}
    [notice] = [one for one in results["alerts"] if one["code"] == "sources_of_same_rows"]
    assert notice["figures"] == {"first": "turns.csv", "second": "again.csv", "n": 1}
    [notice] = [one for one in results["alerts"] if one["code"] == "copied_documents"]
    assert notice["figures"] == {"n": 1, "names": "'e1' = 'd1'"}


def _merged_and_apart(folder: Path, documents: tuple[str, ...]) -> str:
    """A folder of a table for each document, and one table of all of them; the sentence on both."""
    (folder / "apart").mkdir(parents=True)
    rows = {
        d: [f"{k},{w},{'xyz'[(k * n + len(w)) % 3]}\n" for k in range(6) for w in WHO]
        for n, d in enumerate(documents, 2)
    }
    for d, own in rows.items():
        text = "item,annotator,label\n" + "".join(own)
        (folder / "apart" / f"{d}.csv").write_text(text, encoding="utf-8")
    merged = [f"text {d},{row}" for d, own in rows.items() for row in own]
    more = [f"other,{k},{w},x\n" for k in range(9) for w in WHO]
    table = "document,item,annotator,label\n" + "".join([*merged, *more])
    (folder / "merged.csv").write_text(table, encoding="utf-8")
    return said("check", _campaign(folder, "apart", "merged.csv"))[1]


def test_a_source_that_holds_the_rows_of_another_is_noticed(tmp_path: Path) -> None:
    output = _merged_and_apart(tmp_path, ("d1", "d2", "d3"))
    assert "The sources apart and merged.csv hold the same rows" in output
    assert "(documents with the same rows: 3 or more)" in output
    _table(tmp_path / "anna.csv", "anna", ("d1", "d2"))
    _table(tmp_path / "ben.csv", "ben", ("d1", "d2"))
    output = said("check", _campaign(tmp_path, "anna.csv", "ben.csv"))[1]
    assert "hold the same rows" not in output


def test_a_readme_beside_exports_is_no_rejected_row(tmp_path: Path) -> None:
    _table(tmp_path / "anna.csv", "anna", ("d1",))
    _table(tmp_path / "ben.csv", "ben", ("d1",))
    for name in ("README.md", "LICENSE", "SOURCE.txt", "licence_mit.txt"):
        (tmp_path / name).write_text("Made by hand.\n", encoding="utf-8")
    assert found("agree", tmp_path, "--replicates", "0")["rows"]["rejected"] == {}
    (tmp_path / "other.txt").write_text("What is this?\n", encoding="utf-8")
    agreed = found("agree", tmp_path, "--replicates", "0")
    assert agreed["rows"]["rejected"] == {}
    assert any("not read" in text and "other.txt" in text for text in texts(agreed))


@settings(max_examples=30)
@given(st.lists(st.integers(0, 400), min_size=1, max_size=60, unique=True), st.integers(1, 40))
def test_sources_of_same_rows_are_found_in_any_order_and_blocks(
    starts: list[int], size: int
) -> None:
    def sketch(prefix: str, wanted: list[int]) -> Sketch:
        rows = [(f"{prefix}{s % 7}", "anna", s, s + 1, "A", 1) for s in wanted]
        contents = SourceContents()
        names = ("document", "annotator", "start_offset", "end_offset", "category", "pass")
        for k in range(0, len(rows), size):
            columns = zip(*rows[k : k + size], strict=True)
            contents.add("units", pa.table(dict(zip(names, map(list, columns), strict=True))))
        return contents.sketch()

    n_enough = sum(n >= 4 for n in Counter(s % 7 for s in starts).values())
    same = sources_of_same_rows([sketch("a", starts), sketch("b", starts[::-1])])
    assert [one.n_documents for one in same] == ([n_enough] if n_enough else [])
    assert not sources_of_same_rows([sketch("a", starts), sketch("a", starts)])
    assert not sources_of_same_rows([sketch("a", starts), sketch("b", [s + 500 for s in starts])])


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.9, 0.8)])
def test_answers_to_a_few_questions_are_no_rows_of_another_source(
    shares: tuple[float, float],
) -> None:
    """A rubric of four questions: documents are alike by chance, in a source and between two."""
    draw = random.Random(3)

    def sketch(prefix: str, share: float) -> Sketch:
        contents = SourceContents()
        rows = [
            (f"{prefix}{k}", f"q{q}", who, ["yes" if draw.random() < share else "no"], 1)
            for k in range(120)
            for q in range(4)
            for who in WHO
        ]
        names = ("document", "item", "annotator", "labels", "pass")
        columns = map(list, zip(*rows, strict=True))
        contents.add("labels", pa.table(dict(zip(names, columns, strict=True))))
        return contents.sketch()

    assert not sources_of_same_rows([sketch("a", shares[0]), sketch("b", shares[1])])
