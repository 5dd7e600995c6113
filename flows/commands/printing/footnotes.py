"""Lines below the printed values: warnings, the account of the rows, rejected rows, signatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ....tasks.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ....data.row_account import RowAccount
    from ....data.schema import Rejected
    from ....metrics.coded_warning import CodedWarning

_PLACES = 3  # places listed for further rows rejected by the same rule


def print_signatures(console: Console, lines: Iterable[str]) -> None:
    for line in dict.fromkeys(lines):
        console.print(line, style="dim", soft_wrap=True, markup=False)


def print_rows(console: Console, rows: RowAccount, rejected: Sequence[Rejected]) -> None:
    """Print the fates of the rows in one sentence, and the first rejected row of each rule."""
    print_account(console, rows)
    print_rejected(console, rejected)


def print_warnings(
    console: Console, warnings: Sequence[CodedWarning], rejected: Sequence[Rejected] = ()
) -> None:
    """Print the warnings, except those about rows that are listed as rejected."""
    if not warnings:
        return
    from ....reports.warnings import in_english
    from ....tasks.inputs.reading_warnings import without_warnings_on_rejected

    for one in without_warnings_on_rejected(warnings, rejected):
        console.print(f"warning: {in_english(one)}", soft_wrap=True, markup=False)


def print_account(console: Console, rows: RowAccount, whose: str = "") -> None:
    """Print the fates of the rows in one sentence."""
    from ....reports.account import account_sentence
    from ....reports.language import Language

    sentence = account_sentence(rows, Language("en", ("account",)), rules=False)
    console.print(f"{whose}{sentence}", soft_wrap=True, markup=False)


def print_rejected(console: Console, rejected: Sequence[Rejected]) -> None:
    """Print the number of rejected rows, and for each rule the first row and further places."""
    if not rejected:
        return
    from ....data.row_account import rejection_sentence

    by_rule: dict[str, list[Rejected]] = {}
    for row in rejected:
        by_rule.setdefault(row.rule, []).append(row)
    console.print(
        f"[bold]{counted(len(rejected), 'row')} rejected[/bold] (as in a run; --json lists all, "
        "--strict stops at the first):",
        soft_wrap=True,
    )
    for rows in by_rule.values():
        more = f" – {_places_of_other_rows(rows)}" if len(rows) > 1 else ""
        console.print(f"  {rejection_sentence(rows[0])}{more}", soft_wrap=True, markup=False)


def _places_of_other_rows(rows: Sequence[Rejected]) -> str:
    """List the places of further rows: lines of one file, rows of several, or counts by file."""
    files = Counter(row.source for row in rows)
    if len(files) == 1 or len(files) == len(rows):
        return f"and {len(rows) - 1:,} more: {_places(rows[1:], named=len(files) > 1)}"
    places = [f"{n:,} in {source}" for source, n in files.most_common(_PLACES)]
    more = len(files) - _PLACES
    others = f" and {counted(more, 'more file')}" if more > 0 else ""
    return f"{len(rows):,} in all: {', '.join(places)}{others}"


def _places(rows: Sequence[Rejected], *, named: bool) -> str:
    """Return `lines 4, 7, 9 …`, or each place with the name of its file."""
    shown, more = rows[:_PLACES], " …" if len(rows) > _PLACES else ""
    words, numbers = zip(*(row.location.rpartition(" ")[::2] for row in shown), strict=True)
    if not named and len({*words}) == 1 and words[0] in ("line", "row"):
        return f"{words[0]}{'s' if len(rows) > 1 else ''} {', '.join(numbers)}{more}"
    places = [f"{row.source if named else ''} {row.location}".strip() for row in shown]
    return ", ".join(places) + more
