"""Whether the first line of a table is its header, and the further header lines of Qualtrics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from ...errors import DataError
from ...option_names import format_options
from ..common.span_rules import is_number
from .column_names import MOST_NAMED
from .layout import Layout

_IMPORT_ID = re.compile(r'\s*\{"ImportId":\s*"([^"]+)".*\}\s*')
_DIGITS = re.compile(r"[0-9]+")
_NO_NAME = re.compile(r"\[.*\]|\([0-9, ]+\)|https?://.*", re.S)  # a list, numbers, a link
_REPEATED = re.compile(r"\.[1-9][0-9]?$")
_MISSING = ("", "na", "n/a", "nan", "<na>", ".", "*", "-", "null", "none", "#n/a")  # no names
_QUESTION, _RESPONSE = "QID", "_recordId"
# the columns that a tool always writes (one of each set), and others about the response
_COLUMNS_OF: dict[str, tuple[list[set[str]], set[str]]] = {
    "Qualtrics": (
        [{"responseid"}, {"startdate"}, {"enddate"}, {"finished"}],
        {
            *("status", "ipaddress", "progress", "duration (in seconds)", "recordeddate", "name"),
            *("recipientlastname", "recipientfirstname", "recipientemail", "externalreference"),
            *("externaldatareference", "locationlatitude", "locationlongitude", "userlanguage"),
            *("distributionchannel", "responseset", "emailaddress", "locationaccuracy"),
        },
    ),
    "LimeSurvey": (
        [
            {"lastpage", "last page", "dernière page", "letzte seite"},
            {"startlanguage", "start language", "langue de départ", "start-sprache"},
        ],
        {
            *("id", "response id", "submitdate", "date submitted", "seed", "token", "startdate"),
            *("datestamp", "ipaddr", "refurl", "date started", "date last action", "ip address"),
            "referrer url",
        },
    ),
    "Google Forms": (
        [{"timestamp", "horodateur", "zeitstempel"}],
        {
            *("username", "email address", "score", "adresse e-mail", "e-mail-adresse"),
            *("nom d'utilisateur", "nutzername"),
        },
    ),
}
_RESPONDENTS = ("responseid", "token", "id", "response id", "username", "email address")
_FORM_TIME = re.compile(r"[0-9]{1,4}[/.][0-9]{1,2}[/.][0-9]{2,4} [0-9]{1,2}:[0-9]{2}:[0-9]{2}.*")
_MOST_LINES = 3  # below the first
_MOST_NAMES = 4


@dataclass(frozen=True, slots=True)
class SurveyHeader:
    """Header of a survey's export, in which each row is the response of one annotator.

    tool        name of the survey tool
    n_lines     lines below the first that belong to the header (Qualtrics)
    questions   positions of the questions; the other columns describe the response
    respondent  position of the response's name; None: the rows are numbered
    """

    tool: str
    n_lines: int
    questions: frozenset[int]
    respondent: int | None


def survey_header(header: Sequence[str], cells: Sequence[Sequence[str]]) -> SurveyHeader | None:
    """Recognise the exports of Qualtrics, LimeSurvey and Google Forms; None for other tables.

    Qualtrics writes the texts of the questions and a JSON object per column (`ImportId`) below the
    names, and formerly the texts only; all have columns that they always write.
    """
    for row in range(min(_MOST_LINES, min(map(len, cells), default=0))):
        found = [_IMPORT_ID.fullmatch(column[row]) for column in cells]
        ids = [match[1] if match else "" for match in found]
        if all(ids):
            questions = frozenset(k for k, one in enumerate(ids) if one.startswith(_QUESTION))
            respondent = ids.index(_RESPONSE) if _RESPONSE in ids else None
            return SurveyHeader("Qualtrics", row + 1, questions, respondent)
    names = [name.strip().casefold() for name in header]
    for tool, (always, others) in _COLUMNS_OF.items():
        if all(one & {*names} for one in always):
            about = {*chain(*always), *others}
            questions = frozenset(k for k, one in enumerate(names) if one not in about)
            respondent = next((k for k, one in enumerate(names) if one in _RESPONDENTS), None)
            first = {name: column[0] for name, column in zip(names, cells, strict=True) if column}
            if tool == "Google Forms" and not _FORM_TIME.fullmatch(first.get(names[0], "")):
                continue
            has_texts = tool == "Qualtrics" and not _DIGITS.search(first.get("startdate", "0"))
            return SurveyHeader(tool, int(has_texts), questions, respondent)
    return None


def names_of_two_lines(groups: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names of columns in groups; a group goes on up to the next one.

    A lone first cell is a title.

    >>> names_of_two_lines(["", "Ann", "", "Ben", ""], ["id", "tone", "topic", "tone", "topic"])
    ['id', 'Ann.tone', 'Ann.topic', 'Ben.tone', 'Ben.topic']
    """
    given = groups if any(groups[1:]) else ()
    found, group = list[str](), ""
    for own, name in zip_longest(given, names, fillvalue=""):
        group = own if own else group
        found.append(".".join(filter(None, (group, name))) if name else own)
        group = group if name else ""
    return found


def header_is_doubtful(header: Sequence[str], cells: Sequence[Sequence[str]], source: str) -> bool:
    """Return whether most names of the first line, but not all, could be values of the table.

    Raises DataError if every name could.

    header  the first line
    cells   the columns below it; an empty cell is ""

    A name could be a value if it occurs in the cells, is the sign of a missing value, is a decimal
    number above numbers, or continues the numbering of the rows (`7` above `8`, `d7` above `d8`),
    or is a list or a link. pandas calls a second `yes` `yes.1`. Where the others occur in their own
    columns, so could a number above different numbers.
    """
    values = {cell for column in cells for cell in column if cell}
    bare = [_REPEATED.sub("", name) for name in header]
    names = [one if one in header else name for one, name in zip(bare, header, strict=True)]
    n_like = sum(
        name in values or _NO_NAME.fullmatch(name) is not None or _continues(name, column)
        for name, column in zip(names, cells, strict=True)
    )
    if len(header) > 2 and n_like == len(header) - 1:
        n_like += _is_below_a_number(names, cells)
    if not values or n_like < len(header):
        return 2 * n_like >= len(header)
    shown = ", ".join(map(repr, header[:_MOST_NAMES])) + (", …" * (len(header) > _MOST_NAMES))
    raise DataError(
        f"{source}: it is not certain that the first line is a header, because its names ({shown}) "
        f"could also be values of the rows below: `{format_options(header='no')}` reads it as data "
        f"and numbers the columns, `{format_options(header='yes')}` as column names"
    )


def _continues(name: str, column: Sequence[str]) -> bool:
    given = [cell for cell in column if cell]
    if name.casefold() in _MISSING:
        return bool(name) or len({*column}) < len(column)
    if not given or len({*given}) < len(given):
        return False
    if _is_decimal(name):
        return all(map(is_number, given))
    before = _DIGITS.findall(name)
    after = _DIGITS.findall(given[0])
    shape = _DIGITS.sub("0", name)
    return (
        len(given) == len(column)
        and len(before) == 1 == len(after)
        and int(before[0]) + 1 == int(after[0])
        and all(_DIGITS.sub("0", cell) == shape for cell in given)
    )


def _is_below_a_number(names: Sequence[str], cells: Sequence[Sequence[str]]) -> bool:
    """Whether one name is a number above different ones, and each other one is in its column."""
    at = [
        k for k, (name, column) in enumerate(zip(names, cells, strict=True)) if name not in column
    ]
    own = cells[at[0]] if len(at) == 1 else ()
    return bool(own) and len({*own}) == len(own) and all(map(is_number, (names[at[0]], *own)))


def _is_decimal(text: str) -> bool:
    return is_number(text) and float(text) % 1 != 0


def require_transposed(survey: SurveyHeader, layout: Layout | None, source: str) -> None:
    """Raise DataError if the responses of a survey, its rows, would be read as items."""
    if layout in (Layout.TRANSPOSED, Layout.LONG):
        return
    below = "; the first lines below the names belong to the header" if survey.n_lines else ""
    raise DataError(
        f"{source}: this is an export of {survey.tool}, in which each row is a response{below}: "
        "the rows are the annotators and the questions the items, which "
        f"`{format_options(layout='transposed')}` reads"
    )


def headerless_hint(n_columns: int, layout: Layout | None = None) -> str:
    """Return the options for a table without a header."""
    if layout in (Layout.WIDE, Layout.TRANSPOSED):
        return f"`{format_options(header='no')}`"
    wide = f"`{format_options(header='no', layout='wide')}`"
    if n_columns == 2:
        nameless = format_options(columns="item,label", paths="{annotator}")
        return (
            f"{wide} for two annotators' labels, `{nameless}` for one annotator's items and labels"
        )
    numbered = f"{wide} if each column is one annotator's labels"
    if not 3 <= n_columns <= MOST_NAMED:
        return numbered
    names = ["item", "annotator", "label", *(f"column{k}" for k in range(4, n_columns + 1))]
    return (
        f"{numbered}, else `{format_options(columns=','.join(names))}` with its columns in their "
        "own order (of units: annotator, category, start, end)"
    )
