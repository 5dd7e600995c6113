"""Projects of QualCoder (a folder with `data.qda`) and of RQDA (`.rqda`): SQLite databases.

| | QualCoder | RQDA |
|---|---|---|
| passages | `code_text` | `coding`, without rows that RQDA marks as deleted |
| texts | `source.fulltext` | `source.file` |
| codes, and those above | `code_name`, `code_cat` | `freecode` (its groups are no hierarchy) |

Conventions: the document is the name of the text, the annotator the owner of the coding, and the
category the code's name. Offsets are code points, and the text of each passage is checked.
Codings of pictures, sound and film are excluded, with their number (`other_kind`). A coder who
coded nothing in a document took no part in it. The database is opened for reading only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ....errors import DataError
from ....schema import Record
from ....untrusted.sqlite import Database, is_sqlite, open_database
from ...base import SourceOptions
from ...common.naming import source_name
from ...options import FormatOptions
from .codings import CodedTexts, Coding, category_names

_FILE = "data.qda"  # of the folder of QualCoder


@dataclass(frozen=True, slots=True)
class _Program:
    """What a program stores, as queries.

    table     by which it is recognised
    texts     key, name and text of each document
    passages  name of the coding, key of the document, coder, key of the code, start, end, text
    codes     key and name of each code, and key of the category that it is in
    above     the same of these categories
    others    the number of codings of pictures, sound and film, by the table that has them
    """

    table: str
    texts: str
    passages: str
    codes: str
    above: str = ""
    others: Mapping[str, str] = field(default_factory=dict)


_PROGRAMS = (
    _Program(
        "code_text",
        "SELECT id, name, fulltext FROM source",
        "SELECT ctid, fid, owner, cid, pos0, pos1, seltext FROM code_text",
        "SELECT cid, name, catid FROM code_name",
        "SELECT catid, name, supercatid FROM code_cat",
        {
            "code_av": "SELECT count(*) FROM code_av",
            "code_image": "SELECT count(*) FROM code_image",
        },
    ),
    _Program(
        "coding",
        "SELECT id, name, file FROM source WHERE status = 1",
        "SELECT rowid, fid, owner, cid, selfirst, selend, seltext FROM coding WHERE status = 1",
        "SELECT id, name, '' FROM freecode WHERE status = 1",
        others={"imageCoding": "SELECT count(*) FROM imageCoding WHERE status = 1"},
    ),
)


class QdaDatabaseReader:
    NAME = "qda_database"
    DESCRIPTION = "QualCoder project (data.qda) or RQDA project (.rqda): coded texts"
    PATTERNS: tuple[str, ...] = ("*.qda", "*.rqda")
    OPTIONS = FormatOptions

    def probe(self, path: Path) -> bool:
        path = path / _FILE if path.is_dir() else path
        return path.is_file() and path.suffix in (".qda", ".rqda") and is_sqlite(path)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        path = path / _FILE if path.is_dir() else path
        source = source_name(path, options)
        with open_database(path, source) as database:
            yield from _project(database, source).records(source, options)


READER = QdaDatabaseReader()


def _project(database: Database, source: str) -> CodedTexts:
    program = next((one for one in _PROGRAMS if one.table in database.tables), None)
    if program is None:
        raise DataError(f"{source}: lacks the tables of QualCoder and of RQDA, and is neither")
    texts = {key: (name, text or None) for key, name, text in database.rows(program.texts)}
    n_other = sum(
        int(n)
        for table, query in program.others.items()
        if table in database.tables
        for (n,) in database.rows(query)
    )
    return CodedTexts(
        dict(texts.values()),
        category_names(_codes(database, program)),
        _codings(database, program, {key: name for key, (name, _) in texts.items()}),
        n_other,
    )


def _codings(database: Database, program: _Program, names: Mapping[str, str]) -> Iterator[Coding]:
    for name, key, coder, code, start, end, surface in database.rows(program.passages):
        bounds = start.removesuffix(".0"), end.removesuffix(".0")  # RQDA has real numbers
        yield Coding(name, names.get(key, ""), coder, code, *bounds, surface or None)


def _codes(database: Database, program: _Program) -> dict[str, list[str]]:
    """Return the name of each code, after the names of the categories that contain it."""
    found = database.rows(program.above) if program.above else ()
    above = {key: (name, parent) for key, name, parent in found}
    codes = {}
    for key, name, parent in database.rows(program.codes):
        path = [name]
        while parent in above and len(path) <= len(above):
            path.insert(0, above[parent][0])
            parent = above[parent][1]
        codes[key] = path
    return codes
