"""Documents that are copies of one another are found, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.blocks import Block
from accordeur.data.copied_documents import CopiedDocument, CopiedDocuments
from accordeur.data.same_rows import SourceContents, copies_in_other_sources, sketch_from_json
from accordeur.data.schema import Assignment, Document, Role, State, Unit
from tests.flows.in_process import found, said, texts

TEXT = "The sea was calm, and nobody had seen the boat come in that night."
SPANS = ((0, 3, "A"), (4, 7, "B"), (12, 16, "A"), (22, 28, "B"))


def _brat(folder: Path, documents: dict[str, str], spans: tuple[tuple[int, int, str], ...]) -> Path:
    for who in ("anna", "ben"):
        (folder / who).mkdir(parents=True)
        for name, text in documents.items():
            rows = [f"T{k}\t{c} {a} {b}\t{text[a:b]}\n" for k, (a, b, c) in enumerate(spans, 1)]
            (folder / who / f"{name}.ann").write_text("".join(rows), encoding="utf-8")
            (folder / who / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_copies_are_reported_by_commands_and_check(tmp_path: Path) -> None:
    other = TEXT.replace("boat", "ship")
    folder = _brat(tmp_path / "x", {"d1": TEXT, "d2": other, "d3": TEXT + "\n"}, SPANS)
    [told] = [t for t in texts(found("gamma", folder, "--replicates", "0")) if "copies" in t]
    assert "(1): 'd3' = 'd1'" in told
    assert len(told) <= 400
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('[campaign]\nname = "x"\n[[sources]]\npath = "x"\n', encoding="utf-8")
    assert "'d3' = 'd1'" in said("check", campaign)[1]


def test_sources_of_one_annotator_each_hold_no_copies() -> None:
    sketches = []
    for who, name in (("anna", "d1"), ("ben", "e1"), ("anna", "d1"), ("anna", "e2")):
        columns = {"document": [name], "length": [60], "sha256": ["f00"]}
        contents = SourceContents()
        contents.add("documents", pa.table(columns))
        columns = {"document": [name], "annotator": [who], "item": ["1"], "labels": [["A"]]}
        contents.add("labels", pa.table(columns | {"pass": [1]}))
        sketches.append(sketch_from_json(json.loads(json.dumps(contents.sketch().as_json()))))
    assert copies_in_other_sources(sketches[:3]) == []
    assert copies_in_other_sources(sketches) == [CopiedDocument("e2", "d1")]


def test_excluding_the_copies_ends_the_warning(tmp_path: Path) -> None:
    folder = _brat(tmp_path / "x", {"d1": TEXT, "d2": TEXT[::-1], "d3": TEXT}, ())
    for who, span in (("anna", "0 3"), ("ben", "0 4")):
        for name in ("d1", "d2", "d3"):
            text = TEXT if name != "d2" else TEXT[::-1]
            a, b = map(int, span.split())
            row = f"T1\tA {span}\t{text[a:b]}\n"
            (folder / who / f"{name}.ann").write_text(row, encoding="utf-8")
    command = ("gamma", folder, "--replicates", "0")
    assert any("copies" in text for text in texts(found(*command)))
    without = found(*command, "--option", "exclude_documents=d3")
    assert not any("copies" in text for text in texts(without))


@pytest.mark.parametrize(
    ("rows", "copies"),
    [
        ([("d1", *s) for s in SPANS] + [("d2", *s) for s in SPANS], 1),
        ([("d1", *s) for s in SPANS] + [("d2", *s) for s in reversed(SPANS)], 1),
        ([("d1", *s) for s in SPANS[:1]] + [("d2", *s) for s in SPANS[:1]], 0),  # weak evidence
        ([("d1", *s) for s in SPANS] + [("d2", *s) for s in SPANS[:3]], 0),
        ([("d1", *s) for s in SPANS] + [("d2", a, b, "C") for a, b, _ in SPANS], 0),
    ],
)
def test_documents_without_text_are_compared_by_their_units(rows, copies) -> None:
    compared = CopiedDocuments()
    for k, (d, a, b, c) in enumerate(rows):
        compared.add(Unit(d, "anna", str(k), a, b, c))
    assert compared.copies() == [CopiedDocument("d2", "d1")] * copies


def test_neither_labels_nor_short_texts_are_evidence(tmp_path: Path) -> None:
    table = "document,item,annotator,label\n" + "".join(
        f"d{d},{i},{who},A\n" for d in range(3) for i in range(9) for who in ("anna", "ben")
    )
    (tmp_path / "labels.csv").write_text(table, encoding="utf-8")
    assert not any("copies" in text for text in texts(found("agree", tmp_path / "labels.csv")))
    folder = _brat(tmp_path / "x", {"d1": "Yes.", "d2": "Yes."}, ((0, 3, "A"),))
    told = texts(found("gamma", folder, "--replicates", "0"))
    assert not any("copies" in text for text in told)


def test_one_text_under_a_name_for_each_annotator_is_no_copy() -> None:
    """Another fault, of which other warnings tell: no annotator's work would count twice."""
    rows = []
    for who in ("anna", "ben"):
        name = f"d1_{who}"
        rows += [
            Document(name, len(TEXT), "char", "", "x", "", TEXT),
            Assignment(name, who, Role.HUMAN, 1, State.FINISHED, "x"),
        ]
    compared = CopiedDocuments()
    for row in rows:
        compared.add(row)
    assert compared.copies() == []


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.sampled_from("AB")), max_size=60),
    st.integers(1, 7),
    st.integers(1, 5),
)
def test_copies_equal_those_of_brute_force(rows, size, waiting) -> None:
    """In any order, by rows or blocks, and however often the runs are joined."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accordeur.data.copied_documents._MOST_WAITING", waiting)
        compared = CopiedDocuments()
        for k in range(0, len(rows), size):
            documents, starts, categories = zip(*rows[k : k + size], strict=True)
            columns = {
                "document": [f"d{d}" for d in documents],
                "start_offset": [*starts],
                "end_offset": [s + 1 for s in starts],
                "category": [*categories],
                "annotator": "anna",
                "unit": [*map(str, range(k, k + len(documents)))],
            }
            compared.add(Block("units", n_rows=len(documents), columns=columns))
        copies = {one.document for one in compared.copies()}
    contents: dict[str, list[tuple[int, str]]] = {}
    for d, start, category in rows:
        contents.setdefault(f"d{d}", []).append((start, category))
    names = list(contents)
    expected = {
        name
        for k, name in enumerate(names)
        if len(contents[name]) >= 4
        and any(sorted(contents[name]) == sorted(contents[other]) for other in names[:k])
    }
    assert copies == expected
