"""Columns of annotators among columns of other things: of one question, by their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from ...annotator_names import are_human_and_machine, suggested_roles
from .column_facts import ColumnFacts
from .column_names import (
    ANNOTATORS,
    EXPERTS,
    NUMBERED,
    OF_ITEMS,
    is_annotator_name,
    is_item_name,
    is_of_judged_name,
    is_remark_name,
    is_statistic_name,
)
from .other_shapes import SPLITS, pairs_of_names, questions_of_names

_LETTERED = re.compile(r"(.*?)(?:[ _.-]|(?<=[a-z])(?=[A-Z]))([A-Za-z])")
_OF_LABELS = re.compile(  # what an annotator gave, and no question
    r"(.*[ _.-])?(labels?|ratings?|annotations?|answers?|judge?ments?|votes?|scores?|codings?"
    r"|winners?|preferences?|choices?|decisions?|verdicts?|opinions?)([ _.-][A-Za-z]{1,12})?",
    re.I,
)

_OF_PERSON = re.compile(  # what somebody gave: `Coding Maria`
    r"(coding|annotation|annotated|annotator|coder|rater|reviewer|judge|observer|screener)s?"
    r"([ _.-]by)?[ _.-]+[^\W\d]{2,}",
    re.I,
)
_OF_ANSWER = re.compile(r".*(response|answer|rating|label|decision|code|screen\w*|inclu\w*)", re.I)
_OF_ROW = re.compile(  # names the annotator of each row
    rf"[\W_]?(annotator|{'|'.join(ANNOTATORS)})s?([ _.-]?(ids?|nr|no|number|name))?", re.I
)
_PERSON = re.compile(
    r"(\w{1,20}[ _.-])?(ann|annotator|rater|coder|judge|observer|worker|scorer|reviewer)[ _.-]*"
    r"([0-9]{1,4}|[a-z])",
    re.I,
)
_OF_PERSONS = re.compile(
    r"(?i:(.*[ _.-])?(ages?|genders?|sex|education|nationality|native))([ _.-].*|[A-Z].*)?"
)
_PREDICTED = re.compile(r"(.*[\W_])?pred(ict(ed|ions?)?)?s?([\W_].*)?", re.I)
_ID = re.compile(r".*(id|no|nr|number)|(?i:id)([ _.-].*|[A-Z].*)", re.I)
_INITIALS = ("a", "r", "c", "j", "ann", "anno")  # of annotators with numbers
_INITIALED = re.compile(rf"({'|'.join(_INITIALS)})[0-9]+", re.I)
_LEAST_AGREEMENT, _LEAST_OF_FAMILY = 0.2, 0.1  # κ
MOST_UNNAMED, _MOST_NUMBERED = 30, 1000  # annotators


def columns_called_after_annotators(
    names: Sequence[str], cells: Sequence[Sequence[str]]
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield columns such as `tag_ann1` and `tag_ann2`, or `tag` and `tag.reli`, by question."""
    at = dict(zip(names, cells, strict=True))
    found = questions_of_names(dict(enumerate(names)))
    every = {k: who for own in found.values() for k, who in own.items()}
    questions = [own for own in found.values() if len(own) > 1]
    if not questions and len({*every.values()}) == len(every):
        questions = [every]
    called = {names[k] for k in every}
    for own in questions:
        columns = [names[k] for k in own]
        if len(columns) > 1 and _share_values(at, columns):
            yield columns, [name for name in names if name not in called]
    again = [] if any(map(_OF_ROW.fullmatch, names)) else [*_coded_twice(names)]
    coded = {name for some in again for name in some}
    for some in again:
        agreed = {
            one for name, cells_of in at.items() if some[0].startswith(name) for one in cells_of
        }
        if _share_values(at, some) and agreed <= {one for name in some for one in at[name]}:
            yield some, [name for name in names if name not in coded]


def annotator_columns(
    names: Sequence[str], cells: Sequence[Sequence[str]]
) -> Iterator[tuple[list[str], list[str]]]:
    """Yield columns that may be the annotators' of one question, and the columns of other things.

    cells  of each column
    """
    full = pairs_of_names(names)
    grid = full or _largest_grid(names)
    at = dict(zip(names, cells, strict=True))
    every = [one for one in _questions(at, grid) if _may_be_question(one, grid, names)]
    questions = [one for one in every if _share_values(at, one)]
    alike = questions if full or _are_of_labels(questions, every) else []
    if not full and _are_some_of_many(at, grid):
        alike = []
    if any(map(_OF_ROW.fullmatch, names)):
        alike = []
    called = [name for name in names if is_annotator_name(name)]
    of_persons = [name for name in names if _OF_PERSON.fullmatch(name.strip())]
    of_persons = of_persons if len(of_persons) <= MOST_UNNAMED else []
    if any(_kappa(at[a], at[b]) < _LEAST_AGREEMENT for a, b in combinations(of_persons, 2)):
        of_persons = []  # of several questions
    families = (called, of_persons, *_numbered_columns(names), lettered_columns(names))
    for columns in (*alike, *families, *_agreeing_families(at)):
        if len(columns) > 1 and _share_values(at, columns):
            yield columns, [name for name in names if name not in (*grid, *columns)]


def _agreeing_families(at: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield three columns or more with one ending or beginning that agree: `Ana_tone`, `Ben_tone`.

    The label of a system and a right one need not agree: `gold_label`, `gpt_label`.
    """
    families: dict[tuple[int, str], dict[str, str]] = {}
    for split, name in product(SPLITS, at):
        pair = split(name.strip())
        if all(pair) and not (_is_of_items(name) or is_remark_name(name)):
            for k in (1, 0):
                families.setdefault((k, pair[k]), {})[name] = pair[1 - k]
    stems: dict[tuple[int, str], list[str]] = {}
    for (k, stem), who in families.items():
        for part in who.values():
            stems.setdefault((k, part), []).append(stem)
    for (k, stem), who in families.items():
        parts = {*who.values()}
        are_few = 1 < len(parts) <= MOST_UNNAMED and all(map(str.isalpha, parts))
        if not are_few or OF_ITEMS.fullmatch(stem):
            continue
        shared = Counter(other for part in parts for other in stems[k, part] if other != stem)
        is_in_grid = max(shared.values(), default=0) > 1
        of_parts = suggested_roles(parts)
        persons = [name for name, part in who.items() if part not in of_parts]
        agreement = [_kappa(at[a], at[b]) for a, b in combinations(persons, 2)]
        if (
            len(persons) > 2
            and not is_in_grid
            and sum(agreement) >= _LEAST_OF_FAMILY * len(agreement)
        ):
            yield [*who]
            yield persons
        elif are_human_and_machine(parts):
            yield [*who]


def with_agreeing_columns(
    facts: ColumnFacts, columns: Sequence[str], others: Sequence[str]
) -> list[str]:
    """Return annotators' columns with two others or more that agree with them as they do.

    `ann` and `ben` beside `rater3` and `rater4`; a single one may be what these agreed on, but for
    the first of `label2`, `label3` …
    """
    numbers = [match[2] for name in columns if (match := NUMBERED.fullmatch(name.strip()))]
    lack_first = len(numbers) == len(columns) and min(map(int, numbers)) == 2
    if not (lack_first or all(map(is_annotator_name, columns))):
        return [*columns]
    roles = suggested_roles(others)
    cells = {name: facts.texts(facts.header.index(name)) for name in (*columns, *others)}
    used = {one for name in columns for one in cells[name]}
    alike = [
        name
        for name in others
        if {*cells[name]} - {""} <= used and name not in roles and not _is_of_items(name)
    ]
    among = [_kappa(cells[a], cells[b]) for a, b in combinations(columns, 2)]
    least = max(_LEAST_AGREEMENT, sum(among) / len(among) / 2)
    alike = [a for a in alike if all(_kappa(cells[a], cells[b]) >= least for b in columns)]
    return [*alike, *columns] if (len(alike) == 1 and lack_first) or len(alike) > 1 else [*columns]


def _is_of_items(name: str) -> bool:
    like_items = (is_item_name, is_statistic_name, is_of_judged_name, OF_ITEMS.fullmatch)
    return any(like(name) for like in like_items)


def _kappa(one: Sequence[str], other: Sequence[str]) -> float:
    """Return Cohen's κ of two columns where both have a label; 0 where it is not defined."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    first, second = (Counter(pair[k] for pair in pairs) for k in (0, 1))
    expected = sum(n * second[label] for label, n in first.items()) / max(len(pairs), 1) ** 2
    observed = sum(a == b for a, b in pairs) / max(len(pairs), 1)
    return (observed - expected) / (1 - expected) if expected < 1 else 0.0


def _may_be_question(
    names: Sequence[str], grid: Mapping[str, tuple[str, str]], known: Sequence[str]
) -> bool:
    """Whether columns are no statistics, and no attributes of persons such as `age_author`.

    `reply1_grade`, `reply2_grade` beside `reply1`, `reply2` are judgements of these columns.

    known  the names of all columns
    """
    about = [name for name in names if any(map(_OF_PERSONS.fullmatch, grid[name]))]
    firsts = {name.rpartition(sign)[0] for name in names for sign in "_.-: "} & {*known}
    are_judged = len(firsts) == len(names) > 1
    are_predicted = any(map(_PREDICTED.fullmatch, names))
    return not (about or are_judged or are_predicted or any(map(is_statistic_name, names)))


def _are_of_labels(questions: Sequence[Sequence[str]], every: Sequence[Sequence[str]]) -> bool:
    """Whether questions with values in common are most of a grid, or one is called so.

    In a grid of two things that are compared, most of what describes them differs.
    """
    stems = (name for one in questions[:1] for name in one)
    are_called = any(map(_OF_ANSWER.fullmatch, stems))
    return 2 * len(questions) >= len(every) > 1 and (len(questions) > 1 or are_called)


def _are_some_of_many(at: Mapping[str, Sequence[str]], grid: Mapping[str, object]) -> bool:
    """Whether more columns than those of a grid have all their values in common with it."""
    used = {value for name in grid for value in at[name]} - {""}
    given = ({*cells} - {""} for name, cells in at.items() if name not in grid)
    return bool(used) and sum(own == used for own in given) > len(grid)


def _share_values(at: Mapping[str, Sequence[str]], names: Sequence[str]) -> bool:
    """Whether columns have a value in common, repeat theirs, and have more than one."""
    values = [{*at[name]} - {""} for name in names]
    is_one = len(set.union(*values)) < 2
    n_given = sum(any(row) for row in zip(*(at[name] for name in names), strict=True))
    if 2 * n_given < len(at[names[0]]):
        return False  # hardly used, beside others that are
    return (
        bool(set.intersection(*values))
        and not is_one
        and all(2 * len(own) <= len(at[name]) for name, own in zip(names, values, strict=True))
    )


def _questions(
    at: Mapping[str, Sequence[str]], grid: Mapping[str, tuple[str, str]]
) -> Iterator[list[str]]:
    """Yield the columns of each question, equal more often than those of one annotator."""
    if not grid:
        return
    equal: list[list[float]] = [[], []]
    for (one, of_one), (other, of_other) in combinations(grid.items(), 2):
        shared = [k for k in (0, 1) if of_one[k] == of_other[k]]
        for k in shared:
            rows = [*zip(at[one], at[other], strict=True)]
            equal[k].append(sum(a == b for a, b in rows) / max(len(rows), 1))
    question = 0 if sum(equal[0]) / len(equal[0]) > sum(equal[1]) / len(equal[1]) else 1
    are_called = [
        any(is_annotator_name(pair[k]) or _INITIALED.fullmatch(pair[k]) for pair in grid.values())
        for k in (0, 1)
    ]
    if are_called[0] != are_called[1]:  # else by what is equal
        question = 0 if are_called[1] else 1
    if all(is_item_name(pair[1 - question]) for pair in grid.values()):
        return
    for first in dict.fromkeys(pair[question] for pair in grid.values()):
        own = {name: pair[1 - question] for name, pair in grid.items() if pair[question] == first}
        called = [name for name, who in own.items() if is_annotator_name(who)]
        yield called if len(called) > 1 else [*own]  # beside them is what they agreed on


def _largest_grid(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the names of which several beginnings have the same endings; {} if there are none.

    `tone_a, tone_b, topic_a, topic_b` beside other columns.
    """
    found: dict[str, tuple[str, str]] = {}
    for split in (*SPLITS, at_number):
        pairs = {name: split(name.strip()) for name in names}
        pairs = {name: pair for name, pair in pairs.items() if all(pair)}
        endings: dict[str, list[str]] = {}
        for first, last in pairs.values():
            endings.setdefault(first, []).append(last)
        alike: dict[tuple[str, ...], list[str]] = {}
        for first, own in endings.items():
            alike.setdefault(tuple(sorted(own)), []).append(first)
        for lasts, firsts in alike.items():
            if min(len(lasts), len(firsts)) > 1 and len(lasts) * len(firsts) > len(found):
                found = {name: pair for name, pair in pairs.items() if pair[0] in firsts}
    return found


def at_number(name: str) -> tuple[str, str]:
    match = NUMBERED.fullmatch(name)
    return (match[1], match[2]) if match else ("", "")


def _coded_twice(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the columns of each question of which several were coded again: `tone`, `tone.reli`.

    Of two who coded, `tone_a` and `tone_b`, without `tone`, on which they agreed.
    """
    known = {*names} - {""}
    firsts = ((name.rpartition(sign)[0], name) for name in names for sign in "_.-: ")
    pairs = [(first, name) for first, name in firsts if first in known]
    endings = Counter(name.removeprefix(first) for first, name in pairs)
    several = [ending for ending, n in endings.items() if n > 2]
    for first in dict.fromkeys(first for first, _ in pairs):
        own = [name for name in (first + ending for ending in several) if name in known]
        if own:
            yield own if len(own) > 1 else [first, *own]


def _numbered_columns(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield columns such as `label_1`, `label_2` …: of annotators without names."""
    families: dict[str, dict[int, str]] = {}
    for name in names:
        if match := NUMBERED.fullmatch(name.strip()):
            families.setdefault(match[1], {})[int(match[2])] = name
        elif match := _LETTERED.fullmatch(name.strip()):
            families.setdefault(match[1], {})[ord(match[2].lower()) - ord("a")] = name
    for stem, own in families.items():
        is_called = stem.strip().casefold() in (*ANNOTATORS, *EXPERTS, *_INITIALS)
        if stem in (one[:-1] for one in names if one[-1:].isalpha()):
            is_called = False  # R1, R2 and RL are of one thing
        is_called = is_called or _OF_LABELS.fullmatch(stem) is not None
        first = min(own)
        if is_called and first < 3 and {*own} == {*range(first, first + len(own))}:
            yield [*own.values()]


def lettered_columns(names: Sequence[str]) -> list[str]:
    """Return the columns that are called A, B, C …; [] if there are less than three."""
    found = [name for name in names if len(name) == 1 and name.isalpha()]
    in_order = all(ord(name.lower()) == ord("a") + k for k, name in enumerate(sorted(found)))
    return found if len(found) > 2 and in_order else []


def are_annotators(values: Sequence[str]) -> bool:
    """Whether values are called after numbered annotators: `Ann. 1`, `rater_b`."""
    return 1 < len(values) <= _MOST_NUMBERED and all(map(_PERSON.fullmatch, values))


def are_numbered(values: Sequence[str]) -> bool:
    """Whether values have one beginning and a number each, and name no systems or the like."""
    found = [NUMBERED.fullmatch(one) for one in values]
    stems = {one[1].casefold() for one in found if one}
    return all(found) and len(stems) == 1 and not any(map(OF_ITEMS.fullmatch, stems))


def have_attributes(facts: ColumnFacts, k: int) -> bool:
    """Whether a column of numbers or names goes with one age, one gender or the like each."""
    about = [own for own, name in enumerate(facts.header) if _OF_PERSONS.fullmatch(name.strip())]
    return (
        _ID.fullmatch(facts.header[k].strip()) is not None
        and facts.n_values(k) < facts.n_rows
        and any(facts.n_values(own) > 1 and facts.is_determined(own, [k]) for own in about)
    )
