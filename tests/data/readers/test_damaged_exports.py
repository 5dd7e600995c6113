"""Damaged exports: only DataError or records come out; no hang, no other exception."""

from __future__ import annotations

import functools
import json
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.readers.base import Reader, SourceOptions
from accordeur.data.readers.formats import (
    argilla,
    doccano,
    elan,
    gate,
    glozz,
    prodigy,
    rttm,
    textgrid,
)
from accordeur.data.readers.formats.conll import reader as conll
from accordeur.data.readers.formats.label_studio import reader as label_studio
from accordeur.data.schema import SCHEMAS, Record, Rejected, Unit, column_name
from tests.data.readers.both_ways import read_both_ways

FORMATS = Path(__file__).resolve().parents[2] / "corpora" / "formats"
SAMPLES: list[tuple[Reader, str]] = [
    (argilla.READER, "argilla.json"),
    (argilla.READER, "argilla_flat.json"),
    (conll.READER, "bioes.conll"),
    (conll.READER, "ud.conllu"),
    (doccano.READER, "doccano/anna.jsonl"),
    (doccano.READER, "doccano/ben.jsonl"),
    (elan.READER, "unaligned.eaf"),
    (gate.READER, "gate.xml"),
    (glozz.READER, "glozz/anna/story.aa"),
    (label_studio.READER, "label_studio.json"),
    (prodigy.READER, "prodigy.jsonl"),
    (rttm.READER, "speakers.rttm"),
    (textgrid.READER, "short_utf16.TextGrid"),
]
NAMES = [f"{reader.NAME}-{file}" for reader, file in SAMPLES]


def survive(reader: Reader, file: str, data: bytes) -> None:
    """Records or one DataError with a sentence; anything else fails the test."""
    sentence = "read"
    try:
        read_bytes(reader, file, data)
    except DataError as error:
        sentence = str(error)
    assert sentence


def read_bytes(reader: Reader, file: str, data: bytes) -> list[Record]:
    """The records of `data` under the sample's name, the same by blocks; each fits its table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(file).name
        path.write_bytes(data)
        if reader is glozz.READER:
            text = (FORMATS / file).with_suffix(".ac").read_bytes()
            path.with_suffix(".ac").write_bytes(text)
        reader.probe(path)
        records = read_both_ways(path, reader.NAME, SourceOptions())
    for record in records:
        row = {
            column_name(f): getattr(record, f) for f in record.__dataclass_fields__ if f != "TABLE"
        }
        if "attributes" in row:
            row["attributes"] = [{"name": n, "value": v} for n, v in row["attributes"]]
        pa.Table.from_pylist([row], schema=SCHEMAS[record.TABLE])
        if isinstance(record, Unit):
            assert 0 <= record.start_offset < record.end_offset
        if isinstance(record, Rejected):
            assert record.rule
            assert record.message
            assert not record.source.startswith("/")
    return records


@functools.cache
def sample(file: str) -> bytes:
    return (FORMATS / file).read_bytes()


@pytest.mark.parametrize(("reader", "file"), SAMPLES, ids=NAMES)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mutated_bytes(reader: Reader, file: str, data: st.DataObject) -> None:
    """A few bytes replaced, removed, doubled or put in: the fuzzer of every reader."""
    content = bytearray(sample(file))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(len(content) - 1, 0)))
        length = data.draw(st.integers(0, 12))
        put = data.draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from(
                    [b'"', b"<", b"\\ud83d", b"-1", b"1e400", b"null", b"[", b"\r", b""]
                ),
                st.just(bytes(content[at : at + 40])),
            )
        )
        content[at : at + length] = put
    survive(reader, file, bytes(content))


@pytest.mark.parametrize(("reader", "file"), SAMPLES, ids=NAMES)
def test_cut_anywhere(reader: Reader, file: str) -> None:
    """A file cut at any place says that it is cut, or has only what stood before."""
    whole = sample(file)
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        survive(reader, file, whole[:at])


@pytest.mark.parametrize(("reader", "file"), SAMPLES, ids=NAMES)
@pytest.mark.parametrize("encoding", ["utf-16", "cp424"])
def test_other_encodings(reader: Reader, file: str, encoding: str) -> None:
    """The same text in another encoding: read by its mark, or rejected in one sentence."""
    text = sample(file).decode("utf-16" if file.endswith("TextGrid") else "utf-8-sig")
    survive(reader, file, text.encode(encoding, "replace"))


XML = [(r, f) for r, f in SAMPLES if r in (elan.READER, gate.READER, glozz.READER)]


@pytest.mark.parametrize(("reader", "file"), XML, ids=[r.NAME for r, _ in XML])
def test_xml_bombs_and_external_entities(reader: Reader, file: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    body = sample(file).decode("utf-8").split("\n", 1)[1]
    laughs = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    for doctype in (
        f'<!DOCTYPE x [<!ENTITY l0 "lol">{laughs}]>',
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">',
    ):
        for entity in ("&l9;", "&e;"):
            data = f'<?xml version="1.0"?>\n{doctype}\n{body.replace("anna", entity)}'
            with pytest.raises(DataError) as raised:
                read_bytes(reader, file, data.encode())
            assert "SECRET" not in str(raised.value)


@pytest.mark.parametrize(
    ("reader", "line", "rule"),
    [
        (
            prodigy.READER,
            '{"_input_hash": 1, "text": "\\ud83d", "answer": "accept"}',
            "lone_surrogate",
        ),
        (prodigy.READER, "[" * 100_000, "bad_json"),
        (prodigy.READER, '{"_input_hash": ' + "9" * 5000 + "}", "bad_json"),
        (prodigy.READER, "3", "not_an_object"),
        (doccano.READER, '{"id": 1, "text": "a", "label": [[0, 1e30, "X"]]}', "not_an_offset"),
        (doccano.READER, '{"id": 1, "text": "a", "label": [[true, 1, "X"]]}', "not_an_offset"),
        (doccano.READER, '{"id": 1, "text": "a", "label": [7]}', "not_an_offset"),
    ],
)
def test_bad_lines_leave_the_others(reader, line, rule, tmp_path) -> None:
    good = {"text": "ab", "id": 2, "label": [[0, 1, "X"]], "_input_hash": 2, "answer": "accept"}
    good |= {"_annotator_id": "anna", "spans": [{"start": 0, "end": 1, "label": "X"}]}
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join([json.dumps(good), line, ""]))
    records = read_both_ways(path, reader.NAME, SourceOptions())
    assert [r.rule for r in records if isinstance(r, Rejected)] == [rule]
    assert [r.location for r in records if isinstance(r, Rejected)] == ["line 2"]
    assert len([r for r in records if isinstance(r, Unit)]) == 1


def test_one_huge_line_is_refused_and_skipped(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("accordeur.data.readers.common.files.json_stream.MAX_VALUE_CHARS", 10_000)
    path = tmp_path / "anna.jsonl"
    good = '{"id": %d, "text": "ab", "label": [[0, 1, "X"]]}\n'
    path.write_text(good % 1 + '{"id": 2, "text": "' + "x" * 1_000_000 + '"}\n' + good % 3)
    records = read_both_ways(path, "doccano", SourceOptions())
    assert [r.document for r in records if isinstance(r, Unit)] == ["1", "3"]
    assert [r.rule for r in records if isinstance(r, Rejected)] == ["line_too_long"]


def test_no_reader_takes_another_formats_file() -> None:
    """What `format = "auto"` rests on: each sample is accepted by its own reader only."""
    for own, file in SAMPLES:
        accepting = {reader.NAME for reader, _ in SAMPLES if reader.probe(FORMATS / file)}
        assert accepting == {own.NAME}, file


def test_options_are_checked() -> None:
    wrong = [
        (conll.READER, "iob1.conll", {"scheme": "iob9"}),
        (conll.READER, "iob1.conll", {"chunks": "soft"}),
        (doccano.READER, "doccano/anna.jsonl", {"offsets": "maybe"}),
        (elan.READER, "unaligned.eaf", {"unaligned": "guess"}),
        (glozz.READER, "glozz/anna/story.aa", {"annotator_from": "moon"}),
        (textgrid.READER, "short_utf16.TextGrid", {"annotator_from": "moon"}),
    ]
    for reader, file, extra in wrong:
        with pytest.raises(DataError, match=f"option {next(iter(extra))}"):
            list(reader.read(FORMATS / file, SourceOptions(extra=extra)))
