"""Rejected rows as annotations at file and line, which GitHub shows beside a change."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...data.file_listing import root_of
from ...data.row_account import rejection_sentence
from ...data.sentences import visible
from .check_reading import SourceRead


def workflow_annotations(sources: Iterable[SourceRead]) -> Iterator[str]:
    """Yield a workflow command for the first row that each rule rejects in each source.

    Nothing outside a workflow (variable `GITHUB_ACTIONS`). Paths are relative to the working
    directory, which is the repository's in an action.
    """
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return
    for source in sources:
        root = root_of(source.path)
        for rule, rows in source.counts.rejected.items():
            file = root if root.is_file() else root / rows.first.source
            place = f"file={_escaped(os.path.relpath(file, Path.cwd()), of_property=True)}"
            if line := re.search(r"^(?:line|row) (\d+)", rows.first.location):
                place += f",line={line[1]}"
            more = f" ({rows.n:,} rows in all)" if rows.n > 1 else ""
            text = visible(rejection_sentence(rows.first)) + more
            yield f"::error {place},title={_escaped(rule, of_property=True)}::{_escaped(text)}"


def _escaped(text: str, *, of_property: bool = False) -> str:
    for character in "%\r\n" + ":," * of_property:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
