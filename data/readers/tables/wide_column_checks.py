"""Check the columns of a wide table against its cells before they are read as annotators.

A column of row numbers is the item, a column with a different value in each row is refused, columns
with other values than the rest are reported (left out beside columns that are called like
annotators), and so are tables whose rows seem to be annotators.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from ...errors import DataError
from ...option_names import format_options, option
from ..notes import SourceNotes
from .column_names import is_annotator_name, is_count_name
from .counts import Cells
from .header_lines import SurveyHeader
from .layout import Columns
from .refused_tables import annotator_like_columns, require_wide_labels

_INDEX = re.compile(
    r"(?i:|unnamed: ?[0-9]+|#|№|(.*[ _.:-])?(ids?|idx|index)|id[ _.:-]\w+|identifiants?|indices?"
    r"|((lfd|row|line|item|sl|sr|s)[ _.]*)?(no|nr|num|number|nummer|names?)\.?|n[°º]|num[ée]ro"
    r"|rows?|lines?|lignes?|zeilen?|(zeilen|lauf)nummer|key|cl[ée]|schl[üu]ssel|kennung)"
    r"|\w*[a-zA-Z](Id|ID|Index|Idx|Nr|No)"
)
_REMARK = re.compile(
    r"comment|remark|\bnotes?\b|confiden|certain|\bdate|time\b|timestamp|duration|bemerkung|datum"
    r"|kommentar|remarque|confiance|konfidenz|sicher|dauer|durée",
    re.I,
)
_PEOPLE = re.compile(
    r".*(annotator|rater|coder|judge|observer|worker|respondent|prolific|response[ _.-]?id"
    r"|annotateur|codeur|juge|kodierer|codierer|annotiererin?).*",
    re.I,
)
_NUMBERED = re.compile(r"([^0-9]{0,20})([0-9]{1,12})(\.0)?")
_MEASURE = re.compile(
    r"kappa|alpha|agree|accord|percent|\bicc\b|\biaa\b|\birr\b|gamma|ac1|cohen|fleiss|kripp|f1"
    r"|übereinst|same|match|equal|ident",
    re.I,
)
_FEWEST_ROWS = 3
_FEWEST_EACH = 5  # rows on which the others are equal, and differ
_FEWEST_NUMBERED = 5  # rows of a column of numbers beside numbers
_FEWEST_SHARED = 10  # rows of a column that may name the items although others have its values
_FEWEST_BLANKS = 4  # in a cell on average, of a column of texts
_FEWEST_CELLS = 5  # of a column whose values no other has
_SCALE = 20  # more different numbers are measurements, which rarely repeat
_MANY_COLUMNS, _TIMES = 8, 2
_MOST_PARTS = 6  # columns that may name the rows together
_FEWEST_IN_BLOCKS = 8  # rows


def checked_columns(
    columns: Columns,
    header: Sequence[str],
    cells: Cells,
    source: str,
    notes: SourceNotes,
    *,
    excluded: Collection[str] = (),
    item_named: bool = False,
    guessed: bool = False,
) -> Columns:
    """Return the columns of a wide table, with its item column if that is certain.

    excluded    annotators whom an option excludes
    item_named  whether an option names the item column, or says that there is none
    guessed     whether no option says that the table is a wide one

    Adds what was assumed to the notes. Raises DataError for a column that may name the items.
    """
    turned = _rows_look_like_annotators(columns, header, cells, source, refused=not item_named)
    notes.n_turned_tables += turned
    people = [(k, name) for k, name in columns.annotators if name not in excluded]
    texts = _texts(people, cells)
    notes.ignore(name for k, name in people if k in texts)
    people = [one for one in people if one[0] not in texts]
    left = tuple(one for one in columns.annotators if one[0] not in texts)
    columns = replace(columns, annotators=left)
    nameless = [(k, "") for k, name in enumerate(header) if not name]
    unclear: set[int] = set()
    if not item_named or "item" in columns.at:
        columns, unclear = _with_item(columns, [*nameless, *people], cells, notes)
    if unclear and "item" not in columns.at and not turned:
        raise DataError(_which_item(source, [name for k, name in people if k in unclear]))
    notes.ignore(
        f"{k + 1} (no name)" for k, _ in nameless if any(cells[k]) and not _is_distinct(cells[k])
    )
    kept = {k for k, _ in columns.annotators}
    people = [(k, name) for k, name in people if k in kept]
    other = unclear | _columns_of_other_values(people, cells)
    about = _about_labels(people, other)
    notes.ignore(name for k, name in people if k in about)
    people = [one for one in people if one[0] not in about]
    derived = _derived(people, cells)
    notes.doubt("derived_columns", [name for k, name in people if k in derived])
    people = [one for one in people if one[0] not in derived]
    about = about | derived
    if not turned:
        measured = replace(columns, annotators=tuple(people))
        require_wide_labels(measured, header, cells, source, guessed=guessed)
    notes.read_as_annotators(name for k, name in people if k in other or is_count_name(name))
    left = tuple(one for one in columns.annotators if one[0] not in about)
    return replace(columns, annotators=left)


def columns_numbering_rows(people: Sequence[tuple[int, str]], cells: Cells) -> tuple[int, ...]:
    """Return the columns that number the rows together, as page and line do; () if none do.

    The rows are in blocks of equal values of the first one or two, and the last one rises within
    each block and falls between blocks.
    """
    first = [k for k, name in people[:_MOST_PARTS] if not _PEOPLE.fullmatch(name)]
    for n in range(1, min(3, len(people) - 2)):  # two annotators at least are left
        for *blocks, last in permutations(first, n + 1):
            if _number_rows_together([cells[k] for k in blocks], cells[last]):
                return (*blocks, last)
    return ()


def _number_rows_together(blocks: Sequence[Sequence[str]], last: Sequence[str]) -> bool:
    parts = [_NUMBERED.fullmatch(cell) for cell in last]
    if len(last) < _FEWEST_IN_BLOCKS or not all(parts):
        return False
    numbers = [int(part[2]) for part in parts if part is not None]
    rows = [*zip(*blocks, strict=True)]
    borders = [k for k in range(1, len(rows)) if rows[k] != rows[k - 1]]
    if not borders or len({*rows}) != len(borders) + 1 or not all(map(all, rows)):
        return False
    at_borders = {*borders}
    rises = [numbers[k] > numbers[k - 1] for k in range(1, len(numbers)) if k not in at_borders]
    falls = [numbers[k] <= numbers[k - 1] for k in borders]
    return len(rises) >= max(len(borders), _FEWEST_IN_BLOCKS // 2) and all(rises) and all(falls)


def _about_labels(people: Sequence[tuple[int, str]], other: Collection[int]) -> set[int]:
    """Return the columns that describe the item or the labels, beside two that are annotators'.

    Their names are not those of annotators, and they have other values; or they are remarks.

    other  columns that have other values than the rest
    """
    remarks = {k for k, name in people if _REMARK.search(name)}
    called = annotator_like_columns(people) - remarks
    if len(called) < 2:
        return set()
    counts = {k for k, name in people if is_count_name(name)}
    return (remarks | {*other}) - called - counts


def _derived(people: Sequence[tuple[int, str]], cells: Cells) -> set[int]:
    """Return the columns computed from the others: whether these agree, and measures of agreement.

    A measure has one cell, whose value no other column has.
    """
    given = {k: [cell for cell in cells[k] if cell] for k, _ in people}
    n_rows = max((len(cells[k]) for k, _ in people), default=0)
    measures = {
        k
        for k, name in people
        if n_rows >= _FEWEST_CELLS
        and len(given[k]) == 1
        and _MEASURE.search(name)
        and not any(given[k][0] in cells[other] for other, _ in people if other != k)
    }
    left = [one for one in people if one[0] not in measures]
    if len(left) < 3:
        return measures
    return measures | {
        k
        for k, name in left
        if _says_whether_equal(k, left, cells, fewest=0 if _MEASURE.search(name) else _FEWEST_EACH)
        and (_MEASURE.search(name) or _has_own_values(k, left, cells))
    }


def _has_own_values(k: int, people: Sequence[tuple[int, str]], cells: Cells) -> bool:
    """Whether no other column has a value of this one.

    Of labels of two categories, each column says whether the two others are equal.
    """
    others = {cell for other, _ in people if other != k for cell in cells[other]} - {""}
    return others.isdisjoint(cells[k])


def _says_whether_equal(
    k: int, people: Sequence[tuple[int, str]], cells: Cells, *, fewest: int
) -> bool:
    """Whether a column has one value where all others are equal, and another where they differ.

    fewest  rows of either kind that show it
    """
    others = [cells[other] for other, _ in people if other != k]
    found: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for own, *rest in zip(cells[k], *others, strict=True):
        if own and all(rest):
            found[len({*rest}) == 1][own] += 1
    equal, differ = found[True], found[False]
    if max(len(equal), len(differ)) != 1 or not equal.keys().isdisjoint(differ):
        return False
    return min(equal.total(), differ.total()) >= fewest


def _with_item(
    columns: Columns,
    people: Sequence[tuple[int, str]],
    cells: Cells,
    notes: SourceNotes,
) -> tuple[Columns, set[int]]:
    """Take the column of row numbers from the annotators; it is the item if none is known.

    Also return the columns that have a different value in each row and are kept.
    """
    own = [
        (k, name)
        for k, name in people
        if _is_distinct(cells[k]) and (_are_consecutive(cells[k]) or not is_count_name(name))
    ]
    others = [k for k, _ in people if not _is_distinct(cells[k])]
    named = [one for one in own if _INDEX.fullmatch(one[1].strip())]
    if len(named) == len(people):
        named = []
    unnamed = [one for one in own if one not in named]
    repeat = bool(others) and all(_repeats(cells[k]) for k in others)
    labels = {cell for k in others for cell in cells[k]}
    numbered = [one for one in unnamed if _are_consecutive(cells[one[0]])]
    certain = len(numbered) == 1 and _numbers_rows(numbered[0][0], people, others, cells)
    indices = [*named, *(numbered if certain else [])]
    unclear = [
        (k, name)
        for k, name in unnamed
        if (k, name) not in indices
        and others
        and (
            (len(numbered) == 1 and (k, name) in numbered and _is_counting(cells[k]))
            or (repeat and (len(cells[k]) >= _FEWEST_SHARED or labels.isdisjoint(cells[k])))
        )
    ]
    kept = {k for k, _ in unclear}
    if not indices:
        return columns, kept
    taken = {k for k, _ in indices}
    at = columns.at
    if "item" not in at:
        position, name = max(indices, key=lambda one: bool(one[1]))  # the first that has a name
        at = {**at, "item": position}
        if name:
            notes.take_as_item(name)
    notes.ignore(name for k, name in indices if k != at["item"] and name)
    left = tuple(one for one in columns.annotators if one[0] not in taken)
    return replace(columns, at=at, annotators=left), kept


def _numbers_rows(
    k: int, people: Sequence[tuple[int, str]], others: Sequence[int], cells: Cells
) -> bool:
    """Whether the consecutive numbers in column k are certain to be the rows', not labels.

    They are beside labels that repeat or are words, and in the rows' order beside values that make
    no ranking of as many items.
    """
    if others and not any(_are_numbers(cells[one]) for one in others):
        return True
    if len(cells[k]) < _FEWEST_NUMBERED:
        return False
    beside = {cell for other, _ in people if other != k for cell in cells[other]} - {""}
    ranking = beside.issubset(cells[k])
    repeat = bool(others) and all(_repeats(cells[one]) for one in others)
    return repeat or (_is_counting(cells[k]) and not ranking)


def is_remark_name(name: str) -> bool:
    """Whether a column has the name of remarks, certainty, dates or durations."""
    return _REMARK.search(name) is not None


def _which_item(source: str, names: Sequence[str]) -> str:
    first, *more = names
    also = f" {format_options(exclude_annotators=','.join(more))}" if more else ""
    return (
        f"{source}: {', '.join(map(repr, names))} has a different value in each row, while the "
        f"other columns repeat theirs: `{option('item', shlex.quote(first))}{also}` if it names "
        f"the items, `{format_options(exclude_annotators=','.join(names))}` to leave it out, "
        f"`{format_options(item='')}` if it is an annotator"
    )


def _is_distinct(column: Sequence[str]) -> bool:
    """Whether there is a different value in each row."""
    return len(column) >= _FEWEST_ROWS and all(column) and len({*column}) == len(column)


def _repeats(column: Sequence[str]) -> bool:
    """Whether values occur twice on average, as labels do."""
    given = [cell for cell in column if cell]
    return 2 * len({*given}) <= len(given) + 1


def _texts(people: Sequence[tuple[int, str]], cells: Cells) -> set[int]:
    """Return the columns of the items' texts: several words, other ones in each row.

    No label is a text while the labels of the other columns repeat.
    """
    found = {k for k, _ in people if _is_distinct(cells[k]) and _has_sentences(cells[k])}
    others = [k for k, _ in people if k not in found and not _is_distinct(cells[k])]
    return found if others and all(_repeats(cells[k]) for k in others) else set()


def _has_sentences(column: Sequence[str]) -> bool:
    return sum(cell.count(" ") for cell in column) >= _FEWEST_BLANKS * len(column)


def _are_consecutive(column: Sequence[str]) -> bool:
    """Whether the column numbers its rows (1, 2, 3 or d1, d2, d3), in any order."""
    parts = [_NUMBERED.fullmatch(cell) for cell in column]
    named = [(part[1], int(part[2])) for part in parts if part is not None]
    if len(named) < len(column) or len({prefix for prefix, _ in named}) > 1:
        return False
    numbers = sorted(number for _, number in named)
    return numbers == [*range(numbers[0], numbers[0] + len(numbers))]


def _is_counting(column: Sequence[str]) -> bool:
    """Whether the column counts the rows, in their order, from 0 or 1."""
    return any(list(column) == [str(k + first) for k in range(len(column))] for first in (0, 1))


def _are_numbers(column: Sequence[str]) -> bool:
    try:
        return bool([float(cell) for cell in column if cell])
    except ValueError:
        return False


def _columns_of_other_values(people: Sequence[tuple[int, str]], cells: Cells) -> set[int]:
    """Return the columns that share no value with the largest group of columns that share some."""
    values = {k: {cell for cell in cells[k] if cell} for k, _ in people}
    scales = {k for k, _ in people if _are_numbers(cells[k])}
    spans = {k: (min(map(float, values[k])), max(map(float, values[k]))) for k in scales}
    if len(set[str]().union(*(values[k] for k in scales))) <= _SCALE:
        spans = {}
    groups: list[tuple[list[int], set[str], list[tuple[float, float]]]] = []
    for k, _ in people:
        joined = ([k], set(values[k]), [spans[k]] if k in spans else [])
        apart = []
        for group in groups:
            touch = any(a[0] <= b[1] and b[0] <= a[1] for a in group[2] for b in joined[2])
            if touch or not joined[1].isdisjoint(group[1]):
                joined = (group[0] + joined[0], joined[1] | group[1], group[2] + joined[2])
            else:
                apart.append(group)
        groups = [*apart, joined]
    remarks = {k for k, name in people if _REMARK.search(name)}
    groups.sort(key=lambda group: (-len({*group[0]} - remarks), min(group[0])))
    several = bool(groups) and len(groups[0][0]) > 1
    return {
        k
        for group, *_ in groups[1:]
        for k in group
        if k in remarks
        or (several and len([cell for cell in cells[k] if cell]) >= _FEWEST_CELLS)
        or (several and any(" " in value for value in values[k]))
    }


def _rows_look_like_annotators(
    columns: Columns, header: Sequence[str], cells: Cells, source: str, *, refused: bool
) -> bool:
    """Whether the rows seem to be annotators, by their names or because they are few.

    refused  whether to raise DataError if their names say so
    """
    if all(is_annotator_name(name) for _, name in columns.annotators):
        return False
    at = columns.at.get("item", 0)
    rows = [cell for cell in cells[at] if cell]
    people = [k for k, name in enumerate(header) if _PEOPLE.fullmatch(name)]
    named = len({*rows}) == len(rows) > 1 and (all(map(is_annotator_name, rows)) or people == [at])
    if named and refused:
        whose = f" {option('annotator', shlex.quote(header[at]))}" if header[at] else ""
        item = option("item", shlex.quote(header[at]))
        items = f"; if the rows are items: `{item}`" if whose else ""
        raise DataError(
            f"{source}: the rows are called like annotators ({', '.join(rows[:2])} …): if each row "
            f"is an annotator and each column an item, use "
            f"`{format_options(layout='transposed')}{whose}`{items}"
        )
    n_columns, n_rows = len(columns.annotators), len(cells[at])
    return named or (n_rows > 1 and n_columns >= max(_MANY_COLUMNS, _TIMES * n_rows))


def annotators_of_rows(
    columns: Columns, survey: SurveyHeader | None, cells: Cells, named: Mapping[str, str]
) -> Columns:
    """Return the columns of a transposed table, with the column that names its annotators.

    A survey's items are its questions, unless the option `item` lists them.
    """
    at, items = {**columns.at}, columns.items
    if survey is not None:
        if "annotator" not in named and survey.respondent is not None:
            at["annotator"] = survey.respondent
        if "item" not in named:
            items = tuple(one for one in items if one[0] in survey.questions)
    elif "annotator" not in at and "annotator" not in named and _are_names(cells):
        at["annotator"] = 0
    items = tuple(one for one in items if one[0] not in at.values())
    used = {*items, *((k, name) for k, name in columns.items if k in at.values())}
    ignored = (name for k, name in columns.items if (k, name) not in used)
    return replace(columns, at=at, items=items, ignored=(*columns.ignored, *ignored))


def _are_names(cells: Cells) -> bool:
    """Whether the first column names the rows: all differ, and no other column has their values."""
    first, *others = cells
    labels = {cell for column in others for cell in column}
    return all(first) and len({*first}) == len(first) and labels.isdisjoint(first)
