"""The interface of readers: a name, a probe, and a stream of records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Protocol, TypeVar, runtime_checkable

from ..blocks import Rows
from ..copied_documents import CopiedDocuments
from ..errors import DataError, OptionError
from ..schema import Role
from .common.category_features import CategoryFeatures, ReadAs
from .common.records.empty_answers import EmptyAnswers
from .common.records.repeated_documents import OneTokens
from .exclusion import ExclusionOptions, Exclusions
from .notes import SourceNotes
from .options import Declared, FormatOptions, Option, option_descriptions
from .path_pattern import PathPattern, with_pattern
from .unreadable import UnreadableOption

Own = TypeVar("Own", bound=FormatOptions)


@dataclass(frozen=True)
class GeneralOptions(ExclusionOptions, UnreadableOption):
    """Options that every format accepts."""

    paths: Annotated[
        PathPattern | None,
        Option(
            "what the paths of files below the folder stand for, such as "
            "`'{annotator}/{document}.tsv'`; several `{document}` are joined by `/`, `*` means "
            "nothing",
            unset="texts and lengths decide",
            parse=PathPattern.parse,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Options of one source in the campaign file, the same for every format.

    annotator   annotator's name, where the format does not state it (one file per annotator)
    role        role of every assignment of the source
    batch       batch of every document of the source
    layers      layers to keep (empty: all)
    paths       what the paths of files stand for (None: the format decides), set by `read_rows`
    extra       text of the format's options (`of_format`), each declared in its `OPTIONS`
    root        folder that `source` and document names are relative to, set by `read_rows` (None:
                the folder of the file that is read)
    document    name of a file's document, where format and path do not state it
    roles       annotator → role that the export does not state, or states otherwise; used by
                `read_rows` only
    excluded    annotators and documents whose rows are excluded; used by `read_rows` only
    unreadable  largest share of the files that may be unreadable; used by `read_rows` only
    unnamed     whether labels may be of annotators without names
    item_texts  whether the texts of items in tables are kept, which only disagreements show
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
    paths: PathPattern | None = None
    root: Path | None = None
    categories: CategoryFeatures = field(default_factory=CategoryFeatures, compare=False)
    copied: CopiedDocuments = field(default_factory=CopiedDocuments, compare=False)
    tokens: OneTokens = field(default_factory=OneTokens, compare=False)
    document: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    excluded: Exclusions = field(default_factory=Exclusions)
    unreadable: float = UnreadableOption.max_unreadable
    unnamed: bool = False
    item_texts: bool = False
    notes: SourceNotes = field(default_factory=SourceNotes, compare=False)
    empty_answers: EmptyAnswers = field(default_factory=EmptyAnswers, compare=False)
    _parsed: dict[type, FormatOptions] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of_format(self, declared: type[Own]) -> Own:
        """Return the options that a class declares, parsed once.

        Raises OptionError for a value that is not allowed.
        """
        if declared not in self._parsed:
            self._parsed[declared] = declared.of(self.extra)
        found = self._parsed[declared]
        assert isinstance(found, declared)
        return found

    def given(self, option: str) -> str:
        """Return the text of an option of the format as the user gave it, "" if it is not given."""
        return self.extra.get(option, "")

    def with_general_options_as_fields(self) -> SourceOptions:
        """Return the options with what every format accepts moved from `extra` to own fields."""
        given, own = general_and_own(self.extra)
        if not given and own == self.extra:
            return self
        self.notes.older_options |= with_pattern(self.extra)[1]
        general = GeneralOptions.of(given)
        return replace(
            self,
            extra=own,
            paths=general.paths,
            excluded=Exclusions.of(general),
            unreadable=general.max_unreadable,
        )

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
        query = self.given("query")
        digest = hashlib.sha256(query.encode()).hexdigest()[:12] if query else ""
        return replace(self.categories.read_as(self.given("offsets")), query=digest)


def general_and_own(extra: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the options that every format accepts, and those that the format decides about."""
    extra, _ = with_pattern(extra)
    names = GeneralOptions.descriptions().keys() & extra.keys()
    own = {key: value for key, value in extra.items() if key not in names}
    return {key: extra[key] for key in names}, own


@runtime_checkable
class Reader(Protocol):
    """A format. Each reader module defines one instance, `READER`.

    `probe` inspects the beginning of a file (or the names in a folder) and returns whether `read`
    can read it; it never raises and never reads a whole large file. `read` yields records in any
    order, a document's record before or after its units; memory does not grow with the number of
    documents. Readers of large tables may yield blocks of records. An invalid row is yielded as
    `Rejected`; `DataError` is raised only when nothing can be read. `read` takes its options from
    `options.of_format(OPTIONS)`.
    """

    NAME: str
    DESCRIPTION: str
    PATTERNS: tuple[str, ...]

    @property
    def OPTIONS(self) -> Declared: ...  # noqa: N802 - a constant of the class

    def probe(self, path: Path) -> bool: ...

    def read(self, path: Path, options: SourceOptions) -> Iterator[Rows]: ...


@runtime_checkable
class TableLike(Reader, Protocol):
    """A format whose rows may lack the annotator if something else names the annotator."""

    def probe_without_annotator(self, path: Path) -> bool: ...


def require_valid_options(reader: Reader, options: SourceOptions) -> None:
    """Raise OptionError for an option that the format does not know, or a value not allowed."""
    if not options.extra:
        return
    known = option_descriptions(reader.OPTIONS)
    for key in options.extra:
        if key not in known:
            raise OptionError(
                f"format {reader.NAME!r} has no option {key!r}; its options are: "
                + ", ".join([*sorted(known), *sorted(GeneralOptions.descriptions())])
            )
    if isinstance(reader.OPTIONS, type):
        options.of_format(reader.OPTIONS)
