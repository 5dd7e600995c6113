"""Run one SELECT over a file in DuckDB, in a child process that can do nothing else.

DuckDB itself cannot be trusted with a foreign query: with external access off it may still fill
memory, run for ever, and give other rows the next time. So the process is bounded, the query is
parsed first, and it is run twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from ..errors import DataError, import_optional
from .archives import open_gzip
from .bounded_process import Bounds, StoppedError, bounded_process
from .budget import budget
from .files import require_regular

SOURCE = "source"
_ROWS = 8192
_MOST_COPIES = 8  # of the file in memory, as text and as values
_RATIO, _LEAST = 20, 1 << 16  # of unpacked JSON to its file; bytes of the largest object
_DELIMITED = (".csv", ".tsv", ".tab", ".txt")
_JSON = (".json", ".jsonl", ".ndjson")
_LINES = (".pubtator", ".log", ".text")
_SUFFIXES = (*_DELIMITED, *_JSON, ".parquet", *_LINES)

_SETTINGS = {
    "threads": 1,  # so that rows keep their order
    "temp_directory": "",  # else `.tmp` in the working directory may be written
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",  # no variables of this process as tables
}
_LOCK = ("set enable_external_access=false", "set lock_configuration=true")
_TABLE_FUNCTIONS = {"unnest", "range", "generate_series", "json_each", "json_tree"}
# Values of SQL that are parsed as columns
_MOMENTS = {
    *("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"),
    *("current_user", "session_user", "user", "current_role"),
}
_CHANGES = {f"{what}_QUERY_NODE" for what in ("INSERT", "UPDATE", "DELETE", "MERGE")}
_UNSTABLE = "select lower(function_name) from duckdb_functions() where stability <> 'CONSISTENT'"
_ALL_LINES = (
    "read_csv(?, delim=chr(1), quote='', escape='', header=false, auto_detect=false, "
    "columns={'line': 'VARCHAR'})"
)
_KEY_AND_VALUE = (
    "select e.key as key, e.value as value from "
    "(select unnest(map_entries(content::JSON::MAP(VARCHAR, JSON))) as e from {content})"
)
_IS_MAP = (
    "select len(v) > 0 and list_bool_and(list_transform(v, lambda x: json_type(x) = 'OBJECT')) "
    "from (select json_extract(content, '$.*') as v from {content} "
    "where json_type(content) = 'OBJECT')"
)


@dataclass(frozen=True, slots=True)
class Query:
    """One SELECT over the file as the table `source`, and how the file is read.

    delimiter, encoding  as the options of tables
    rows  of a table that is no file of its own: texts; None: the file is read
    parts  the files of a table in several; (): the path
    """

    path: Path
    text: str
    delimiter: str | None = None
    encoding: str = "utf-8"
    rows: pa.Table | None = None
    parts: tuple[Path, ...] = ()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows that the query selects, texts and lists of texts.

        Raises DataError for a query that is not exactly one SELECT over `source`, that fails or
        gives other rows when it is run again, and for a file that cannot be read.
        """
        if find_spec("duckdb") is None:  # only the child imports it
            import_optional("duckdb", "query", "queries are run")
        limits = budget()
        if self.rows is None:
            n_bytes = 0
            for one in self.parts or (self.path,):
                require_regular(one)
                n_bytes += one.stat().st_size
        else:
            n_bytes = self.rows.nbytes
        bounds = Bounds(
            limits.query_bytes + _MOST_COPIES * n_bytes,
            cpu_seconds=limits.query_seconds,
            seconds=limits.query_seconds,
        )
        try:
            with bounded_process(_write_selected, self, bounds) as stream:
                yield from pa.ipc.open_stream(stream)
        except StoppedError as error:
            limit = "query_seconds" if error.why == "time" else "query_bytes"
            why = "too little memory" if error.why == "memory" else error.why
            what = f"the process of the query was stopped ({why})"
            raise limits.breach(limit, self.path.name, what) from None
        except pa.ArrowException as error:
            raise DataError(f"{self.path.name}: the query broke off ({error})") from error


def _write_selected(query: Query, out: IO[bytes]) -> None:
    """Write the rows as a stream of Arrow (in the child process)."""
    duckdb = import_optional("duckdb", "query", "queries are run")
    name = query.path.name
    try:
        connection = duckdb.connect(config=_SETTINGS)
        moments = _require_one_select(duckdb, connection, query)
        try:
            _load(connection, query)
            columns = {one.lower() for one in connection.table(SOURCE).columns}
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise DataError(f"{name}: cannot be read as a table: {_line(error)}") from None
        for used in moments:
            if used.lower() not in columns:
                raise _unstable(name, used)
        for statement in _LOCK:
            connection.execute(statement)
        first = hashlib.sha256()
        for batch in _selected(connection, query.text):
            first.update(_bytes(batch))
        again = hashlib.sha256()
        writer: pa.ipc.RecordBatchStreamWriter | None = None
        for batch in _selected(connection, query.text):
            again.update(_bytes(batch))
            writer = writer or pa.ipc.new_stream(out, batch.schema)
            writer.write_batch(batch)
        if first.digest() != again.digest():
            raise DataError(f"{name}: the query gives other rows when it is run again")
        if writer is not None:
            writer.close()
    except duckdb.OutOfMemoryException:
        raise MemoryError from None
    except duckdb.Error as error:
        raise DataError(f"{name}: the query fails: {_line(error)}") from None


def _selected(connection: Any, text: str) -> Iterator[pa.RecordBatch]:
    """Yield the rows with each column as text or a list of texts, and one batch without rows."""
    found = connection.sql(text)
    columns = [
        f"{_as_text(_quoted(name), str(kind))} as {_quoted(name)}"
        for name, kind in zip(found.columns, found.types, strict=True)
    ]
    reader = found.project(", ".join(columns)).to_arrow_reader(_ROWS)
    yield pa.RecordBatch.from_pylist([], schema=reader.schema)
    yield from reader


def _as_text(column: str, kind: str) -> str:
    """Return the expression that writes a column as text; a text in JSON loses its quotes."""
    if kind == "JSON":
        return f"{column} ->> '$'"
    if kind.endswith("JSON[]"):
        return f"list_transform({column}, lambda x: x ->> '$')"
    return f"{column}::VARCHAR[]" if kind.endswith("[]") else f"{column}::VARCHAR"


def _bytes(batch: pa.RecordBatch) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def _require_one_select(duckdb: Any, connection: Any, query: Query) -> list[str]:
    """Raise DataError unless the text is one SELECT over `source` with functions of its values.

    Returns what it uses that changes from time to time, unless columns are called so (`user`).
    """
    name = query.path.name
    statements = duckdb.extract_statements(query.text)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise DataError(f"{name}: the query must be exactly one SELECT over the table {SOURCE}")
    [serialised] = connection.execute("select json_serialize_sql(?)", [query.text]).fetchone()
    tree = json.loads(serialised)
    kinds = {str(node.get("type")) for node in _nodes(tree)}
    if tree.get("error") or not kinds.isdisjoint(_CHANGES):  # a WITH may insert
        raise DataError(f"{name}: the query must be exactly one SELECT over the table {SOURCE}")
    unstable = {function for (function,) in connection.execute(_UNSTABLE).fetchall()}
    nodes = [*_nodes(tree)]
    known = {SOURCE, *(key for node in nodes for key in _common_tables(node))}
    for node in nodes:
        function = str(node.get("function_name", "")).lower()
        if function in unstable or node.get("sample"):
            raise _unstable(name, function or "tablesample")
        if node.get("type") == "TABLE_FUNCTION":
            function = str(node.get("function", {}).get("function_name", "")).lower()
            if function not in _TABLE_FUNCTIONS:
                raise DataError(f"{name}: the query may not use {function}()")
        if node.get("type") == "BASE_TABLE":
            table = str(node.get("table_name", ""))
            if node.get("schema_name") or table.lower() not in known:
                raise DataError(
                    f"{name}: the query reads {table!r}, and the only table is {SOURCE}"
                )
    used = (str(one) for node in nodes for one in node.get("column_names", ()))
    return [one for one in used if one.lower() in _MOMENTS]


def _unstable(source: str, used: str) -> DataError:
    return DataError(f"{source}: the query uses {used}, which gives other rows at other times")


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    rest = [tree]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            yield node
            rest += node.values()
        elif isinstance(node, list):
            rest += node


def _common_tables(node: dict[str, Any]) -> Iterator[str]:
    """Yield the names of tables that a WITH of this node defines."""
    defined = node.get("cte_map")
    for entry in defined.get("map", ()) if isinstance(defined, dict) else ():
        yield str(entry.get("key", "")).lower()


def _load(connection: Any, query: Query) -> None:
    """Make the table `source` of the file."""
    path = str(query.path)
    kind = Path(path.removesuffix(".gz")).suffix.lower()
    make = f"create table {SOURCE} as "
    if query.rows is not None:
        connection.register("rows", query.rows)
        connection.execute(f"{make} from rows")
        connection.unregister("rows")
    elif kind in _DELIMITED:
        given = ", delim=?" if query.delimiter else ""
        arguments = [path, query.encoding, *filter(None, [query.delimiter])]
        options = f"all_varchar=true, encoding=?, header=true{given}"
        connection.execute(f"{make} from read_csv(?, {options})", arguments)
    elif kind in _JSON:
        is_packed = path.endswith(".gz")
        content = "(select ? as content)" if is_packed else "read_text(?)"
        text = _unpacked_text(query.path) if is_packed and kind == ".json" else path
        if kind == ".json" and _is_map(connection, content, text):
            connection.execute(make + _KEY_AND_VALUE.format(content=content), [text])
        else:
            largest = query.path.stat().st_size * (_RATIO if is_packed else 1) + _LEAST
            rows = f"read_json(?, maximum_object_size={largest}, sample_size=-1)"
            connection.execute(f"{make} from {rows}", [path])
    elif kind == ".parquet":
        connection.execute(f"{make} from read_parquet(?)", [[*map(str, query.parts or (path,))]])
    elif kind in _LINES:
        connection.execute(f"{make} from {_ALL_LINES}", [path])
    else:
        raise DataError(f"{query.path.name}: a query reads one of {', '.join(_SUFFIXES)}")


def _unpacked_text(path: Path) -> str:
    with open_gzip(path) as file:
        return str(file.read(), "utf-8", "replace")


def _is_map(connection: Any, content: str, text: str) -> bool:
    """Return whether a file is one JSON object of objects."""
    with suppress(import_optional("duckdb", "query", "").Error):  # several values, as in JSON lines
        found = connection.execute(_IS_MAP.format(content=content), [text]).fetchone()
        return bool(found and found[0])
    return False


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
