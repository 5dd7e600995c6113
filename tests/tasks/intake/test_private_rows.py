"""A surname in any field of any format: a private campaign keeps it only as a measured name."""

from __future__ import annotations

import io
import json
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Assignment, Label, Unit
from accordeur.data.store.ownership import UNVALIDATED, claim
from accordeur.data.store.store import Store
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.campaign.task_settings import settings_of_tasks, sharding
from accordeur.tasks.intake import validate as validation
from accordeur.tasks.intake.ingest import discard_unvalidated_rows, ingest
from tests.data.readers.test_mutated_exports import SAMPLES, sample

SECRET = "Quellmalz"
FEW = 2  # fields of each sample by default
MANY = 40  # `release`
_WORD = re.compile(rb"[^\s\"<>,;=|{}\[\]()]+")
_NAMES = ("document", "batch", "layer", "item", "category", "labels")
REFUSED = "bregeon tables/bregeon.csv"  # a table of counts has no annotators
OPTIONS = {"conll ud.conllu": {"columns": "UPOS"}}


def test_a_row_that_another_rule_rejects_keeps_no_value(tmp_path: Path) -> None:
    rows = ["document,item,annotator,label", "d,q1,ana,x", f"d,q1,ana,{SECRET}", "d,q2,ben,y"]
    (tmp_path / "labels.csv").write_text("\n".join(rows), encoding="utf-8")
    units = ["document,annotator,start,end,category", f"d,ana,9,3,{SECRET}", "d,ben,0,3,x"]
    (tmp_path / "units.csv").write_text("\n".join(units), encoding="utf-8")
    store = stored(tmp_path, ["labels.csv", "units.csv"], "table", ("ana", "ben"), ())
    assert found_in(store) == []
    [shard] = {path.split("/")[1] for path in store.list("accepted")}
    rejected = store.read_table(f"accepted/{shard}/rejected.parquet").to_pylist()
    assert {one["rule"] for one in rejected} == {"label_occurs_once", "end_before_start"}
    assert [
        one for row in rejected for one in (row["value"], row["message"]) if SECRET in one
    ] == []


def test_a_store_is_searched_for_what_parquet_encodes(tmp_path: Path) -> None:
    rows = ["document,item,annotator,label", f"d,q1,ana,{SECRET}", "d,q2,ben,y"]
    (tmp_path / "labels.csv").write_text("\n".join(rows), encoding="utf-8")
    store = stored(tmp_path, ["labels.csv"], "table", ("ana", "ben"), ())
    assert found_in(store)
    assert SECRET in accepted_names(store)


@pytest.mark.long
@pytest.mark.parametrize("named", SAMPLES)
def test_some_fields_of_an_export(named: str, tmp_path: Path) -> None:
    n = n_fields(named)
    require_hidden(named, sorted({n * k // FEW for k in range(FEW)}), tmp_path)


@pytest.mark.long
@pytest.mark.release
@pytest.mark.parametrize("named", SAMPLES)
def test_fields_throughout_an_export(named: str, tmp_path: Path) -> None:
    """Every field of a small export; of a large one, evenly spaced ones (each takes .1 s)."""
    n = n_fields(named)
    n_read = require_hidden(named, sorted({n * k // MANY for k in range(MANY)}), tmp_path)
    assert n_read or named == REFUSED


def require_hidden(named: str, numbers: list[int], folder: Path) -> int:
    """Plant the secret in one field at a time, with the categories declared and not.

    Returns how often the export could still be read.
    """
    annotators, categories = names_in(named)
    leaks, n_read = [], 0
    for number in numbers:
        for tagset in ((), categories):
            place = folder / f"{number}-{len(tagset)}"
            place.mkdir()
            one = sample(named)
            for name, content in [*one.beside, (one.name, planted(one.content, number))]:
                (place / name).write_bytes(content)
            try:
                store = stored(
                    place, [one.read], one.format, annotators, tagset, OPTIONS.get(named)
                )
            except DataError as error:
                leaks += [f"{number}: {error}"] if SECRET.lower() in str(error).lower() else []
                store = Store(str(place / "store"))
            else:
                n_read += 1
            if SECRET not in accepted_names(store):
                leaks += [f"{number}: {path}" for path in found_in(store)]
            shutil.rmtree(place)
    assert leaks == [], named
    return n_read


def stored(
    folder: Path,
    exports: list[str],
    format: str,
    annotators: tuple[str, ...],
    tagset: tuple[str, ...],
    options: dict[str, str] | None = None,
) -> Store:
    """The store of a private campaign after its rows were validated."""
    sources = [
        {"path": f"{folder}/{name}", "format": format, "options": options or {}} for name in exports
    ]
    lines = [f"sources = {_toml(sources)}", "[campaign]", 'name = "Private"', "privacy = true"]
    lines += ["[store]", f"url = {json.dumps(str(folder / 'store'))}", "[annotators]"]
    lines += [
        f'{json.dumps(one, ensure_ascii=False)} = {{ pseudonym = "P{k}" }}'
        for k, one in enumerate(annotators)
    ]
    if tagset:
        layers = {name: {"categories": tagset} for name in ("labels", "units")}
        lines += ["[layers]", *(f"{name} = {_toml(one)}" for name, one in layers.items())]
    path = folder / "campaign.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    config = load_campaign(path)
    store = Store(config.store.url)
    claim(store, path)
    try:
        specs = settings_of_tasks.source_specs(config)
        read = [ingest(store.url, one) for one in specs]
        with without_great_expectations():
            validation.validate(
                store.url,
                [one.raw for one in read],
                sharding.equal_shards(1, 1),
                settings_of_tasks.validation_spec(config),
            )
    finally:
        discard_unvalidated_rows(store)
    return store


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@contextmanager
def without_great_expectations() -> Iterator[None]:
    """It only counts again what the rules decided, and takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validation, "_confirm_rules", lambda *_, **__: None)
        yield


@cache
def names_in(named: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The annotators and categories of the sample as it is."""
    import tempfile

    one, annotators, categories = sample(named), set(), set()
    with tempfile.TemporaryDirectory() as folder:
        for name, content in [*one.beside, (one.name, one.content)]:
            (Path(folder) / name).write_bytes(content)
        options = SourceOptions(extra=OPTIONS.get(named, {}))
        for row in read_source(Path(folder) / one.read, one.format, options):
            if isinstance(row, Assignment | Unit | Label):
                annotators.add(row.annotator)
            if isinstance(row, Unit):
                categories.add(row.category)
            if isinstance(row, Label):
                categories.update(row.labels)
    return tuple(sorted(annotators)), tuple(sorted(categories - {""}))


@cache
def n_fields(named: str) -> int:
    return len([*_fields(sample(named).content)])


def planted(content: bytes, number: int) -> bytes:
    """The export with the secret in place of its field of this number."""
    return [*_fields(content)][number](SECRET.encode())


def _fields(content: bytes) -> Iterator[object]:
    """A function of the new value for each field: words, members of archives, cells of Parquet."""
    if content[:4] == b"PAR1":
        rows = parquet.read_table(io.BytesIO(content))
        for j, name in enumerate(rows.column_names):
            yield lambda new, j=j, rows=rows: _parquet(
                rows.rename_columns(
                    [new.decode() if k == j else c for k, c in enumerate(rows.column_names)]
                )
            )
            if pa.types.is_string(rows[name].type):
                values = [SECRET, *rows[name].to_pylist()[1:]]
                yield lambda _, j=j, name=name, values=values, rows=rows: _parquet(
                    rows.set_column(j, name, pa.array(values))
                )
        return
    if content.startswith(b"SQLite format 3"):
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(content)
            for table, column, row in _cells_of(database):
                with closing(sqlite3.connect(":memory:")) as other:
                    other.deserialize(content)
                    other.execute(
                        f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (SECRET, row)
                    )
                    other.commit()
                    changed = other.serialize()
                yield lambda _, changed=changed: changed
        return
    if content[:2] == b"\x1f\x8b":
        import gzip

        for one in _fields(gzip.decompress(content)):
            yield lambda new, one=one: gzip.compress(one(new))
        return
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        for name, inside in members.items():
            if name.endswith((".rels", "styles.xml", "theme1.xml", "[Content_Types].xml")):
                continue
            for one in _fields(inside):
                yield lambda new, one=one, name=name: _zip({**members, name: one(new)})
        return
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
    plain = content.decode(encoding).encode() if encoding else content
    for match in _WORD.finditer(plain):
        start, end = match.span()
        yield lambda new, start=start, end=end: _encoded(
            plain[:start] + new + plain[end:], encoding
        )


def _cells_of(database: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """Table, column and row of each cell that is a text."""
    cells = []
    for (table,) in database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table'"
    ).fetchall():
        columns = [one[1] for one in database.execute(f'PRAGMA table_info("{table}")')]
        for row, *values in database.execute(f'SELECT rowid, * FROM "{table}"'):
            found = zip(columns, values, strict=True)
            cells += [(table, name, row) for name, value in found if isinstance(value, str)]
    return cells


def _encoded(plain: bytes, encoding: str) -> bytes:
    return plain.decode().encode(encoding) if encoding else plain


def _parquet(rows: pa.Table) -> bytes:
    sink = io.BytesIO()
    parquet.write_table(rows, sink)
    return sink.getvalue()


def _zip(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def found_in(store: Store) -> list[str]:
    """The files of the store in which the secret is, read out of Parquet."""
    assert store.list(UNVALIDATED) == []
    return [path for path in store.list("") if SECRET.lower() in _text(store, path).lower()]


def _text(store: Store, path: str) -> str:
    content = store.read_bytes(path)
    text = path + content.decode(errors="replace")
    if content[:4] == b"PAR1":
        rows = parquet.read_table(io.BytesIO(content)).to_pylist()
        text += json.dumps(rows, default=repr, ensure_ascii=False)
    return text


def accepted_names(store: Store) -> str:
    """The names of what is measured: documents, batches, layers, features, items, categories."""
    features = [
        found
        for path in store.list("ingested")
        if path.endswith("receipt.json")
        for found in re.findall(r'"features": \{[^}]*\}', store.read_bytes(path).decode("utf-8"))
    ]
    names = [
        str(rows[name].to_pylist())
        for path in store.list("accepted")
        if re.search(r"/(documents|assignments|labels|units|relations)\.parquet$", path)
        for rows in [store.read_table(path)]
        for name in _NAMES
        if name in rows.column_names
    ]
    return " ".join([*features, *names])
