"""What files are, and exports of annotation tools as tables, with the account of their rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..data.option_names import in_python
from ..data.readers.tables.column_names import OWN_NAMES
from ..metrics.errors import MetricsError
from ..tasks.inputs.seen_files import Look
from .column_texts import table_of_texts
from .frames import Column, Frame, Kind, column_names, make_frame
from .keyword_options import public

Table: TypeAlias = Literal["documents", "assignments", "units", "labels", "relations", "rejected"]
_ROOT = __name__.partition(".")[0]
_MEASURED: tuple[Table, ...] = ("units", "labels")
_ANNOTATED: tuple[Table, ...] = ("assignments", "units", "labels", "relations")


@dataclass(frozen=True)
class Export:
    """The accepted rows of an export as Arrow tables.

    Attributes
    ----------
    documents, assignments, units, labels, relations
        Accepted rows; the columns are on the page *Files of a run*.
    rejected
        Rows that break a rule, with source, location, rule, value and message.
    """

    documents: Any
    assignments: Any
    units: Any
    labels: Any
    relations: Any
    rejected: Any

    @property
    def rules(self) -> dict[str, int]:
        """Number of rows rejected by each rule."""
        return dict(Counter(self.rejected["rule"].to_pylist()))

    @property
    def annotators(self) -> list[str]:
        """Names of all annotators, systems and references included."""
        tables = (getattr(self, name)["annotator"] for name in _ANNOTATED)
        return sorted({name for column in tables for name in column.unique().to_pylist()})

    def __len__(self) -> int:
        """Return the number of accepted units, labels and relations."""
        return int(sum(getattr(self, name).num_rows for name in (*_MEASURED, "relations")))

    def __bool__(self) -> bool:
        return True

    if not TYPE_CHECKING:  # a type checker would take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            known = [one for one in (*self.__dataclass_fields__, *vars(Export)) if one[0] != "_"]
            there_are = f": there are {', '.join(dict.fromkeys(known))}" if name[0] != "_" else ""
            raise AttributeError(f"Export has no {name!r}{there_are}")

    def to_frame(self, table: Table | None = None, kind: Kind = "pandas") -> Any:
        """Return a table as a frame of another library; by default the units or the labels.

        Raises MetricsError without a name if both have rows, or neither.
        """
        if table is None:
            filled = [name for name in _MEASURED if getattr(self, name).num_rows]
            if len(filled) != 1:
                what = " and ".join(filled) or "no units and no labels"
                raise MetricsError(f"the export has {what}: name a table, such as 'documents'")
            [table] = filled
        return make_frame(getattr(self, table).to_pydict(), kind)

    def __repr__(self) -> str:
        names = ("documents", "assignments", "units", "labels", "relations", "rejected")
        rows = {name: getattr(self, name).num_rows for name in names}
        counts = [f"{n} {name.removesuffix('s') if n == 1 else name}" for name, n in rows.items()]
        return f"Export({', '.join(counts)})"


Data: TypeAlias = Frame | Export | Path


"""A frame, an export that was read, or the path of one."""


def are_units(data: Data, start: Column = "start", category: Column | None = "category") -> bool:
    """Whether the rows are units: a column for their start is named, or is there.

    False for a path; for an export, whether it has units and no labels. Raises MetricsError for
    labels if a column for the category of units is named.
    """
    if isinstance(data, Path | str):
        return False
    if isinstance(data, Export):
        found = bool(data.units.num_rows) and (start != "start" or not data.labels.num_rows)
    else:
        found = start != "start" or bool({start, OWN_NAMES["start"]} & {*column_names(data)})
    if not found and category not in ("category", None):
        raise MetricsError(
            f"category={category!r} is a column of units, and the data have no column 'start': "
            "labels are in the column `label`"
        )
    return found


@public(is_file=True)
def read(
    path: str | Path | Frame,
    *,
    format: str = "auto",
    options: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    query: str = "",
) -> Export:
    """Read an export of any format, and apply the rules of validation as a campaign does.

    Parameters
    ----------
    path
        File, folder or glob; with a query also a frame.
    format, options
        As listed by ``accordeur formats``; by default, the format is detected.
    roles
        Annotator to role: ``human``, ``system``, ``reference`` or ``audit``.
    query
        One SELECT over the file or frame as the table ``source``, whose rows are read instead;
        needs the extra ``query``. Its columns are those of a table of labels or units.

    Raises
    ------
    DataError
        The file does not exist, or cannot be read; the query is not one SELECT, or fails.
    """
    from ..data.readers.base import SourceOptions
    from ..data.readers.sources import read_rows
    from ..data.schema import Role
    from ..data.validation.preparation import accepted_rows
    from ..tasks.intake.accepted import with_roles

    is_path = isinstance(path, str | Path)
    if not is_path and not query:
        raise MetricsError(
            "read takes a path, or a frame with a query: give labels and units of a frame to the "
            "functions that measure them"
        )
    source = str(path) if isinstance(path, str | Path) else table_of_texts(path)
    given = {name: Role(role) for name, role in (roles or {}).items()}
    extra = {**({"query": query} if query else {}), **(options or {})}
    rows = read_rows(
        source, format if is_path else "table", SourceOptions(extra=extra, roles=given)
    )
    accepted = accepted_rows(rows)
    found = {**accepted.tables, "rejected": accepted.rejected}
    for name in ("labels", "units", "relations"):
        found[name] = with_roles(found[name], accepted.roles())
    return Export(**{name: found[name] for name in Export.__dataclass_fields__})


@public()
def from_json(text: str) -> Any:
    """Read a result that `to_json()` wrote: values, scores, a consensus or any other.

    ``from_json(Path("result.json").read_text())`` reads a file.

    Raises
    ------
    MetricsError
        A text that no result wrote.
    """
    try:
        given = json.loads(text)
    except json.JSONDecodeError:
        given = None
    found = given if isinstance(given, dict) else {}
    name = str(found.get("result", "Value" if "measure" in found else ""))
    kind: Any = getattr(import_module(_ROOT), name, None) if name.isidentifier() else None
    if not hasattr(kind, "from_dict"):
        raise MetricsError("not the text of a result, as its to_json() writes it")
    return kind.from_dict(found)


@dataclass(frozen=True)
class Looked:
    """What files are.

    Attributes
    ----------
    options
        Of the format, for :func:`read`: ``read(path, format=found.format, options=found.options)``.
    format
        Name of the format.
    commands
        The command for each layer that can be measured, by name of the layer.
    """

    options: Mapping[str, str]
    format: str
    commands: Mapping[str, str]
    _found: Look = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``accordeur look --json`` prints."""
        return self._found.as_json()

    def to_toml(self) -> str:
        """Return the sources of a campaign file."""
        return self._found.toml()

    def __repr__(self) -> str:
        from ..tasks.inputs.look_text import lines_of_look

        return "\n".join(lines_of_look(self._found))


@in_python(is_file=True)
def look(paths: str | Path | Sequence[str | Path]) -> Looked:
    """Say what files are, what can be measured, what is doubtful, and the command that does it.

    Parameters
    ----------
    paths
        File or folder of any format, table of any shape, or a list of several.

    Returns
    -------
    Looked
        Its text are the sentences that ``accordeur look`` prints.

    Raises
    ------
    DataError
        Nothing can be read.
    """
    from ..tasks.inputs.look import look as look_at

    given = [paths] if isinstance(paths, str | Path) else paths
    if not isinstance(given, list | tuple):
        raise MetricsError(
            "look takes paths: agreement(data) and gamma(data) say what a frame lacks"
        )
    found = look_at([*map(Path, given)])
    commands = {layer.name: found.command(layer) for layer in found.measurable}
    return Looked(found.options, found.format, commands, found)
