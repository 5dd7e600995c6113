"""Refuse a source of which most files cannot be read: a value from the rest would not be its own.

Every format accepts the option: in a campaign file, on the command line and in Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from ..blocks import Rows
from ..errors import DataError, OptionError
from ..option_names import look_hint
from ..schema import Rejected
from ..sentences import shorten
from .notes import SourceNotes
from .options import FormatOptions, Option
from .tables.given import Given

OPTION = "max_unreadable"
UNREADABLE = "unreadable_file"
MISSING_TEXT = "missing_text"  # of every row of a document whose text is missing
_N_NAMED, _LONGEST_REASON, _LONGEST_COMMON = 2, 110, 270


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise OptionError(f"option {OPTION} = {text!r}: give a number from 0 to 1")
    return share


@dataclass(frozen=True)
class UnreadableOption(FormatOptions):
    max_unreadable: Annotated[
        float,
        Option(
            "share of the files that may be unreadable, from 0 to 1; a source with a larger share "
            "is refused",
            parse=_share,
        ),
    ] = 0.5


def require_mostly_readable(
    rows: Iterator[Rows], path: str | Given, most: float, notes: SourceNotes
) -> Iterator[Rows]:
    """Yield the rows. At the end, raise DataError if more than the share `most` was unreadable.

    notes  counts the files that were read
    """
    n_unreadable, reasons, without_text = 0, list[str](), ""
    common: set[str] = set()
    for row in rows:
        if isinstance(row, Rejected) and (
            row.rule == UNREADABLE or (row.rule == MISSING_TEXT and row.document != without_text)
        ):
            n_unreadable += 1
            without_text = row.document
            common.add(row.message.removeprefix(f"{row.source}: "))
            if len(reasons) < _N_NAMED:
                reason = row.message.replace(f"{path}/", "").removesuffix(look_hint())
                named = reason if row.source in reason else f"{row.source}: {reason}"
                reasons.append(named)
        yield row
    n_files = notes.n_files_read + n_unreadable
    if n_unreadable > most * n_files:
        more = "; …" if n_unreadable > len(reasons) else ""
        why = f"{'; '.join(shorten(one, _LONGEST_REASON) for one in reasons)}{more}"
        if n_unreadable > 1 and len(common) == 1:
            why = f"{shorten(reasons[0], _LONGEST_COMMON)}; the same in the others"
        raise DataError(
            f"{shorten(str(path), 60)}: {n_unreadable:,} of {n_files:,} files cannot be read "
            f"({why}). Correct or remove them, or allow a larger share: {OPTION} (now {most:g})"
        )
