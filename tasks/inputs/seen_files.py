"""What files were found to be, and the command that measures them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from ...data.annotator_names import judges_and_humans, suggested_roles
from ...data.errors import DataError
from ...data.readers.registry import AUTO, detect_reader
from ...data.readers.tables.column_names import OF_ITEMS, is_item_name, is_of_judged_name
from ...data.readers.tables.description import TableDescription
from ...data.readers.tables.known_shapes import Shape
from ...data.readers.tables.layout import Layout
from ...data.readers.tables.other_shapes import annotator_like_columns
from ...data.readers.tables.parts import PartedTable, with_joined_parts
from ...data.schema import Role
from ...metrics.coded_warning import CodedWarning
from ..ranking.seen_preferences import SeenPreferences
from .columns_of_annotators import is_sentence
from .possible_readings import TABLE
from .results_of_exports import warnings_json

_FLAGS = ("item", "annotator", "label", "document", "start", "end", "category", "count")
_DOUBTS = ("doubtful_header", "turned_tables")  # another reading is preferred
_CONFLICTING, _MOST_AGAIN = "conflicting_labels", 0.05  # of the rows


@dataclass(frozen=True, slots=True)
class SeenLayer:
    """A layer of labels or of units.

    annotators  human annotator → rows
    others      further annotator → role
    n_shared    labels: items with two labels or more; units: documents of two annotators or more
    unlike      annotators of whose labels less than half are in a category that another one used
    attributes  names of attributes of units that have several values, the most frequent one first
    """

    name: str
    table: Literal["labels", "units"]
    annotators: Mapping[str, int]
    others: Mapping[str, str]
    categories: tuple[str, ...]
    n_shared: int
    unlike: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()

    @property
    def can_be_compared(self) -> bool:
        return len(self.annotators) > 1 and self.n_shared > 0


@dataclass(frozen=True, slots=True)
class Look:
    """What files are, and how they are read.

    options   of the format, with which they can be read
    tables    what each table was understood to be
    n_read, n_rejected, n_excluded  rows
    doubtful  columns read as annotators that may be something else
    shape     which a query reads in place of options
    ranked    preferences between systems; in place of labels, or beside them
    further   commands for other columns of a table that may be questions, too
    """

    paths: tuple[str, ...]
    format: str
    options: Mapping[str, str]
    tables: tuple[TableDescription, ...]
    layers: tuple[SeenLayer, ...]
    n_read: int
    n_rejected: int
    n_excluded: int
    doubts: tuple[CodedWarning, ...]
    doubtful: frozenset[str] = frozenset()
    shape: Shape | None = None
    ranked: SeenPreferences | None = None
    further: tuple[str, ...] = ()

    @property
    def is_guesswork(self) -> bool:
        """Whether the columns of a wide table hold several things, and no two are annotators'.

        Where some columns are no annotators', the others are if they are called so.
        """
        unlike = self.doubtful.union(*(layer.unlike for layer in self.layers))
        names = {*chain(*(layer.annotators for layer in self.layers))} - unlike
        unlike = unlike.union(filter(is_item_name, names), filter(is_of_judged_name, names))
        is_turned = any(one.layout == Layout.TRANSPOSED for one in self.tables)
        if is_turned and max((one.n_shared for one in self.layers), default=0) < 2:
            return True
        numbered = dict(enumerate(names))
        called_so = annotator_like_columns(numbered)
        sentences = [k for k, name in numbered.items() if is_sentence(name) and k not in called_so]
        if (is_turned or self.is_wide) and 2 * len(sentences) > len(names):
            return True
        return (is_turned or self.is_wide) and bool(unlike) and len(called_so) < 2

    @property
    def n_labels(self) -> int:
        return sum(sum(one.annotators.values()) for one in self.layers)

    @property
    def is_wide(self) -> bool:
        """Whether a table has a column for each annotator."""
        return any(one.layout == Layout.WIDE for one in self.tables)

    @property
    def is_certain(self) -> bool:
        """Whether something can be measured, and no other reading is likelier."""
        is_doubtful = any(one.code in _DOUBTS for one in self.doubts)
        again = sum(int(one.figures["n"]) for one in self.doubts if one.code == _CONFLICTING)
        is_doubtful = is_doubtful or again > _MOST_AGAIN * self.n_read  # perhaps sets
        is_doubtful |= 2 * self.n_rejected > self.n_read
        return bool(self.measurable) and not (self.is_guesswork or is_doubtful)

    @property
    def measurable(self) -> list[SeenLayer]:
        found = [layer for layer in self.layers if layer.can_be_compared]
        return sorted(found, key=lambda layer: (layer.table != "labels", -layer.n_shared))

    def command(self, layer: SeenLayer) -> str:
        """Return the command that measures a layer, as it is typed; with systems, `judge`."""
        is_labels = layer.table == "labels"
        judges, humans = judges_and_humans(layer.annotators)
        is_wide = is_labels and self.options.get("layout") == Layout.WIDE
        words = ["accordeur", "agree" if is_labels else "gamma", *self.paths]
        query = self.shape.key if self.shape else self.options.get("query", "")
        words += ["--query", query] if query else []
        first = Path(self.paths[0])
        is_table = first.suffix.lower() != ".txt" and detected_format(first) in (TABLE, AUTO)
        if self.options and self.format == TABLE and not is_table:  # but for what options say
            words += ["--from", TABLE]
        if is_labels and judges and humans:
            words[1] = "judge"
            words += chain(*(("--judge", name) for name in judges))
            words += chain(*(("--human", name) for name in humans if self.is_wide))
        elif is_wide:
            words.append("--wide")
        if (is_labels and self.is_wide and words[1] == "agree") or words[1] == "gamma":
            roles = suggested_roles(layer.annotators)
            gold = [name for name, role in roles.items() if role == Role.REFERENCE]
            if len(layer.annotators) > len(gold) + 1:
                words += chain(*(("--role", f"{name}=reference") for name in gold))
        for name, own in self.options.items():
            if words[1] == "judge" and name == "annotator" and self.is_wide:
                continue  # named above
            if name in _FLAGS and own and self.format == TABLE:
                words += [f"--{name}", own]
            elif name != "query" and not (is_wide and name == "layout"):
                words += ["--option", f"{name}={own}"]
        parts = self.tables[0].item if self.tables else ()
        if is_labels and len(parts) > 1 and words[1] == "agree":  # each question, beside all
            question = next(filter(OF_ITEMS.fullmatch, parts[1:]), "")
            item = [] if "item" in self.options else ["--item", ",".join(parts)]
            words += [*item, "--by", question] if question else []
        if sum(one.table == layer.table for one in self.layers) > 1:
            words += ["--layer", layer.name]
        return shlex.join(words)

    def as_json(self) -> dict[str, Any]:
        """Return what was found, with a command for each layer that can be measured."""
        return {
            "paths": list(self.paths),
            "format": self.format,
            "options": dict(self.options),
            "shape": asdict(self.shape) if self.shape else None,
            "tables": [asdict(one) for one in self.tables],
            "layers": [
                {
                    **asdict(one),
                    "command": self.command(one) if one.can_be_compared else None,
                }
                for one in self.layers
            ],
            "rows": {
                "read": self.n_read, "rejected": self.n_rejected, "excluded": self.n_excluded
            },
            "preferences": asdict(self.ranked) | {"command": self.ranked.command}
            if self.ranked
            else None,
            "further": [*self.further],
            "warnings": warnings_json(self.doubts),
        }  # fmt: skip

    def toml(self) -> str:
        """Return the part of a campaign file that reads these files."""
        if self.ranked and not self.layers:
            given = {"preferences": self.ranked.path, **self.ranked.options}.items()
            return "".join(["[ranking]\n", *(f"{key} = {_quoted(own)}\n" for key, own in given)])
        given = {name: own for name, own in self.options.items() if name != "query"}.items()
        options = ", ".join(f"{name} = {_quoted(own)}" for name, own in given)
        lines = []
        for path in with_joined_parts(map(Path, self.paths)):
            name = path.pattern if isinstance(path, PartedTable) else str(path)
            lines += ["[[sources]]", f"path = {_quoted(name)}"]
            lines += [f"format = {_quoted(TABLE)}"] if options else []
            lines += [f"options = {{ {options} }}"] if options else []
            query = " ".join(self.options.get("query", "").split())
            lines += [f"query = {_quoted(query)}"] if query else []
            lines.append("")
        return "\n".join(lines)


def detected_format(path: Path) -> str:
    """Return the format that a file is recognised as, or `auto`."""
    return _detected(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _detected(path: Path, _changed: int) -> str:
    try:
        return detect_reader(path).NAME
    except DataError:
        return AUTO


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
