"""Propose options that say what the columns of a table are, from facts of their values.

Names only rank what the facts allow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from ...errors import DataError
from ...option_names import format_options
from ..common.span_rules import is_number
from .column_facts import ColumnFacts
from .column_names import ALTERNATIVE_NAMES, is_annotator_name, is_count_name
from .column_roles import is_remark_name
from .counts import are_counts
from .header_lines import header_is_doubtful, survey_header
from .layout import Layout
from .other_shapes import pairs_of_names
from .platform_status import PlatformStatus, columns_of_platform

_STARTS = re.compile(r"(.*[ _.-])?(start|begin|from|onset|pos0|index1|selfirst)([ _.-].*)?", re.I)
_ENDS = re.compile(r"(.*[ _.-])?(end|stop|to|offset|pos1|index2|sellast)([ _.-].*)?", re.I)
_CATEGORY = re.compile(r".*(code|categ|label|tag|type|class|name).*", re.I)
_DOCUMENT = re.compile(r".*(doc|file|text|source).*", re.I)
_OF_ITEMS = re.compile(  # what a column says of the items, and of no annotator
    r"(.*[ _.-])?(aspects?|dimensions?|criteri(on|a)|questions?|qualit(y|ies)|metrics?|systems?"
    r"|models?|conditions?|layers?|splits?|folds?|topics?|datasets?|domains?|lang(uage)?s?"
    r"|sources?|sets?|genres?)([ _.-]?(ids?|names?))?",
    re.I,
)
_PERSON = re.compile(
    r"(ann|annotator|rater|coder|judge|observer|worker|scorer|reviewer)[ _.-]*([0-9]{1,4}|[a-z])",
    re.I,
)
_MOST_TRIED = 7  # columns of each kind
_MOST_CATEGORIES = 50
_MOST_UNNAMED, _LONGEST_NAME = 30, 40  # annotators, and their characters
_COMPLETE = 0.98
_FEWEST_ROWS = 4
_FEWEST_HEADERLESS = 50  # rows in which a key of columns without names is no chance


def proposed_options(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield options of the format table, the most probable ones first; none may be right."""
    units = [*_units(facts)]
    yield from units
    if units:
        return
    cells = [[one or "" for one in facts.cells(k)] for k in range(len(facts.header))]
    if are_counts(cells) or are_counts(cells[1:]):
        yield {"layout": Layout.COUNTS}
    long = [*_long(facts)]
    yield from (names for is_named, names in long if is_named)
    yield from (
        {"layout": Layout.WIDE, "count": facts.header[k]}
        for k in _named(facts)
        if is_count_name(facts.header[k]) and all(one.isdecimal() for one in cells[k])
    )
    yield {"layout": Layout.WIDE}
    yield from _questions_of_grid(facts, cells)
    yield from (names for is_named, names in long if not is_named)
    if survey_header(facts.header, cells) is not None:
        yield {"layout": Layout.TRANSPOSED}
    if _is_without_header(facts, cells):
        numbered = ColumnFacts([str(k + 1) for k in range(len(cells))], facts.columns)
        long = [*_long(numbered)] if facts.n_rows >= _FEWEST_HEADERLESS else []
        yield from ({"header": "no", **names} for _, names in long)
        yield {"header": "no", "layout": Layout.WIDE}


def units_hint(facts: ColumnFacts) -> str:
    """Return the options that read a table as one of units; "" if nothing looks like bounds."""
    found = next(_units(facts), None)
    if found is None:
        return ""
    files = {} if "annotator" in found else {"paths": "{annotator}"}
    return f"Units are read with `{format_options(**found, **files)}`"


def _is_without_header(facts: ColumnFacts, cells: Sequence[Sequence[str]]) -> bool:
    try:
        header_is_doubtful(facts.header, cells, "")
    except DataError:
        return True
    return False


def _questions_of_grid(
    facts: ColumnFacts, cells: Sequence[Sequence[str]]
) -> Iterator[dict[str, str]]:
    """Yield the annotators' columns of the first question of a table of several questions.

    Columns of one question are equal more often than those of one annotator.
    """
    grid = pairs_of_names(facts.header)
    if not grid:
        yield from ({"annotator": ",".join(names)} for names in _same_endings(facts, cells))
        return
    at = {name: facts.header.index(name) for name in grid}
    equal: list[list[float]] = [[], []]
    for (one, of_one), (other, of_other) in combinations(grid.items(), 2):
        shared = [k for k in (0, 1) if of_one[k] == of_other[k]]
        for k in shared:
            rows = [*zip(cells[at[one]], cells[at[other]], strict=True)]
            equal[k].append(sum(a == b for a, b in rows) / max(len(rows), 1))
    question = 0 if sum(equal[0]) / len(equal[0]) > sum(equal[1]) / len(equal[1]) else 1
    first = next(iter(grid.values()))[question]
    columns = ",".join(name for name, pair in grid.items() if pair[question] == first)
    others = [k for k in _named(facts) if facts.header[k] not in grid]
    items = [facts.header[k] for k in others if facts.n_values(k) == facts.n_rows]
    yield {**({"item": items[0]} if items else {}), "annotator": columns}


def _same_endings(facts: ColumnFacts, cells: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the columns of the first question if several questions have the same endings.

    `tone_a, tone_b, topic_a, topic_b` beside other columns: of annotators a and b.
    """
    for sign in "_.-: ":
        endings: dict[str, list[str]] = {}
        for name in facts.header:
            question, _, ending = name.rpartition(sign)
            if question and ending:
                endings.setdefault(question, []).append(ending)
        times = Counter(tuple(sorted(one)) for one in endings.values() if len(one) > 1)
        for people, n in times.most_common(1):
            questions = [one for one, own in endings.items() if tuple(sorted(own)) == people]
            columns = [tuple(f"{one}{sign}{who}" for who in people) for one in questions]
            alike = [one for one in columns if _share_values(facts, cells, one)]
            if n > 1 and len(alike) > 1:
                yield alike[0]


def _share_values(facts: ColumnFacts, cells: Sequence[Sequence[str]], names: Sequence[str]) -> bool:
    """Whether columns have a value in common, and repeat theirs."""
    values = [{*cells[facts.header.index(name)]} - {""} for name in names]
    return bool(set.intersection(*values)) and all(2 * len(v) <= facts.n_rows for v in values)


def proposed_options_of_files(
    facts: ColumnFacts, other: ColumnFacts | None, paths: str
) -> Iterator[dict[str, str]]:
    """Yield options for several tables of the same columns, each the work of one annotator.

    facts, other  of the first table, and of that of another annotator if there is one
    paths         the pattern of the paths, which names the annotators
    """
    for given in _units(facts):
        yield {name: own for name, own in given.items() if name != "annotator"} | {"paths": paths}
    more = {"paths": paths}
    cells = [[one or "" for one in facts.cells(k)] for k in range(len(facts.header))]
    if _is_without_header(facts, cells) or _has_label_as_name(facts):
        facts, other = facts.with_numbered_columns(), other and other.with_numbered_columns()
        more |= {"header": "no"}
    columns = _named(facts)
    unique = [k for k in columns if facts.unique_share(k) >= _COMPLETE and not facts.is_time(k)]
    labels = [k for k in columns if k not in unique and _may_be_label(facts, k)]
    if other is not None and other.header == facts.header:
        differ = [k for k in labels if not _is_same(facts, other, k, unique)]
        labels = differ or labels
    labels.sort(key=lambda k: -_fits(facts, k, "label"))
    for item in sorted(unique, key=lambda k: -_fits(facts, k, "item"))[:2]:
        for label in labels[:2]:
            yield {"item": facts.header[item], "label": facts.header[label], **more}
    if other is not None and other.n_rows == facts.n_rows:  # the row may be the item
        yield from ({"item": "", "label": facts.header[label], **more} for label in labels[:2])


def _has_label_as_name(facts: ColumnFacts) -> bool:
    """Whether a column is called like one of its few values, as where the first line is data."""
    return any(
        name in facts.values(k)
        for k, name in enumerate(facts.header)
        if name and facts.n_values(k) <= min(_MOST_CATEGORIES, facts.n_rows / 10)
    )


def _is_same(facts: ColumnFacts, other: ColumnFacts, k: int, unique: Sequence[int]) -> bool:
    """Whether two tables have the same values in a column: what was shown, not a label."""
    if facts.n_rows == other.n_rows:
        return facts.cells(k) == other.cells(k)
    by_item = (
        [dict(zip(one.cells(unique[0]), one.cells(k), strict=True)) for one in (facts, other)]
        if unique
        else [{}, {}]
    )
    shared = by_item[0].keys() & by_item[1].keys()
    return bool(shared) and all(by_item[0][one] == by_item[1][one] for one in shared)


def _long(facts: ColumnFacts) -> Iterator[tuple[bool, dict[str, str]]]:
    """Yield the columns of item, annotator and label of a table with one row per label.

    With each, whether the column of the annotators is called so.
    """
    if facts.n_rows < _FEWEST_ROWS:
        return
    columns = [k for k in _named(facts) if facts.n_values(k) > 1]
    people = [k for k in columns if _may_be_annotator(facts, k)]
    things = [k for k in columns if facts.n_values(k) < facts.n_rows and not facts.is_time(k)]
    found: list[tuple[float, bool, dict[str, str]]] = []
    for annotator in _best(facts, people, "annotator"):
        for item in _items(facts, things, annotator):
            labels = _labels(facts, columns, item, annotator)
            for label in _best(facts, labels, "label"):
                score = _score(facts, item, annotator, label)
                names = ",".join(facts.header[k] for k in item)
                of_others = {
                    "annotator": facts.header[annotator], "label": facts.header[label]
                }  # fmt: skip
                is_named = _fits(facts, annotator, "annotator") > 0
                found.append((score, is_named, {"item": names, **of_others}))
    if not found:
        yield from ((True, names) for names in _with_passes(facts, columns))
    found.sort(key=lambda one: -one[0])
    yield from ((is_named, names) for _, is_named, names in found[:3])


def _with_passes(facts: ColumnFacts, columns: Sequence[int]) -> Iterator[dict[str, str]]:
    """Yield the columns that are called so in a table where annotators label an item repeatedly."""
    by_role = {
        role: [k for k in columns if _fits(facts, k, role) > 0]
        for role in ("item", "annotator", "label")
    }
    if all(len(found) == 1 for found in by_role.values()):
        names = {role: facts.header[found[0]] for role, found in by_role.items()}
        yield {**names, "repeats": "pass"}


def _items(facts: ColumnFacts, things: Sequence[int], annotator: int) -> Iterator[tuple[int, ...]]:
    """Yield the columns that name an item together: rows differ with the annotator only."""
    others = [k for k in _best(facts, things, "item") if k != annotator]
    singles = [(k,) for k in others if _is_key(facts, (k,), annotator)]
    yield from singles
    found = bool(singles) or _fits(facts, annotator, "annotator") <= 0
    for n in (2, 3):
        several = [] if found else [*combinations(others, n)]
        keys = [one for one in several if _is_key(facts, one, annotator)]
        yield from keys
        found = found or bool(keys)


def _is_key(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> bool:
    n_items = facts.n_values(*item)
    return (
        facts.unique_share(*item, annotator) >= _COMPLETE
        and facts.n_rows >= 1.3 * n_items
        and n_items > 1
        and not facts.is_determined(annotator, item)
    )


def _labels(
    facts: ColumnFacts, columns: Sequence[int], item: tuple[int, ...], annotator: int
) -> list[int]:
    found = [
        k
        for k in columns
        if k not in (*item, annotator)
        and not facts.is_determined(k, [annotator])
        and not facts.is_constant_within(k, item)
    ]
    of_categories = [k for k in found if _may_be_label(facts, k)]
    is_certain = _fits(facts, annotator, "annotator") > 0 and len(item) == 1
    texts = [k for k in found if not facts.is_time(k) and not is_remark_name(facts.header[k])]
    return of_categories or (texts if is_certain else [])


def _may_be_annotator(facts: ColumnFacts, k: int) -> bool:
    name, n = facts.header[k], facts.n_values(k)
    if n > facts.n_rows / 2 or facts.is_time(k) or is_remark_name(name):
        return False
    fits = _fits(facts, k, "annotator")
    if fits != 0:
        return fits > 0
    if all(one.isdecimal() for one in facts.header):  # the columns have no names
        return True
    if n > _MOST_UNNAMED or _OF_ITEMS.fullmatch(name):
        return False
    values = facts.values(k)
    return max(map(len, values), default=0) <= _LONGEST_NAME and not all(map(is_number, values))


def _may_be_label(facts: ColumnFacts, k: int) -> bool:
    n = facts.n_values(k)
    few = n <= _MOST_CATEGORIES or n <= facts.n_rows / 10
    return n > 1 and few and not (facts.is_time(k) or is_remark_name(facts.header[k]))


def _score(facts: ColumnFacts, item: tuple[int, ...], annotator: int, label: int) -> float:
    """Return how well the names fit, and how much the values look like what they would be."""
    named = _fits(facts, annotator, "annotator") * 2 + _fits(facts, label, "label")
    named += sum(_fits(facts, k, "item") for k in item) / len(item)
    more_items = facts.n_values(*item) > facts.n_values(annotator)
    few_labels = facts.n_values(label) < facts.n_values(*item)
    # beside the right answers of the items, labels have the same values
    answers = any(
        {*facts.values(label)} & {*facts.values(k)}
        for k in _named(facts)
        if k not in item and _may_be_label(facts, k) and facts.is_constant_within(k, item)
    )
    of_people = facts.determined_share(label, [annotator])  # such as their age
    complete = facts.n_rows / (facts.n_values(*item) * facts.n_values(annotator))
    named += answers + more_items + few_labels - of_people + 3 * complete
    return named - 0.5 * (len(item) - 1) - 0.01 * label


def _fits(facts: ColumnFacts, k: int, role: str) -> float:
    name = facts.header[k].strip()
    if name.casefold() == role:
        return 2.0
    likely = ALTERNATIVE_NAMES[role].fullmatch(name) is not None
    if role == "annotator":
        likely = likely or is_annotator_name(name) or _are_people(facts.values(k))
    elsewhere = any(
        name.casefold() == other or like.fullmatch(name)
        for other, like in ALTERNATIVE_NAMES.items()
        if other != role
    )
    return 1.0 if likely else -0.5 if elsewhere else 0.0


def _are_people(values: Sequence[str]) -> bool:
    """Whether values are called after numbered annotators: `Ann. 1`, `rater_b`."""
    return 1 < len(values) <= _MOST_UNNAMED and all(map(_PERSON.fullmatch, values))


def _best(facts: ColumnFacts, columns: Sequence[int], role: str) -> list[int]:
    return sorted(columns, key=lambda k: -_fits(facts, k, role))[:_MOST_TRIED]


def _named(facts: ColumnFacts) -> list[int]:
    marks = {*PlatformStatus.of(facts.header, ()).columns, *columns_of_platform(facts.header)}
    return [k for k, name in enumerate(facts.header) if name and k not in marks]


def _units(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the columns of a table of units: bounds, of which the first is below the second."""
    numbers = {k: read for k in _named(facts) if (read := _numbers(facts, k)) is not None}
    starts = [k for k in numbers if _STARTS.fullmatch(facts.header[k])]
    ends = [k for k in numbers if _ENDS.fullmatch(facts.header[k])]
    for start, end in product(starts, ends):
        if start != end and (numbers[start] < numbers[end]).all():
            bounds = {"start": facts.header[start], "end": facts.header[end]}
            others = [k for k in _named(facts) if k not in (start, end)]
            yield bounds | _about_units(facts, [k for k in others if k not in numbers], others)


def _about_units(
    facts: ColumnFacts, texts: Sequence[int], columns: Sequence[int]
) -> dict[str, str]:
    """Return the columns of the category, the document and the annotator that are called so."""
    found = {}
    repeating = [k for k in texts if facts.n_values(k) < facts.n_rows]
    documents = [k for k in repeating if _DOCUMENT.fullmatch(facts.header[k])]
    categories = [k for k in repeating if _CATEGORY.fullmatch(facts.header[k])]
    like = ALTERNATIVE_NAMES["annotator"].fullmatch
    people = [
        k
        for k in columns
        if like(facts.header[k]) or facts.header[k].casefold() in ("owner", "annotator")
    ]
    left = [k for k in repeating if k not in (*documents, *categories)]
    if not people and len(left) == 1:
        people = left
    # `filename` is rather the document's name than that of a category
    for role, some in (
        ("document", documents),
        ("category", [k for k in categories if k not in (*documents, *people)]),
        ("annotator", people),
    ):
        if some:
            found[role] = facts.header[some[0]]
    return found


def _numbers(facts: ColumnFacts, k: int) -> NDArray[np.float64] | None:
    try:
        found = np.array([float(one or "nan") for one in facts.cells(k)])
    except ValueError:
        return None
    return found if len(found) and not np.isnan(found).any() else None
