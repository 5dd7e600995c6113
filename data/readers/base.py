"""What every reader is: a name, a probe and a stream of records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..blocks import Rows
from ..errors import DataError
from ..schema import Role
from .common.layers import CategoryFeatures, ReadAs
from .exclusion import OPTIONS as EXCLUSION
from .exclusion import Exclusions
from .notes import SourceNotes

FOLDER_LAYOUTS = ("annotator/document", "document/annotator")


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """What the campaign file says of one source, the same for every format.

    `annotator` names the annotator where the format does not (one file a person); `role` and
    `batch` are given to every assignment and document of the source; `layers` keeps only these
    layers (empty: all). `extra` holds a format's own options, each declared in its `OPTIONS`.
    `root` is the folder that `source` and document names are relative to; `read_rows` sets it
    (None: the folder of the file that is read). `document` names the document of a file whose
    format and path do not say it. `roles` gives annotators a role that the export does not
    know, or another one, and `excluded` says whose rows are excluded; only `read_rows` heeds
    them. `notes` collects what is assumed or left out; `categories` which feature is the
    category of each layer, over all files that are read with these options.
    """

    annotator: str | None = None
    role: Role | None = None
    batch: str = ""
    layers: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    root: Path | None = None
    categories: CategoryFeatures = field(default_factory=CategoryFeatures, compare=False)
    document: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    excluded: Exclusions = field(default_factory=Exclusions)
    notes: SourceNotes = field(default_factory=SourceNotes, compare=False)

    def with_exclusions(self) -> SourceOptions:
        """The options of `exclusion` as `excluded`, and `extra` without them."""
        own = {key: value for key, value in self.extra.items() if key not in EXCLUSION}
        if len(own) == len(self.extra):
            return self
        return replace(self, extra=own, excluded=Exclusions.of(self.extra))

    def read_as(self) -> ReadAs:
        """How the layers were read, once they are."""
        return self.categories.read_as(self.extra.get("offsets", ""))

    def choice(self, option: str, *allowed: str) -> str:
        """The value of an option of the format, the first of `allowed` where it is not given.

        Raises DataError for a value that is not allowed.
        """
        value = self.extra.get(option, allowed[0])
        if value not in allowed:
            *others, last = filter(None, allowed)
            known = f"{', '.join(others)} and {last}"
            raise DataError(f"option {option} = {value!r}: the allowed values are {known}")
        return value

    def listed(self, option: str, default: str = "") -> set[str]:
        """The names that an option of the format holds, separated by commas."""
        return {name.strip() for name in self.extra.get(option, default).split(",")} - {""}


@runtime_checkable
class Reader(Protocol):
    """A format. A reader module makes one instance, `READER`.

    `probe` looks at the beginning of a file (or at a folder's names) and says whether `read`
    would understand it; it never raises and never reads a whole large file. `read` yields records
    in any order, a document's record before or after its units; memory does not grow with the
    number of documents; a format of large tables may yield blocks of records. A bad row is yielded
    as `Rejected`; `DataError` only when nothing can be read.
    """

    NAME: str
    DESCRIPTION: str
    PATTERNS: tuple[str, ...]
    OPTIONS: Mapping[str, str]

    def probe(self, path: Path) -> bool: ...

    def read(self, path: Path, options: SourceOptions) -> Iterator[Rows]: ...


@runtime_checkable
class TableLike(Reader, Protocol):
    """A format whose rows may lack the annotator, where something else says who it was."""

    def probe_rows(self, path: Path) -> bool: ...


def require_known_options(reader: Reader, options: SourceOptions) -> None:
    """Raise DataError when the source has an option that the format does not know."""
    for key, value in options.extra.items():
        if key not in reader.OPTIONS and not (key == "layout" and value in FOLDER_LAYOUTS):
            known = ", ".join(sorted(reader.OPTIONS)) or "none"
            raise DataError(
                f"format {reader.NAME!r} has no option {key!r}; its options are: {known}"
            )
