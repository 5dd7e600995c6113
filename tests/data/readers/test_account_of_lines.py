"""The account of an export counts each line or record of its files once, in every format.

The counters know nothing of the readers: they count lines, elements or entries of the files.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.registry import readers
from accordeur.data.readers.sources import read_rows
from accordeur.data.validation.preparation import accepted_rows
from tests.data.readers.uima import samples as uima

FORMATS = Path(__file__).resolve().parents[2] / "corpora" / "formats"
Counter = Callable[[Path], int]


def lines_of(path: Path, encoding: str = "utf-8-sig") -> list[str]:
    return [line for line in path.read_text(encoding).splitlines() if line.strip()]


def brat(folder: Path) -> int:
    """Lines; that of an event has as many rows as roles."""
    lines = [line for file in folder.rglob("*.ann") for line in lines_of(file)]
    return sum(len(line.split()) - 2 if line.startswith("E") else 1 for line in lines)


def judgments(path: Path) -> int:
    """Cells of a wide table below its header, without the items' names."""
    rows = list(csv.reader(lines_of(path)))
    return sum(1 for row in rows[1:] for cell in row[1:] if cell)


def codes(path: Path) -> int:
    """Cells below the line with the numbers of items, annotators and categories."""
    return sum(cell != "." for line in lines_of(path)[1:] for cell in line.split(";"))


def chunks(path: Path) -> int:
    """Chunk tags that begin a chunk: B, S, or another type than the tag before."""
    n, before = 0, "O"
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        tag = "O" if not line.strip() or line.startswith("-DOCSTART-") else line.split()[-1]
        if tag != "O" and (tag[0] in "BS" or tag[1:] != before[1:]):
            n += 1
        before = tag
    return n


def doccano(folder: Path) -> int:
    """Spans and relations of each line; its categories are one row, and an empty line is one."""
    n = 0
    for file in folder.rglob("*.jsonl"):
        for line in map(json.loads, lines_of(file)):
            given = line.get("label", [])
            spans = [*line.get("entities", []), *line.get("relations", [])]
            spans += [one for one in given if isinstance(one, list)]
            categories = [*line.get("cats", []), *(one for one in given if isinstance(one, str))]
            n += len(spans) + bool(categories) or 1
    return n


def elements(pattern: str) -> Counter:
    return lambda path: len(re.findall(pattern, path.read_text(encoding="utf-8")))


def gate(path: Path) -> int:
    """Annotations outside of the original markup of the document."""
    text = path.read_text(encoding="utf-8")
    own = text.partition('<AnnotationSet Name="Original markups">')[2].partition("</AnnotationSet>")
    return text.count("<Annotation Id=") - own[0].count("<Annotation Id=")


def textgrid(path: Path) -> int:
    """Texts that are not blank, without the classes and names of tiers."""
    texts = [line.strip('"') for line in lines_of(path, "utf-16") if line.startswith('"')]
    given = [text for text in texts if text.strip() and not text.endswith("Tier")]
    return len(given) - sum(text.endswith("Tier") for text in texts)


def rttm(path: Path) -> int:
    """Lines, except comments and what describes a speaker or a word."""
    return sum(not line.startswith((";;", "SPKR-INFO", "LEXEME")) for line in lines_of(path))


def argilla(path: Path) -> int:
    """Responses and suggestions of each record."""
    records = json.loads(path.read_text(encoding="utf-8"))
    return sum(
        len(record["topic.responses"]) + ("topic.suggestion" in record) for record in records
    )


def regions(path: Path) -> int:
    """Results of each annotation of Label Studio."""
    tasks = json.loads(path.read_text(encoding="utf-8"))
    return sum(len(one["result"]) for task in tasks for one in task["annotations"])


def coco(path: Path) -> int:
    """Pictures, whose boxes are one object, and boxes without an area or a listed picture."""
    found = json.loads(path.read_text(encoding="utf-8"))
    pictures = {one["id"] for one in found["images"]}
    boxes = found["annotations"]
    return len(pictures) + sum(one["image_id"] not in pictures or 0 in one["bbox"] for one in boxes)


def cvat(path: Path) -> int:
    """Boxes and tags of each picture, and shapes that are no upright box."""
    text = path.read_text(encoding="utf-8")
    return 2 * text.count("<image ") + len(re.findall(r"<polygon |<box [^>]*rotation=", text))


def prodigy(path: Path) -> int:
    rows = map(json.loads, lines_of(path))
    return sum(len(row["spans"]) + len(row.get("relations", ())) for row in rows)


def rows_of_qualcoder(path: Path) -> int:
    """Codings of texts and of pictures."""
    with closing(sqlite3.connect(path)) as database:
        counts = "SELECT (SELECT count(*) FROM code_text) + (SELECT count(*) FROM code_image)"
        [(n,)] = database.execute(counts)
    return int(n)


def codings_of_refi(path: Path) -> int:
    with zipfile.ZipFile(path) as archive:
        return archive.read("project.qde").count(b"<Coding ")


def webanno(path: Path) -> int:
    """Values of the last column."""
    cells = [line.split("\t") for line in lines_of(path) if not line.startswith("#")]
    return sum(len(row) > 3 and row[3] != "_" for row in cells)


CORPUS = {
    "argilla": ("argilla_flat.json", argilla),
    "brat": ("brat", brat),
    "bregeon": ("tables/bregeon.csv", codes),
    "chat": ("chat.cha", elements(r"(?m)^[*%]")),
    "coco": ("coco.json", coco),
    "cvat": ("cvat.xml", cvat),
    "doccano": ("doccano", doccano),
    "elan": ("unaligned.eaf", elements(r"<(?:ALIGNABLE|REF)_ANNOTATION\b")),
    "gate": ("gate.xml", gate),
    "glozz": ("glozz/GOLD", lambda folder: (folder / "story.aa").read_text().count("<unit ")),
    "qda_database": ("qda_database/moving.qda", rows_of_qualcoder),
    "refi_qda": ("refi_qda/moving.qdpx", codings_of_refi),
    "pygamma_csv": ("pygamma/seconds.csv", lambda path: len(lines_of(path))),
    "rttm": ("speakers.rttm", rttm),
    "textgrid": ("short_utf16.TextGrid", textgrid),
    "table": ("tables/long.csv", lambda path: len(lines_of(path)) - 1),
    "table wide": ("tables/wide.csv", judgments),
    "table units": ("tables/units.tsv", lambda path: len(lines_of(path)) - 1),
    "conll bioes": ("bioes.conll", chunks),
    "conll iob1": ("iob1.conll", chunks),
    "conll": ("ud.conllu", elements(r"(?m)^\d+\t")),
}


def n_of_account(path: Path, format: str, **options: str) -> int:
    reading = SourceOptions(annotator="anna", extra=options)
    return accepted_rows(read_rows(path, format, reading)).tally().n_read


@pytest.mark.parametrize("name", CORPUS)
def test_each_record_of_a_file_has_one_fate(name: str) -> None:
    place, counter = CORPUS[name]
    path = FORMATS / place
    options = {"columns": "UPOS"} if path.suffix == ".conllu" else {}
    assert n_of_account(path, name.split()[0], **options) == counter(path)


def span(start: int, end: int, text: str) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": ["A"]}
    return {"id": f"{start}", "type": "labels", "from_name": "l", "to_name": "t", "value": value}


TASKS = [
    {
        "id": 1,
        "data": {"text": "one two three"},
        "annotations": [
            {"completed_by": "anna", "result": [span(0, 3, "one"), span(4, 7, "?")]},
            {"completed_by": "ben", "result": [span(0, 3, "one")], "was_cancelled": True},
        ],
    }
]
ANSWERS = [
    {
        "text": "one two three",
        "_input_hash": 1,
        "_annotator_id": who,
        "answer": answer,
        "spans": [{"start": 0, "end": 3, "label": "A"}, {"start": 4, "end": 99, "label": "A"}],
    }
    for who, answer in (("anna", "accept"), ("ben", "ignore"))
]
TSV = (
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|value\n\n\n#Text=The sea is\n"
    "1-1\t0-3\tThe\tA\n1-2\t4-7\tsea\t_\n1-3\t8-10\tis\tB\n"
)


@pytest.mark.parametrize(
    ("format", "name", "text", "counter"),
    [
        ("label_studio", "a.json", json.dumps(TASKS), regions),
        ("prodigy", "a.jsonl", "".join(json.dumps(one) + "\n" for one in ANSWERS), prodigy),
        ("webanno_tsv", "anna.tsv", TSV, webanno),
    ],
)
def test_each_record_of_a_written_file_has_one_fate(
    tmp_path: Path, format: str, name: str, text: str, counter: Counter
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert n_of_account(path, format) == counter(path)


ANNOTATIONS = r"<(?:type1|pos|dependency|custom|type2):(?!CoreferenceChain)"


def annotations(xmi: str) -> int:
    """Annotations, coreference links to a next one, and tokens that are only ends of a relation."""
    ends = re.findall(r'(?:Governor|Dependent)="(\d+)"', xmi)
    tokens = [one for one in re.findall(r"<type0:Token [^>]*>", xmi) if " pos=" not in one]
    joined = sum(any(f'id="{end}"' in token for end in ends) for token in tokens)
    return len(re.findall(ANNOTATIONS, xmi)) + xmi.count(" next=") + joined


@pytest.mark.parametrize("name", ["anna.xmi", "anna.json"])
def test_each_annotation_of_a_cas_has_one_fate(tmp_path: Path, name: str) -> None:
    (tmp_path / "TypeSystem.xml").write_bytes(uima.typesystem_xml())
    content = uima.xmi()
    (tmp_path / name).write_bytes(content if name.endswith("xmi") else uima.as_json())
    format = f"uima_{name.partition('.')[2]}"
    assert n_of_account(tmp_path / name, format) == annotations(content.decode())


def test_a_project_has_the_records_of_its_works(tmp_path: Path) -> None:
    path = tmp_path / "project.zip"
    works = {f"annotation/a.txt/{who}.tsv": TSV.encode() for who in ("anna", "ben")}
    states = {("a.txt", "anna"): "FINISHED", ("a.txt", "ben"): "IN_PROGRESS"}
    path.write_bytes(uima.project(works, states))
    (tmp_path / "one.tsv").write_text(TSV, encoding="utf-8")
    assert n_of_account(path, "inception_project") == 2 * webanno(tmp_path / "one.tsv")


def test_every_reader_is_counted() -> None:
    written = {"label_studio", "prodigy", "webanno_tsv", "uima_xmi", "uima_json"}
    assert {name.split()[0] for name in CORPUS} | written | {"inception_project"} == {*readers()}
