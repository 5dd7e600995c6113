"""What was assumed or ignored while an export was read, for the output of commands and runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields

from ..copied_documents import CopiedDocument

_MOST_FILES = 8  # names that are kept
_MOST_DOCUMENTS = 4  # of one annotator
_MOST_ANNOTATORS = 100


@dataclass(slots=True)
class SourceNotes:
    """Notes that are collected while a source is read.

    named                columns, tiers and keys, by the code of the warning that names them
    n_annotator_folders  folders of files with the same names, each read as one annotator's
    n_document_folders   folders that are each read as one document, their files as annotators'
    n_named_files        files whose names are read as those of a document and an annotator
    n_turned_tables      tables whose rows seem to be annotators
    n_unnamed_tables     tables that count annotators and do not name them
    n_doubtful_headers   tables most of whose column names are values of their cells, too
    n_header_lines       further header lines of a survey's export
    n_unit_tables        tables with a row for each unit
    n_nan_labels         labels that are missing in a data frame of pandas with a row for each label
    n_conll_columns      of CoNLL files whose last one was read where another may hold the labels
    n_empty_finished     answers without a label or unit that were read as finished and empty
    n_empty_missing      answers without a label or unit that were read as missing
    n_empty_documents    of these, documents that an annotator left empty, by annotator
    empty_documents      the first of these documents, by annotator
    n_empty_of_others    the same, of all annotators but the first hundred
    n_conflicting_labels  labels rejected because their annotator gave the item another one before
    n_conflicting_copies work in several files that differ, of which none counts
    n_replaced_copies    work in several files that differ, of which the last one counts
    conflicting_copies, replaced_copies  some of this work, by document and annotator
    n_suggested          labels and units that are suggestions of a model, accepted without change
    n_trimmed_units      units whose blanks or punctuation at the edges were removed
    n_units_without_text  units that were to be trimmed, of documents without a text
    n_interval_texts     texts of intervals that were read as objects
    n_files_read         files of folders, entries of archives and documents of brat that were read
    files_by_format      number of files read in each format; of several sources, those with several
    unreadable_files     files that cannot be read, the first ones by name
    n_unreadable_files   their number
    ignored_files        files of a folder that no format recognises, the first ones by name
    n_ignored_files      their number
    other_tokens         documents whose tokens differ between files, the first ones by name
    n_other_tokens       their number
    absent_layers        selected layers that the source does not have
    copied_documents     documents that are copies of others, each with the other one
    older_options        older options about paths that were given, with the pattern of each
    """

    named: dict[str, list[str]] = field(default_factory=dict)
    n_annotator_folders: int = 0
    n_document_folders: int = 0
    n_named_files: int = 0
    n_turned_tables: int = 0
    n_unnamed_tables: int = 0
    n_doubtful_headers: int = 0
    n_header_lines: int = 0
    n_unit_tables: int = 0
    n_nan_labels: int = 0
    n_conll_columns: int = 0
    n_empty_finished: int = 0
    n_empty_missing: int = 0
    n_empty_documents: dict[str, int] = field(default_factory=dict)
    empty_documents: dict[str, list[str]] = field(default_factory=dict)
    n_empty_of_others: int = 0
    n_conflicting_labels: int = 0
    n_conflicting_copies: int = 0
    conflicting_copies: list[str] = field(default_factory=list)
    n_replaced_copies: int = 0
    replaced_copies: list[str] = field(default_factory=list)
    n_suggested: int = 0
    n_trimmed_units: int = 0
    n_units_without_text: int = 0
    n_interval_texts: int = 0
    n_files_read: int = 0
    files_by_format: dict[str, int] = field(default_factory=dict)
    unreadable_files: list[str] = field(default_factory=list)
    n_unreadable_files: int = 0
    ignored_files: list[str] = field(default_factory=list)
    n_ignored_files: int = 0
    other_tokens: list[str] = field(default_factory=list)
    n_other_tokens: int = 0
    copied_documents: list[CopiedDocument] = field(default_factory=list)
    absent_layers: list[str] = field(default_factory=list)
    older_options: dict[str, str] = field(default_factory=dict)

    def read_file(self, format: str) -> None:
        self.n_files_read += 1
        self.files_by_format[format] = self.files_by_format.get(format, 0) + 1

    def ignore_file(self, name: str) -> None:
        self.n_ignored_files += 1
        if len(self.ignored_files) < _MOST_FILES:
            self.ignored_files.append(name)

    def note_unreadable_file(self, name: str) -> None:
        self.n_unreadable_files += 1
        if len(self.unreadable_files) < _MOST_FILES:
            self.unreadable_files.append(name)

    def note_other_tokens(self, document: str) -> None:
        self.n_other_tokens += 1
        if len(self.other_tokens) < _MOST_FILES:
            self.other_tokens.append(document)

    def note_empty_document(self, annotator: str, document: str) -> None:
        self._note_empty_documents(annotator, 1, [document])

    def _note_empty_documents(self, annotator: str, n: int, documents: list[str]) -> None:
        count = self.n_empty_documents
        if annotator not in count and len(count) == _MOST_ANNOTATORS:
            self.n_empty_of_others += n
            return
        count[annotator] = count.get(annotator, 0) + n
        first = self.empty_documents.setdefault(annotator, [])
        first += documents[: _MOST_DOCUMENTS - len(first)]

    def name(self, code: str, names: Iterable[str]) -> None:
        """Note columns, tiers or keys that the warning of this code names, each once."""
        new = [one for one in dict.fromkeys(names) if one not in self.named.get(code, ())]
        if new:
            self.named.setdefault(code, []).extend(new)

    def use_column(self, code: str, name: str) -> None:
        """Note a column that is used after all."""
        unused = self.named.get("ignored_columns", [])
        self.named["ignored_columns"] = [one for one in unused if one != name]
        self.name(code, [name])

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    def add(self, other: SourceNotes) -> None:
        """Add the notes of another source: numbers are added, and names are kept once."""
        n_conll_columns = max(self.n_conll_columns, other.n_conll_columns)
        for one in fields(self):
            own, theirs = getattr(self, one.name), getattr(other, one.name)
            if isinstance(own, int):
                setattr(self, one.name, own + theirs)
            elif isinstance(own, list):
                own += [each for each in theirs if each not in own]
        self.n_conll_columns = n_conll_columns
        for code, names in other.named.items():
            self.name(code, names)
        mixed = other.files_by_format if len(other.files_by_format) > 1 else {}
        for name, n in mixed.items():  # sources of one format each are no mixture
            self.files_by_format[name] = self.files_by_format.get(name, 0) + n
        self.older_options |= other.older_options
        for annotator, n in other.n_empty_documents.items():
            self._note_empty_documents(annotator, n, other.empty_documents[annotator])

    @staticmethod
    def from_json(value: Mapping[str, object]) -> SourceNotes:
        """Make notes from `as_json`. Raises TypeError for other fields."""
        found = SourceNotes(**value)  # type: ignore[arg-type]  # written by `as_json`
        found.copied_documents = [CopiedDocument(*pair) for pair in found.copied_documents]
        return found
