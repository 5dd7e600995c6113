"""Check that a table of labels is read by the key of a judgement: what was judged, and by whom.

If item and annotator do not tell the rows apart, or if another column does it that is not read,
labels of different things would be compared as labels of one item.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...errors import DataError
from ...joined_names import as_option
from ...option_names import format_options, look_hint, names_campaign_keys, option
from .column_facts import ColumnFacts
from .column_names import is_order_name
from .layout import OtherShapeError

_FEWEST_ROWS, _FEWEST_ROWS_OF_ITEMS = 8, 5
_MOST_REPEATED = 0.5  # of the rows, whatever else the table has
_COMPLETED = 0.25  # of the rows, if a column completes the key
_FEW_REPEATED = 0.02
_COMPLETE = 0.98  # share of different rows with a key
_CERTAIN, _DOUBTFUL = 0.001, 0.05  # probabilities that labels of one thing never share a value
_MOST_TRIED = 12  # columns
_FEWEST_ITEMS = 5  # with several rows
_FEWEST_IN_BLOCK = 8  # rows
_MOST_CONDITIONS, _MOST_QUESTIONS = 50, 20
_FEWEST_OF_LABEL = 5  # rows of a label on average
_LEAST_GAIN = 0.02  # in the share of equal labels under the same condition
_UNSHARED = "no two labels of an item have the same value"
_EVEN = "the labels of an item are divided evenly by the value"


@dataclass(frozen=True, slots=True)
class DoubtfulColumns:
    """Columns that a reader should hear of, because labels may be of something else.

    completing  tell apart rows that repeat an item and annotator
    unshared    never have one value in two rows of an item: part of what was judged, perhaps
    shown       the label, if it is the same for everybody; `rivals` differ between annotators
    items       name something of which each annotator has one row, too, and labels agree more
    """

    completing: tuple[str, ...] = ()
    unshared: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    items: tuple[str, ...] = ()

    def by_code(self) -> dict[str, tuple[str, ...]]:
        """Return the columns by the code of the warning that names them."""
        return {
            "key_incomplete": self.completing,
            "unshared_columns": self.unshared,
            "label_of_items": self.shown,
            "possible_labels": self.rivals,
            "possible_items": self.items,
        }


def check_key(
    facts: ColumnFacts,
    at: Mapping[str, int],
    source: str,
    *,
    joined: Collection[int] = (),
    keeps_repeats: bool = True,
) -> DoubtfulColumns:
    """Check the key of a table with one row per label.

    facts   of the first rows; rows without a label are not counted
    at      the positions of the columns that are read, as in `layout.Columns`
    joined  the positions of the columns that the item is made of, if it is of several
    keeps_repeats  whether no option says what repeated rows are

    Raises DataError if most rows repeat an earlier one, and if a column is certain to be part of
    what was judged.
    """
    label = at["label"]
    if len(facts.given(label)) < facts.n_rows:
        empty = np.array([not one for one in facts.cells(label)], dtype=bool)
        facts = facts.of_rows(~empty)
    if 1 - facts.unique_share(*_key(at)) > _FEW_REPEATED:
        facts = facts.of_distinct_rows()
    if facts.n_rows < _FEWEST_ROWS:
        return DoubtfulColumns()
    item, key = item_columns(at), _key(at)
    read = {*at.values(), *joined}
    others = [k for k, name in enumerate(facts.header) if k not in read and name]
    repeating = [k for k in others if 1 < facts.n_values(k) <= facts.n_rows / 2]
    repeated = 1 - facts.unique_share(*key)
    if keeps_repeats and repeated > _FEW_REPEATED:
        completing = _completing(facts, key, repeating)
        names = tuple(facts.header[k] for k in completing)
        if repeated > (_COMPLETED if completing else _MOST_REPEATED):
            raise DataError(f"{source}: {_repeated_text(facts, at, repeated, names)}")
        return DoubtfulColumns(completing=names)
    candidates = [
        k
        for k in repeating
        if not (facts.is_continuous(k) or facts.is_time(k))
        and not facts.is_determined(k, item)
        and not ("annotator" in at and facts.is_determined(k, [at["annotator"]]))
    ]
    question = column_of_questions(facts, label, item, repeating)
    if question is not None:
        raise DataError(_several_questions_text(facts.header[question], source))
    unshared = _unshared(facts, at, item, candidates, source)
    rivals = _rivals_of_shown_label(facts, at, item, candidates)
    shown = (facts.header[label],) if rivals else ()
    items = _rivals_of_item(facts, at, candidates) if "annotator" in at else ()
    return DoubtfulColumns((), unshared, shown, rivals, items)


def check_items_of_rows(
    facts: ColumnFacts,
    at: Mapping[str, int],
    annotators: Sequence[int],
    source: str,
    *,
    guessed: bool,
) -> None:
    """Check the key of a table with one row per item, whose item column is known.

    annotators   positions of the columns that would be read as annotators
    guessed  whether no option says that the table is a wide one

    Raises DataError if most rows repeat an earlier one.
    """
    if "item" not in at:
        return
    key, facts = _key(at), facts.of_distinct_rows()
    repeated = 1 - facts.unique_share(*key)
    if facts.n_rows < _FEWEST_ROWS_OF_ITEMS or repeated <= _MOST_REPEATED:
        return
    if guessed:
        raise OtherShapeError(
            f"{source}: {repeated:.0%} of the rows repeat the item of an earlier row, as in a "
            "table with one row for each label"
        )
    completing = _completing(facts, key, [k for k in annotators if facts.n_values(k) > 1])
    if len(annotators) - len(completing) < 2:  # no two annotators would be left
        completing = ()
    names = tuple(facts.header[k] for k in completing)
    raise DataError(f"{source}: {_repeated_text(facts, at, repeated, names, wide=True)}")


def require_names_in_each_row(
    at: Mapping[str, int], header: Sequence[str], cells: Sequence[Sequence[str]], source: str
) -> None:
    """Raise DataError if a part of the key is named in the first of its rows only.

    Spreadsheets have it so, with one cell above several: the rows below would be of nothing.
    """
    for role in ("document", "item", "annotator"):  # without a layer a row is of the unnamed one
        column = cells[at[role]] if role in at else ()
        given = [cell for cell in column if cell]
        is_once = len({*given}) == len(given) and 2 * len(given) <= len(column)
        if len(column) >= _FEWEST_IN_BLOCK and column[0] and is_once:
            name = header[at[role]]
            raise DataError(
                f"{source}: `{name}` is named in the first row of each {role} only, and empty in "
                f"the rows below: write it in every row; if those rows have no {role}, "
                f"`{format_options(**{role: ''})}` leaves the column out"
            )


def item_columns(at: Mapping[str, int]) -> tuple[int, ...]:
    """Return the positions of the columns that identify an item together."""
    return _positions(at, ("document", "layer", "item"))


def _key(at: Mapping[str, int]) -> tuple[int, ...]:
    return (*item_columns(at), *_positions(at, ("annotator", "pass")))


def _positions(at: Mapping[str, int], names: Sequence[str]) -> tuple[int, ...]:
    return tuple(at[name] for name in names if name in at)


def _completing(
    facts: ColumnFacts, key: tuple[int, ...], candidates: Sequence[int]
) -> tuple[int, ...]:
    """Return the fewest columns with which rows differ; () if none, or two, do it."""
    few = [k for k in candidates if not facts.is_determined(k, key)][:_MOST_TRIED]
    for n in (1, 2):
        found = [
            (facts.n_values(*columns), columns)
            for columns in combinations(few, n)
            if facts.unique_share(*key, *columns) >= _COMPLETE
        ]
        if found:
            return min(found)[1]
    return ()


def _repeated_text(
    facts: ColumnFacts,
    at: Mapping[str, int],
    repeated: float,
    completing: Sequence[str],
    *,
    wide: bool = False,
) -> str:
    what = "the item" if wide or "annotator" not in at else "item and annotator"
    begin = f"{repeated:.0%} of the rows repeat {what} of an earlier row"
    if completing:
        columns = " and ".join(f"`{name}`" for name in completing)
        verb = "tells" if len(completing) == 1 else "tell"
        named = shlex.quote(
            ",".join((as_option(facts.header[at["item"]], facts.header), *completing))
        )
        ways = f"{columns} {verb} them apart: `{option('item', named)}` makes each combination an "
        ways += "item"
        if len(completing) == 1 and not wide:
            layer = f"`{format_options(layer=completing[0])}` makes each a layer"
            per = f"`{option('by', shlex.quote(completing[0]))}` (agree) measures each, "
            per = "" if names_campaign_keys() else per
            ways += f"; if {columns} is the question, {per}{layer}"
        so = "so that judgements of different things would be compared"
        return f"{begin}, {so}; {ways}{look_hint()}"
    if wide:
        return (
            f"{begin}, and no column tells them apart: name the columns that identify an item "
            f"together (`{option('item', 'COLUMN,COLUMN')}`)"
        )
    return (
        f"{begin}, and no column tells them apart: if they are revisions, "
        f"`{format_options(repeats='last')}` reads the last label and "
        f"`{format_options(repeats='first')}` the first; if an item was labelled several times, "
        f"`{format_options(repeats='pass')}` reads them as passes"
    )


def column_of_questions(
    facts: ColumnFacts, label: int, item: Sequence[int], candidates: Sequence[int]
) -> int | None:
    """Return a column each of whose values has labels of its own, two or more, and items."""
    if facts.is_continuous(label) or facts.n_rows < _FEWEST_OF_LABEL * facts.n_values(label):
        return None
    for k in candidates:
        n_values = facts.n_values(k)
        if not 1 < n_values <= _MOST_QUESTIONS or facts.n_values(label, k) > facts.n_values(label):
            continue
        firsts = (np.unique(facts.codes(*own, k), return_index=True)[1] for own in ((label,), item))
        n_labels, n_items = (np.bincount(facts.codes(k)[one], minlength=n_values) for one in firsts)
        if n_labels.min() > 1 and n_items.min() >= _FEWEST_ITEMS:
            return k
    return None


def _several_questions_text(name: str, source: str) -> str:
    per = f"`{option('by', shlex.quote(name))}` (agree) measures each, "
    return (
        f"{source}: no label occurs under two values of `{name}`, as if each were a question of "
        f"its own: {'' if names_campaign_keys() else per}`{format_options(layer=name)}` makes each "
        f"a layer; `{format_options(ignore=name)}` measures all together{look_hint()}"
    )


def _unshared(
    facts: ColumnFacts,
    at: Mapping[str, int],
    item: tuple[int, ...],
    candidates: Sequence[int],
    source: str,
) -> tuple[str, ...]:
    """Return the columns that never have one value in two rows of an item, though they could.

    Raises DataError for one that is certain to be part of what was judged.
    """
    groups = facts.codes(*item)
    sizes = np.bincount(groups)
    n_pairs = int((sizes * (sizes - 1) // 2).sum())
    n_several = int((sizes > 1).sum())
    if n_several < _FEWEST_ITEMS or "annotator" not in at:
        return ()
    doubtful = []
    for k in candidates:
        if facts.is_determined(k, [at["label"]]):
            continue
        if divides_items(facts, k, item, at["label"]):
            raise DataError(_divided_text(facts, at, k, source, _EVEN))
        if facts.n_values(*item, k) < facts.n_rows:
            continue
        if not _is_spread(facts, k, (*item,), at["annotator"]):
            continue
        shares = np.bincount(facts.codes(k)) / facts.n_rows
        by_chance = float((1 - (shares**2).sum()) ** n_pairs)
        if by_chance > _DOUBTFUL:
            continue
        name = facts.header[k]
        if by_chance > _CERTAIN or facts.counts_within(groups, k):
            doubtful.append(name)
            continue
        raise DataError(_divided_text(facts, at, k, source, _UNSHARED))
    return tuple(doubtful)


def _divided_text(
    facts: ColumnFacts, at: Mapping[str, int], column: int, source: str, why: str
) -> str:
    name = facts.header[column]
    both = shlex.quote(f"{as_option(facts.header[at['item']], facts.header)},{name}")
    return (
        f"{source}: {why} of `{name}`, as if each were of another thing: if `{name}` is part of "
        f"what was judged, use `{option('item', both)}`; if it is not, "
        f"`{format_options(ignore=name)}` leaves the column out"
    )


def divides_items(facts: ColumnFacts, column: int, item: Sequence[int], label: int) -> bool:
    """Whether a column is a condition under which items were judged, such as a wording.

    Each item has its values about equally often, which no answers do, and two labels of an item
    are equal more often under the same value.
    """
    if facts.n_values(column) > _MOST_CONDITIONS or not facts.is_even_within(column, item):
        return False
    counted = (_pairs_and_equal(facts, label, own) for own in ((*item,), (*item, column)))
    pairs, equal = zip(*counted, strict=True)
    apart = pairs[0] - pairs[1]
    if not pairs[1] or not apart:
        return False
    share = equal[0] / pairs[0]
    gain = equal[1] / pairs[1] - (equal[0] - equal[1]) / apart
    error = (share * (1 - share) / min(pairs[1], facts.n_rows)) ** 0.5
    return gain > max(_LEAST_GAIN, 5 * error)


def agree_more(facts: ColumnFacts, label: int, by: Sequence[int], than: Sequence[int]) -> bool:
    """Whether labels of one value of the columns `by` are equal more often than those of `than`."""
    (n_own, own), (n_others, others) = (_pairs_and_equal(facts, label, one) for one in (by, than))
    if not n_own or not n_others:
        return False
    share = others / n_others
    error = (share * (1 - share) / min(n_own, n_others, facts.n_rows)) ** 0.5
    return own / n_own - share > max(_LEAST_GAIN, 5 * error)


def agree_beyond_chance(facts: ColumnFacts, label: int, item: Sequence[int]) -> bool:
    """Whether labels of one item are equal more often than those of any two rows."""
    (n_own, own), (n_all, equal) = (_pairs_and_equal(facts, label, one) for one in (item, ()))
    share = equal / n_all if n_all else 1.0
    error = (share * (1 - share) / min(n_own or 1, facts.n_rows)) ** 0.5
    return n_own >= _FEWEST_ITEMS and own / n_own - share > max(_LEAST_GAIN, 5 * error)


def _pairs_and_equal(facts: ColumnFacts, label: int, groups: Sequence[int]) -> tuple[float, float]:
    """Return how many pairs of labels groups have, and how many of them are equal.

    Measurements count as equal in the same quarter.
    """
    labels = facts.codes(label)
    if facts.is_continuous(label) and facts.is_numeric(label):
        numbers = np.array([float(one or "nan") for one in facts.cells(label)])
        labels = np.digitize(numbers, np.nanquantile(numbers, (0.25, 0.5, 0.75), method="linear"))
    of_rows = facts.codes(*groups)
    sizes = np.bincount(of_rows), np.unique([of_rows, labels], axis=1, return_counts=True)[1]
    n_pairs, n_equal = (float((n * (n - 1.0)).sum()) / 2 for n in sizes)
    return n_pairs, n_equal


def _rivals_of_item(
    facts: ColumnFacts, at: Mapping[str, int], candidates: Sequence[int]
) -> tuple[str, ...]:
    """Return the columns by which labels agree more than by the item, with a row per annotator."""
    names = {k: facts.header[k] for k in candidates[:_MOST_TRIED]}
    return tuple(
        name
        for k, name in names.items()
        if not is_order_name(name)
        and facts.unique_share(k, at["annotator"]) >= _COMPLETE
        and agree_more(facts, at["label"], (k,), item_columns(at))
    )


def _is_spread(facts: ColumnFacts, column: int, item: tuple[int, ...], annotator: int) -> bool:
    """Whether most values of a column are on several items and of several annotators."""
    n_values = facts.n_values(column)
    of_several = np.ones(n_values, dtype=bool)
    for other in (item, (annotator,)):
        _, first = np.unique(facts.codes(column, *other), return_index=True)
        of_several &= np.bincount(facts.codes(column)[first], minlength=n_values) > 1
    return bool(of_several.mean() >= 0.5)


def _rivals_of_shown_label(
    facts: ColumnFacts, at: Mapping[str, int], item: tuple[int, ...], candidates: Sequence[int]
) -> tuple[str, ...]:
    """Return the columns that could be the label if that of the table is one of the item."""
    if not facts.is_constant_within(at["label"], item):
        return ()
    return tuple(facts.header[k] for k in candidates)
