"""Warnings about what was read: what readers assumed, files, copies, and rows of two sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from ...data.readers.notes import SourceNotes
from ...data.readers.tables.column_names import is_count_name
from ...data.readers.unreadable import UNREADABLE
from ...data.schema import Rejected
from ...metrics.coded_warning import CodedWarning, Figures
from .cell_warnings import MOST_QUOTED, quoted_first_names
from .name_warnings import warnings_on_misnamed_humans

if TYPE_CHECKING:
    from ...data.same_rows import Sketch

_RULE_OF = {  # warning → rule of the same rows
    "conflicting_labels": "label_occurs_once",
    "conflicting_copies": "delivered_once",
    "unreadable_files": UNREADABLE,
}
_MOST_COLUMNS = 8
_ASSUMPTIONS = (  # in the order in which they follow the doubts
    *("bounds_in_seconds", "annotator_columns", "item_columns", "annotator_tiers"),
    *("joined_tiers", "item_texts", "title_lines", "unread_sheets", "ignored_columns"),
)


def warnings_on_reading(notes: SourceNotes, humans: Iterable[str] = ()) -> list[CodedWarning]:
    """Warn of assumptions and exclusions while reading, and of humans named like another role."""
    found = []
    doubts = (code for code in notes.named if code not in _ASSUMPTIONS)
    for code in (*doubts, *filter(notes.named.get, _ASSUMPTIONS)):
        columns = notes.named[code]
        more = ", …" if len(columns) > _MOST_COLUMNS else ""
        names = ", ".join(columns[:_MOST_COLUMNS]) + more
        found.append(CodedWarning(code, {"n": len(columns), "names": names}))
    found += [
        CodedWarning("count_as_annotator", {"column": column})
        for column in notes.named.get("annotator_columns", ())
        if is_count_name(column)
    ]
    found += [
        CodedWarning(code, {"n": n})
        for code, n in (
            ("turned_tables", notes.n_turned_tables),
            ("unnamed_annotators", notes.n_unnamed_tables),
            ("doubtful_header", notes.n_doubtful_headers),
            ("header_lines", notes.n_header_lines),
            ("annotator_folders", notes.n_annotator_folders),
            ("document_folders", notes.n_document_folders),
            ("named_files", notes.n_named_files),
            ("nan_labels", notes.n_nan_labels),
            ("last_conll_column", notes.n_conll_columns),
            ("conflicting_labels", notes.n_conflicting_labels),
            ("accepted_suggestions", notes.n_suggested),
            ("trimmed_units", notes.n_trimmed_units),
            ("units_without_text", notes.n_units_without_text),
        )
        if n
    ]
    if n := notes.n_empty_finished + notes.n_empty_missing:
        figures = {"finished": notes.n_empty_finished, "missing": notes.n_empty_missing}
        found.append(CodedWarning("empty_answers", {"n": n, **figures}))
        found += _warnings_of_empty_documents(notes)
    found += [
        CodedWarning("older_option", {"older": older, "pattern": pattern})
        for older, pattern in notes.older_options.items()
    ]
    found += _warnings_of_files(notes)
    return [*found, *warnings_on_misnamed_humans(humans)]


def warnings_on_rejected(rejected: Sequence[Rejected]) -> list[CodedWarning]:
    """Warn of rejected rows, with the reason of the first that no other warning gives."""
    first = next((row for row in rejected if row.rule not in _RULE_OF.values()), None)
    figures: Figures = {"n": len(rejected), "reason": first.message if first else ""}
    return [CodedWarning("reason_of_rejected", figures)] if first else []


def without_warnings_on_rejected(
    warnings: Iterable[CodedWarning], rejected: Iterable[Rejected]
) -> list[CodedWarning]:
    """Return the warnings without those about rows that are listed as rejected."""
    rules = {row.rule for row in rejected}
    return [one for one in warnings if _RULE_OF.get(one.code) not in rules]


def _warnings_of_empty_documents(notes: SourceNotes) -> Iterable[CodedWarning]:
    """Warn of the documents that annotators left empty, most of one annotator first."""
    count = notes.n_empty_documents
    most = sorted(count, key=lambda who: (-count[who], who))
    names = "; ".join(
        f"{who} {count[who]} ({quoted_first_names(notes.empty_documents[who])})"
        for who in most[:MOST_QUOTED]
    )
    if most:
        more = "; …" * (len(most) > MOST_QUOTED)
        n = sum(count.values()) + notes.n_empty_of_others
        yield CodedWarning("empty_documents", {"n": n, "names": names + more})


def _warnings_of_files(notes: SourceNotes) -> Iterable[CodedWarning]:
    """Warn of files, layers, documents and copies that may not be what was meant."""
    for code, n, work in (
        ("conflicting_copies", notes.n_conflicting_copies, notes.conflicting_copies),
        ("replaced_copies", notes.n_replaced_copies, notes.replaced_copies),
    ):
        if n:
            yield CodedWarning(code, {"n": n, "names": quoted_first_names(work)})
    for code, n, files in (
        ("unreadable_files", notes.n_unreadable_files, notes.unreadable_files),
        ("ignored_files", notes.n_ignored_files, notes.ignored_files),
    ):
        if n:
            yield CodedWarning(code, {"n": n, "names": quoted_first_names(files)})
    if (n := len(notes.files_by_format)) > 1:
        counts = sorted(notes.files_by_format.items())
        formats = ", ".join(f"{name} ({n_files})" for name, n_files in counts)
        yield CodedWarning("several_formats", {"n": n, "names": formats})
    if n := notes.n_other_tokens:
        yield CodedWarning(
            "other_tokens", {"n": n, "names": quoted_first_names(notes.other_tokens)}
        )
    if n := len(notes.absent_layers):
        yield CodedWarning(
            "absent_layers", {"n": n, "names": quoted_first_names(notes.absent_layers)}
        )
    if n := len(copies := notes.copied_documents):
        pairs = "; ".join(f"{one.document!r} = {one.original!r}" for one in copies[:MOST_QUOTED])
        names = pairs + "; …" * (n > MOST_QUOTED)
        yield CodedWarning("copied_documents", {"n": n, "names": names})


def warnings_on_same_rows(sketches: Sequence[Sketch], names: Sequence[str]) -> list[CodedWarning]:
    """Warn of each pair of sources that contain the same rows; `names` are the sources' names."""
    from ...data.same_rows import sources_of_same_rows

    return [
        CodedWarning(
            "sources_of_same_rows",
            {
                "first": PurePath(names[same.first]).name,
                "second": PurePath(names[same.second]).name,
                "n": same.n_documents,
            },
        )
        for same in sources_of_same_rows(sketches)
    ]
