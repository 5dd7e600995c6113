"""Every reader on damaged exports: records, or one DataError; no other exception and no hang.

The damage is seeded by the sample's name and a number, so that a failure names the file that makes
it: `damaged("table units.parquet", 17)`. All of it is marked `long`, a share runs by default.
"""

from __future__ import annotations

import gzip
import io
import resource
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.registry import BUILT_IN, detect_reader
from accordeur.data.schema import Record, Rejected, Unit
from tests.data.readers.both_ways import read_both_ways
from tests.data.readers.mutations import mutated
from tests.data.readers.uima import samples as uima

FORMATS = Path(__file__).resolve().parents[2] / "corpora" / "formats"
FEW, MANY = 4, 160
SECONDS = 30
MEGABYTES = 600
COREFERENCE = """#begin document (a/b); part 000
a/b 0 0 Anna NNP * - - - - * (0
a/b 0 1 Lee NNP * - - - - * 0)|(3)

a/b 0 0 She PRP * - - - - * (0)
#end document
#begin document (a/b); part 001
a/b 1 0 It PRP * - - - - * -
#end document
"""
EXPORTS = [
    *["argilla argilla.json", "argilla argilla_flat.json", "brat brat/anna/emoji.ann"],
    *["bregeon tables/bregeon.csv", "conll bioes.conll", "conll iob1.conll", "conll ud.conllu"],
    *["doccano doccano/anna.jsonl", "doccano doccano/ben.jsonl", "doccano doccano_old.jsonl"],
    *["elan unaligned.eaf", "gate gate.xml", "glozz glozz/anna/story.aa", "rttm speakers.rttm"],
    *["label_studio label_studio.json", "prodigy prodigy.jsonl", "pygamma_csv pygamma/seconds.csv"],
    *["table tables/long.csv", "table tables/wide.csv", "table tables/units.tsv"],
    *["textgrid short_utf16.TextGrid", "webanno_tsv webanno_tsv/meeting/anna.tsv"],
    *["chat chat.cha", "coco coco.json", "cvat cvat.xml"],
]
MADE = [
    *["conll coreference.conll", "inception_project project.zip", "table labels.jsonl"],
    *["table labels.xlsx", "table units.parquet", "uima_json anna.json", "uima_xmi anna.xmi"],
    *["uima_xmi anna.xmi.gz", "uima_xmi both.zip", "uima_xmi TypeSystem.xml"],
]
NAMED = {named.partition(" ")[0] for named in (*EXPORTS, *MADE)}
EXPORTS += [  # the others have a folder of their name
    f"{name} {file.relative_to(FORMATS).as_posix()}"
    for name in BUILT_IN
    if name not in NAMED
    for file in sorted((FORMATS / name).rglob("*"))
    if file.is_file()
]
SAMPLES = [*EXPORTS, *MADE]


@dataclass(frozen=True, slots=True)
class Sample:
    """A file to damage, beside files that stay whole; `read` is what is read."""

    format: str
    name: str
    content: bytes
    beside: tuple[tuple[str, bytes], ...] = ()
    read: str = ""


@cache
def sample(named: str) -> Sample:
    format, _, file = named.partition(" ")
    if named in EXPORTS:
        path = FORMATS / file
        beside = [path.with_suffix(end) for end in (".ac", ".txt")]
        there = tuple((one.name, one.read_bytes()) for one in beside if one.is_file())
        return Sample(format, path.name, path.read_bytes(), there, path.name)
    types = (("TypeSystem.xml", uima.typesystem_xml()),)
    rows = [
        {"item": f"i{k % 6}", "annotator": "ab"[k // 6], "label": "XY"[k % 2]} for k in range(12)
    ]
    units = {"document": ["d"] * 3, "annotator": ["a", "a", "b"], "start": [0, 4, 0]}
    units |= {"end": [3, 7, 3], "category": ["A", "B", "A"]}
    match file:
        case "coreference.conll":
            content, beside = COREFERENCE.encode(), ()
        case "project.zip":
            works = {f"annotation/d/{name}.zip": uima.work_zip(name) for name in ("anna", "ben")}
            states = {("d", "anna"): "FINISHED", ("d", "ben"): "FINISHED"}
            content, beside = uima.project(works, states, d="CURATION_FINISHED"), ()
        case "labels.jsonl":
            content, beside = pa_lines(rows), ()
        case "labels.xlsx":
            content, beside = excel(rows), ()
        case "units.parquet":
            sink = io.BytesIO()
            parquet.write_table(pa.table(units), sink)
            content, beside = sink.getvalue(), ()
        case "anna.json":
            content, beside = uima.as_json(), ()
        case "anna.xmi":
            content, beside = uima.xmi(), types
        case "anna.xmi.gz":
            content, beside = gzip.compress(uima.xmi(), mtime=0), types
        case "both.zip":
            content, beside = uima.work_zip("anna"), ()
        case _:
            return Sample(format, file, types[0][1], (("anna.xmi", uima.xmi()),), "anna.xmi")
    return Sample(format, file, content, beside, file)


def pa_lines(rows: list[dict[str, str]]) -> bytes:
    import json

    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def excel(rows: list[dict[str, str]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(list(rows[0]))
    for row in rows:
        book.active.append(list(row.values()))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def damaged(named: str, number: int) -> bytes:
    """The damaged file of this number."""
    return mutated(sample(named).content, f"{named} {number}")


@contextmanager
def bounded(what: str) -> Iterator[None]:
    """At most `SECONDS` of the processor's time and `MEGABYTES` more memory than before."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"{what}: more than {SECONDS} s of the processor")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    old = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert more < MEGABYTES, f"{what}: {more:.0f} MB more memory"


def survives(named: str, number: int, folder: Path) -> None:
    one = sample(named)
    for name, content in [*one.beside, (one.name, damaged(named, number))]:
        (folder / name).write_bytes(content)
    path, what = folder / one.read, f'damaged("{named}", {number})'
    records: list[Record] = []
    with bounded(what):
        with suppress(DataError):
            detect_reader(path)
        with suppress(DataError):
            records = read_both_ways(path, one.format, SourceOptions())
    for record in records:
        if isinstance(record, Rejected):
            assert record.rule, what
            assert record.message, what
        if isinstance(record, Unit):
            assert 0 <= record.start_offset < record.end_offset, what


def all_survive(named: str, numbers: range, folder: Path) -> None:
    failed = []
    for number in numbers:
        place = folder / f"{number}"
        place.mkdir()
        try:
            survives(named, number, place)
        except Exception as error:  # noqa: BLE001 - any of them is what is looked for
            failed.append(f'damaged("{named}", {number}): {type(error).__name__}: {error}'[:300])
        shutil.rmtree(place)
    assert not failed, "\n".join(failed)


def test_every_format_has_a_sample() -> None:
    assert {named.partition(" ")[0] for named in SAMPLES} == BUILT_IN.keys()
    assert len(SAMPLES) * (FEW + MANY) > 5_000


@pytest.mark.parametrize("named", SAMPLES)
def test_some_damaged_exports(named: str, tmp_path: Path) -> None:
    all_survive(named, range(FEW), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("named", SAMPLES)
def test_all_damaged_exports(named: str, tmp_path: Path) -> None:
    all_survive(named, range(FEW, FEW + MANY), tmp_path)
