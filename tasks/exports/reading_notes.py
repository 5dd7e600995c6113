"""What was assumed or left out while exports were read, as notices of terminal and report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from ...data.readers.notes import SourceNotes
from ...data.suggested_roles import suggested_roles
from .warned import Warned, WarningCode

if TYPE_CHECKING:
    from ...data.sifting.contents import Sketch
    from ...reports.value import Notice

_MOST_NAMED = 8


def notices_of_reading(notes: SourceNotes) -> list[Notice]:
    """One notice for each thing that was assumed or left out."""
    from ...reports.notices import notice

    found = []
    if columns := notes.ignored_columns:
        more = ", …" if len(columns) > _MOST_NAMED else ""
        names = ", ".join(columns[:_MOST_NAMED]) + more
        found.append(notice("ignored_columns", n=len(columns), names=names))
    if notes.n_annotator_folders:
        found.append(notice("annotator_folders", n=notes.n_annotator_folders))
    return found


def notices_of_same_rows(sketches: Sequence[Sketch], names: Sequence[str]) -> list[Notice]:
    """One notice for each two sources, of these names, that hold the same rows."""
    from ...data.sifting.contents import sources_of_same_rows
    from ...reports.notices import notice

    return [
        notice(
            "sources_of_same_rows",
            first=PurePath(names[same.first]).name,
            second=PurePath(names[same.second]).name,
            n=same.n_documents,
        )
        for same in sources_of_same_rows(sketches)
    ]


def warnings_of_reading(notes: SourceNotes, humans: Iterable[str]) -> list[Warned]:
    """These and humans called like another role, for the quick looks."""
    people = list(humans)
    if notes == SourceNotes() and not suggested_roles(people):
        return []  # without the imports that notices need
    from ..reporting.look_alikes import names_of_other_roles

    found = [*notices_of_reading(notes), *names_of_other_roles(people)]
    return [Warned(WarningCode(one.code), one.text, one.figures) for one in found]
