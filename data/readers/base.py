"""The interface of readers: a name, a probe, and a stream of records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..blocks import Rows
from ..copied_documents import CopiedDocuments
from ..errors import DataError, OptionError
from ..schema import Role
from .common.category_features import CategoryFeatures, ReadAs
from .common.records.empty_answers import EmptyAnswers
from .common.records.one_tokens import OneTokens
from .exclusion import OPTIONS as EXCLUSION
from .exclusion import Exclusions
from .notes import SourceNotes
from .unreadable import DEFAULT, largest_unreadable_share
from .unreadable import OPTIONS as UNREADABLE

GENERAL_OPTIONS: Mapping[str, str] = {**EXCLUSION, **UNREADABLE}
"""Options that every format accepts."""
FOLDER_LAYOUTS = ("annotator/document", "document/annotator")
NAME_LAYOUTS = ("document.annotator", "annotator.document")
PATH_LAYOUTS = (*FOLDER_LAYOUTS, *NAME_LAYOUTS)


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Options of one source in the campaign file, the same for every format.

    annotator   annotator's name, where the format does not state it (one file per annotator)
    role        role of every assignment of the source
    batch       batch of every document of the source
    layers      layers to keep (empty: all)
    extra       options of the format, each declared in its `OPTIONS`
    root        folder that `source` and document names are relative to, set by `read_rows` (None:
                the folder of the file that is read)
    document    name of a file's document, where format and path do not state it
    roles       annotator → role that the export does not state, or states otherwise; used by
                `read_rows` only
    excluded    annotators and documents whose rows are excluded; used by `read_rows` only
    unreadable  largest share of the files that may be unreadable; used by `read_rows` only
    unnamed     whether labels may be of annotators without names
    notes       what was assumed or ignored while reading
    categories  the category feature of each layer, over all files read with these options
    empty_answers  answers without a label or unit, which `read_rows` yields at the end
    copied      documents that are copies of others, over all files read with these options
    tokens      the tokens of each document whose offsets count them, over these files
    """

    annotator: str | None = None
    role: Role | None = None
    batch: str = ""
    layers: tuple[str, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)
    root: Path | None = None
    categories: CategoryFeatures = field(default_factory=CategoryFeatures, compare=False)
    copied: CopiedDocuments = field(default_factory=CopiedDocuments, compare=False)
    tokens: OneTokens = field(default_factory=OneTokens, compare=False)
    document: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    excluded: Exclusions = field(default_factory=Exclusions)
    unreadable: float = DEFAULT
    unnamed: bool = False
    notes: SourceNotes = field(default_factory=SourceNotes, compare=False)
    empty_answers: EmptyAnswers = field(default_factory=EmptyAnswers, compare=False)

    def with_general_options_as_fields(self) -> SourceOptions:
        """Return the options with `GENERAL_OPTIONS` moved from `extra` to fields of their own."""
        own = {key: value for key, value in self.extra.items() if key not in GENERAL_OPTIONS}
        if len(own) == len(self.extra):
            return self
        excluded, unreadable = Exclusions.of(self.extra), largest_unreadable_share(self.extra)
        return replace(self, extra=own, excluded=excluded, unreadable=unreadable)

    def require_unnamed(self, source: str) -> None:
        """Note that annotators have no names; raise DataError if what reads them needs names."""
        if not self.unnamed:
            raise DataError(
                f"{source}: a table of counts does not say who gave a label: it is read by "
                "`accordeur agree` and `accordeur resample` only"
            )
        self.notes.n_unnamed_tables += 1

    def read_as(self) -> ReadAs:
        """Return how the layers were read; valid after reading."""
        return self.categories.read_as(self.extra.get("offsets", ""))

    def choice(self, option: str, *allowed: str) -> str:
        """Return the value of a format option, by default the first of `allowed`.

        Raises OptionError for a value that is not allowed.
        """
        value = self.extra.get(option, allowed[0])
        if value not in allowed:
            *others, last = filter(None, allowed)
            known = f"{', '.join(others)} and {last}"
            raise OptionError(f"option {option} = {value!r}: the allowed values are {known}")
        return value

    def listed(self, option: str, default: str = "") -> set[str]:
        """Return the comma-separated names in the value of a format option."""
        return {name.strip() for name in self.extra.get(option, default).split(",")} - {""}


@runtime_checkable
class Reader(Protocol):
    """A format. Each reader module defines one instance, `READER`.

    `probe` inspects the beginning of a file (or the names in a folder) and returns whether `read`
    can read it; it never raises and never reads a whole large file. `read` yields records in any
    order, a document's record before or after its units; memory does not grow with the number of
    documents. Readers of large tables may yield blocks of records. An invalid row is yielded as
    `Rejected`; `DataError` is raised only when nothing can be read.
    """

    NAME: str
    DESCRIPTION: str
    PATTERNS: tuple[str, ...]
    OPTIONS: Mapping[str, str]

    def probe(self, path: Path) -> bool: ...

    def read(self, path: Path, options: SourceOptions) -> Iterator[Rows]: ...


@runtime_checkable
class TableLike(Reader, Protocol):
    """A format whose rows may lack the annotator if something else names the annotator."""

    def probe_without_annotator(self, path: Path) -> bool: ...


def require_known_options(reader: Reader, options: SourceOptions) -> None:
    """Raise OptionError when the source has an option that the format does not know."""
    for key, value in options.extra.items():
        if key not in reader.OPTIONS and not (key == "layout" and value in PATH_LAYOUTS):
            known = ", ".join(sorted(reader.OPTIONS)) or "none"
            raise OptionError(
                f"format {reader.NAME!r} has no option {key!r}; its options are: {known}"
            )
