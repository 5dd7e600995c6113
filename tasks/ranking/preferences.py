"""Preferences and scores of systems, read as comparisons of two systems on an item by a rater."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...data.arrow_columns import coded_column, scalar
from ...data.coded import Coded
from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.tables.column_names import listed_columns
from ...data.readers.tables.given import Given
from ...data.readers.tables.options import TableOptions
from ...data.readers.tables.preference_shapes import PREFERENCES
from ...data.readers.tables.reader import open_table
from ...metrics.arrays import Floats, Ints, Ints32
from ...metrics.ranking.bradley_terry import LEFT, RIGHT, TIE, Comparisons
from ..inputs.reading_options import parse_query
from ..inputs.scales import is_finite_number
from .ranking_options import RankOptions

BOTH_BAD = 2
LENGTHS = ("left_length", "right_length")
_USUAL = {
    "item": r"item|(item|question|prompt|task|example|instance|segment)[ _-]?id|question|prompt",
    "annotator": r"annotator|rater|judge|user|worker|evaluator|participant|labeler",
    "left": r"left|first|(model|system|candidate|response|option)[ _-]?(a|1|left)",
    "right": r"right|second|(model|system|candidate|response|option)[ _-]?(b|2|right)",
    "outcome": r"outcome|winner|preferred|preference|choice|label|vote|result",
    "system": r"system|model|candidate",
    "score": r"score",
    **dict.fromkeys(LENGTHS, r"length"),
}
_WORDS = {
    **dict.fromkeys(("left", "a", "model_a", "system_a", "first", ">"), LEFT),
    **dict.fromkeys(("right", "b", "model_b", "system_b", "second", "<"), RIGHT),
    **dict.fromkeys(("tie", "draw", "equal", "same", "="), TIE),
    **dict.fromkeys(("both bad", "both_bad", "bothbad", "tie (bothbad)", "neither"), BOTH_BAD),
}
_NUMBER = r"id"  # of an item, or of a row: an item if no other column is
_MOST_SHOWN = 5
_OPTIONAL = ("item", "annotator")


@dataclass(frozen=True, slots=True)
class Preferences:
    """Comparisons with the names of their items and raters.

    columns       role → column, without those that the table lacks
    n_both_bad    ties that say that both are bad
    n_unanswered  rows without an outcome or a score, which are left out
    unused        the other columns of the table
    """

    comparisons: Comparisons
    raters: tuple[str, ...]
    columns: Mapping[str, str]
    n_both_bad: int
    n_unanswered: int
    unused: tuple[str, ...] = ()


def read_preferences(path: Given, options: RankOptions) -> Preferences:
    """Read a table of preferences, or of scores if a column of scores is given.

    Raises DataError for a missing column, an outcome that says nothing known, a score that is no
    number, and a comparison of a system with itself.
    """
    opened = open_table(path, TableOptions(query=parse_query(options.query, PREFERENCES)))
    of_scores = ("item", "annotator", "system", "score")
    wanted: tuple[str, ...] = (
        of_scores if options.score else ("item", "annotator", "left", "right", "outcome")
    )
    wanted += LENGTHS if options.left_length else ()
    places = ((name, _column(path, opened.header, name, options)) for name in wanted)
    at = {name: k for name, k in places if k is not None}
    parts: dict[str, list[pa.Array]] = defaultdict(list)
    n_broken, width = 0, len(opened.header)
    for batch in opened.batches:
        columns = batch.texts(width, range(width), shown=True) or []
        n_broken += len(batch) - (len(columns[0]) if columns else 0)
        for name, k in at.items() if columns else ():
            parts[name].append(columns[k])
    coded = {name: _coded(chunks) for name, chunks in parts.items()}
    n = len(next(iter(coded.values()), ()))
    if not n:
        raise DataError(f"{path.name}: the table has no rows")
    if "item" not in at:
        coded["item"] = Coded(np.arange(n, dtype=np.int32), ())
    if "annotator" not in at:
        coded["annotator"] = Coded(np.zeros(n, np.int32), ("",))
    found = _of_scores(path, coded, options) if options.score else _of_outcomes(path, coded)
    named = {name: opened.header[k] for name, k in at.items()}
    unused = tuple(name for name in opened.header if name and name not in named.values())
    n_unanswered = found.n_unanswered + n_broken
    return replace(found, columns=named, n_unanswered=n_unanswered, unused=unused)


def _column(path: Given, header: list[str], name: str, options: RankOptions) -> int | None:
    """Return the place of a column; None without raters, and without items of preferences."""
    own = getattr(options, name)
    if own is not None and own not in header:
        raise DataError(
            f"{path.name}: {option(name, own)}: no such column; the columns are "
            f"{listed_columns(header)}"
        )
    patterns = (_USUAL[name], _NUMBER) if name == "item" else (_USUAL[name],)
    usual = (
        column
        for pattern in patterns
        for column in header
        if re.fullmatch(pattern, column.strip(), re.I)
    )
    found = own or next(usual, None)
    if found is None and name not in (("annotator",) if options.score else _OPTIONAL):
        raise DataError(
            f"{path.name}: name the column of the {name} ({option(name)}); the columns are "
            f"{listed_columns(header)}"
        )
    return None if found is None else header.index(found)


def _coded(chunks: list[pa.Array]) -> Coded:
    trimmed = pc.utf8_trim_whitespace(pa.chunked_array(chunks, pa.string()))
    coded = coded_column(pc.fill_null(trimmed, scalar("")))
    missing = [number for number, text in enumerate(coded.texts) if not text]
    return Coded(np.where(np.isin(coded.codes, missing), -1, coded.codes), tuple(coded.texts))


def _of_outcomes(path: Given, coded: dict[str, Coded]) -> Preferences:
    systems = tuple(sorted(coded["left"].texts_in_use() | coded["right"].texts_in_use()))
    of_all = {name: coded[name].only_texts(systems).codes for name in ("left", "right")}
    said = coded["outcome"]
    words = [_WORDS.get(text.casefold(), -9) for text in said.texts]
    known = np.array([*words, -9])[said.codes]
    names = np.array([*(systems.index(t) if t in systems else -2 for t in said.texts), -2])
    named = names[said.codes]
    known = np.where(
        named == of_all["left"], LEFT, np.where(named == of_all["right"], RIGHT, known)
    )
    given = (said.codes >= 0) & (of_all["left"] >= 0) & (of_all["right"] >= 0)
    given &= (coded["item"].codes >= 0) & (coded["annotator"].codes >= 0)
    longer = [_logarithms(path, coded[name]) for name in LENGTHS if name in coded]
    given &= np.isfinite(sum(longer, np.zeros(given.size)))
    if (given & (known == -9)).any():
        others = sorted({said.texts[code] for code in said.codes[given & (known == -9)]})
        raise DataError(
            f"{path.name}: the outcome {', '.join(map(repr, others[:_MOST_SHOWN]))} is neither a "
            "system of its row nor left, right, tie or both bad; write one of these words"
        )
    if (given & (of_all["left"] == of_all["right"])).any():
        row = int(np.flatnonzero(given & (of_all["left"] == of_all["right"]))[0]) + 1
        raise DataError(
            f"{path.name} row {row}: {systems[of_all['left'][row - 1]]} is compared with itself; "
            "leave such rows out"
        )
    where = np.flatnonzero(given)
    outcome = known[where]
    comparisons = Comparisons(
        systems,
        of_all["left"][where].astype(np.int64),
        of_all["right"][where].astype(np.int64),
        np.where(outcome == BOTH_BAD, TIE, outcome),
        coded["item"].codes[where].astype(np.int64),
        _from_0(coded["annotator"].codes[where]),
        covariates=(longer[0] - longer[1])[where, None] if longer else np.empty((0, 0)),
    )
    n_both = int((outcome == BOTH_BAD).sum())
    raters = _names(coded["annotator"], where)
    return Preferences(comparisons, raters, {}, n_both, int((~given).sum()))


def _of_scores(path: Given, coded: dict[str, Coded], options: RankOptions) -> Preferences:
    numbers = _numbers_of_scores(path, coded["score"].texts, options)[coded["score"].codes]
    systems = tuple(sorted(coded["system"].texts_in_use()))
    of = coded["system"].only_texts(systems).codes
    given = np.isfinite(numbers) & (of >= 0)
    given &= (coded["item"].codes >= 0) & (coded["annotator"].codes >= 0)
    where = np.flatnonzero(given)
    scores: dict[tuple[int, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    sign = -1.0 if options.lower_is_better else 1.0
    total = np.sum if options.weights else np.mean
    raters = _from_0(coded["annotator"].codes[where])
    for item, rater, system, number in zip(
        coded["item"].codes[where].tolist(),
        raters.tolist(),
        of[where].tolist(),
        numbers[where].tolist(),
        strict=True,
    ):
        scores[item, rater][system].append(sign * number)
    rows = [
        (a, b, int(np.sign(total(own[a]) - total(own[b]))), item, rater)
        for (item, rater), own in scores.items()
        for a, b in combinations(sorted(own), 2)
    ]
    if not rows:
        raise DataError(f"{path.name}: no rater scored two systems on one item")
    comparisons = Comparisons(systems, *np.array(rows, dtype=np.int64).T)
    names = _names(coded["annotator"], where)
    return Preferences(comparisons, names, {}, 0, int((~given).sum()))


def _numbers_of_scores(path: Given, texts: Sequence[str], options: RankOptions) -> Floats:
    """Return the number of each text, and nan after them; a weight is found without regard to case.

    Raises DataError for a text that is no number, or has no weight where weights are given.
    """
    weights = {text.casefold(): number for text, number in options.weights.items()}
    found = []
    for text in texts:
        number = weights.get(text.casefold()) if weights else text
        if text and (number is None or not is_finite_number(str(number))):
            lacks = (
                f"has no weight ({option('weights', f'{text}=1')})"
                if weights
                else "is not a number"
            )
            raise DataError(f"{path.name}: the score {text!r} {lacks}")
        found.append(float(number) if text and number is not None else np.nan)
    return np.array([*found, np.nan])


def _logarithms(path: Given, lengths: Coded) -> Floats:
    """Return log₂ of each length, nan where it is missing. Raises DataError unless positive."""
    wrong = [one for one in lengths.texts if one and not (is_finite_number(one) and float(one) > 0)]
    if wrong:
        raise DataError(f"{path.name}: the length {wrong[0]!r} is not a positive number")
    found = [np.log2(float(text)) if text else np.nan for text in lengths.texts]
    return np.array([*found, np.nan])[lengths.codes]


def _from_0(codes: Ints32) -> Ints:
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _names(coded: Coded, where: Ints) -> tuple[str, ...]:
    return tuple(coded.texts[code] for code in np.unique(coded.codes[where]).tolist())
