"""A query reads the rows of its file, and neither reads, writes nor takes anything else."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordeur.data.errors import DataError
from accordeur.data.untrusted.query import Query

pytest.importorskip("duckdb")
TABLE = "id,rater,label\n01,a,yes\n01,b,no\n02,a,yes\n02,b,1.50\n"
RECORDS = {"i1": {"labels": {"a": "yes", "b": 1.5}}, "i2": {"labels": {"a": "no"}}}
MAP_QUERY = (
    "select key as item, one.key as annotator, one.value as label from "
    "(select key, unnest(map_entries((value -> 'labels')::MAP(VARCHAR, JSON))) as one from source)"
)


def rows(path: Path, text: str) -> list[dict[str, object]]:
    return [row for batch in Query(path, text).batches() for row in batch.to_pylist()]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table in an empty working directory, with a file beside it that is no business of it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    path = tmp_path / "x.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_cells_stay_as_they_are_written(table: Path) -> None:
    found = rows(table, "select id as item, rater as annotator, label from source;")
    assert [tuple(one.values()) for one in found] == [
        tuple(line.split(",")) for line in TABLE.splitlines()[1:]
    ]
    counts = rows(
        table, "select id, count(*) n, list(label order by rater) l from source group by 1"
    )
    assert counts == [
        {"id": "01", "n": "2", "l": ["yes", "no"]},
        {"id": "02", "n": "2", "l": ["yes", "1.50"]},
    ]


@pytest.mark.long
def test_json_parquet_and_packed_files_are_tables_too(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text(json.dumps(RECORDS), encoding="utf-8")
    assert [tuple(row.values()) for row in rows(path, MAP_QUERY)] == [
        ("i1", "a", "yes"),
        ("i1", "b", "1.5"),
        ("i2", "a", "no"),
    ]
    for name in ("x.jsonl", "x.json", "one.json"):
        records = [{"id": f"p{k}", "labels": ["x", "y"]} for k in range(1 + 2 * (name[0] == "x"))]
        lines = [json.dumps(one) for one in records]
        whole = json.dumps(records if name == "x.json" else records[0])
        text = "\n".join(lines) if name == "x.jsonl" else whole
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = rows(tmp_path / name, "select id, unnest(labels) as label from source")
        assert found[:2] == [{"id": "p0", "label": "x"}, {"id": "p0", "label": "y"}]
    pq.write_table(pa.table({"labels": [["x"], ["y", "z"]]}), tmp_path / "x.parquet")
    assert len(rows(tmp_path / "x.parquet", "select unnest(labels) as label from source")) == 3
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    assert len(rows(tmp_path / "x.csv.gz", "from source")) == 4


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("select 1; select 2", "exactly one SELECT"),
        ("copy source to 'stolen.csv'", "exactly one SELECT"),
        ("attach 'other.db'", "exactly one SELECT"),
        ("set enable_external_access = true", "exactly one SELECT"),
        ("install httpfs", "exactly one SELECT"),
        ("load httpfs", "exactly one SELECT"),
        ("call pragma_version()", "exactly one SELECT"),
        ("with x as (insert into source values ('1')) select 1", "exactly one SELECT"),
        ("", "exactly one SELECT"),
        ("select * from read_text('../secret.txt')", r"may not use read_text\(\)"),
        ("select * from glob('/*')", r"may not use glob\(\)"),
        ("select * from duckdb_settings()", r"may not use duckdb_settings\(\)"),
        ("select * from query('select random() as x')", r"may not use query\(\)"),
        ("select * from '../secret.txt'", "the only table is source"),
        ("select * from '.tmp/x.csv'", "the only table is source"),
        ("select * from information_schema.tables", "the only table is source"),
        ("select random() from source", "random, which gives other rows"),
        ("select id, now() from source", "now, which gives other rows"),
        ("select current_date from source", "current_date, which gives other rows"),
        ("select * from source tablesample 50%", "tablesample, which gives other rows"),
        ("select current_setting('temp_directory')", "current_setting, which gives"),
        ("select nothing from source", "the query fails: .*nothing"),
        ("select", "the query fails: "),
    ],
)
def test_anything_but_one_select_over_the_source_is_refused(
    table: Path, text: str, why: str
) -> None:
    with pytest.raises(DataError, match=why) as refused:
        rows(table, text)
    assert str(refused.value).startswith("x.csv: ")
    assert not [*Path().iterdir()]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("select repeat('x', 3000000000) as label from source", "QUERY_BYTES"),
        ("select list(a.range) from range(100000000) a, range(100) b", "QUERY_BYTES"),
        ("select sum(a.range * b.range) from range(1000000) a, range(1000000) b", "QUERY_SECONDS"),
        (
            "with recursive t(n) as (select 1 union all select n + 1 from t) select max(n) from t",
            "QUERY_SECONDS",
        ),
    ],
)
def test_memory_and_time_are_bounded(
    table: Path, monkeypatch: pytest.MonkeyPatch, text: str, limit: str
) -> None:
    if limit == "QUERY_SECONDS":
        monkeypatch.setenv("ACCORDEUR_MAX_QUERY_SECONDS", "2")
    with pytest.raises(DataError, match=f"the process of the query was stopped.*{limit}"):
        rows(table, text)
    assert not [*Path().iterdir()]


def test_what_is_no_table_is_one_sentence(tmp_path: Path) -> None:
    for name, content in (("x.json", "{"), ("x.xlsx", "PK"), ("x.parquet", "PAR1")):
        (tmp_path / name).write_text(content, encoding="utf-8")
        with pytest.raises(DataError, match=f"^{name}: ") as refused:
            rows(tmp_path / name, "select * from source")
        assert "\n" not in str(refused.value)
