"""Preferences and scores of systems, read as comparisons of two systems on an item by a rater."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pyarrow as pa

from ...data.coded import Coded
from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.tables.column_names import listed_columns
from ...data.readers.tables.given import Given
from ...data.readers.tables.reader import open_table
from ...metrics.arrays import Ints, Ints32
from ...metrics.ranking.bradley_terry import LEFT, RIGHT, TIE, Comparisons
from ..inputs.scales import is_finite_number
from .ranking_options import RankOptions

BOTH_BAD = 2
_USUAL = {
    "item": r"item|(item|question|prompt|task|example|instance|segment)?[ _-]?id|question|prompt",
    "rater": r"rater|annotator|judge|user|worker|evaluator|participant|labeler",
    "left": r"left|first|(model|system|candidate|response|option)[ _-]?(a|1|left)",
    "right": r"right|second|(model|system|candidate|response|option)[ _-]?(b|2|right)",
    "outcome": r"outcome|winner|preferred|preference|choice|label|vote|result",
    "system": r"system|model|candidate",
}
_WORDS = {
    **dict.fromkeys(("left", "a", "model_a", "system_a", "first", ">"), LEFT),
    **dict.fromkeys(("right", "b", "model_b", "system_b", "second", "<"), RIGHT),
    **dict.fromkeys(("tie", "draw", "equal", "same", "="), TIE),
    **dict.fromkeys(("both bad", "both_bad", "bothbad", "tie (bothbad)", "neither"), BOTH_BAD),
}
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Preferences:
    """Comparisons with the names of their items and raters.

    n_both_bad    ties that say that both are bad
    n_unanswered  rows without an outcome or a score, which are left out
    """

    comparisons: Comparisons
    items: tuple[str, ...]
    raters: tuple[str, ...]
    n_both_bad: int
    n_unanswered: int


def read_preferences(path: Given, options: RankOptions) -> Preferences:
    """Read a table of preferences, or of scores if a column of scores is given.

    Raises DataError for a missing column, an outcome that says nothing known, a score that is no
    number, and a comparison of a system with itself.
    """
    opened = open_table(path)
    wanted = ("item", "system") if options.score else ("item", "left", "right", "outcome")
    at = {name: _column(path, opened.header, name, options) for name in wanted}
    rater = _column(path, opened.header, "rater", options, required=False)
    parts: dict[str, list[pa.Array]] = defaultdict(list)
    n_broken = 0
    for batch in opened.batches:
        cells = batch.cells(len(opened.header))
        if cells is None:
            rows = [row for row in batch.rows if isinstance(row, list)]
            rows = [row for row in rows if len(row) == len(opened.header)]
            n_broken += len(batch) - len(rows)
            cells = [[row[k] for row in rows] for k in range(len(opened.header))]
        for name, k in (*at.items(), ("rater", rater)):
            if k is not None:
                parts[name].append(pa.array(cells[k], pa.string()))
        if options.score:
            parts["score"].append(
                pa.array(cells[_score(path, opened.header, options)], pa.string())
            )
    coded = {name: _coded(chunks) for name, chunks in parts.items()}
    if not coded or not len(coded["item"]):
        raise DataError(f"{path.name}: the table has no rows")
    if rater is None:
        coded["rater"] = Coded(np.zeros(len(coded["item"]), np.int32), ("",))
    found = _of_scores(path, coded, options) if options.score else _of_outcomes(path, coded)
    return Preferences(*found[:3], found[3], found[4] + n_broken)


def _column(
    path: Given, header: list[str], name: str, options: RankOptions, *, required: bool = True
) -> int | None:
    own = getattr(options, name)
    if own is not None and own not in header:
        raise DataError(
            f"{path.name}: {option(name, own)}: no such column; the columns are "
            f"{listed_columns(header)}"
        )
    usual = re.compile(_USUAL[name], re.I)
    found = own or next((column for column in header if usual.fullmatch(column.strip())), None)
    if found is None and required:
        raise DataError(
            f"{path.name}: name the column of the {name} ({option(name)}); the columns are "
            f"{listed_columns(header)}"
        )
    return None if found is None else header.index(found)


def _score(path: Given, header: list[str], options: RankOptions) -> int:
    if options.score not in header:
        raise DataError(
            f"{path.name}: {option('score', str(options.score))}: no such column; the columns are "
            f"{listed_columns(header)}"
        )
    return header.index(options.score)


def _coded(chunks: list[pa.Array]) -> Coded:
    column = pa.chunked_array(chunks).combine_chunks()
    column = column if isinstance(column, pa.Array) else pa.concat_arrays(column.chunks)
    encoded = pa.compute.utf8_trim_whitespace(column).dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    texts = encoded.dictionary.to_pylist()
    if "" in texts:
        codes[codes == texts.index("")] = -1
    return Coded(codes, tuple(texts))


_Found = tuple[Comparisons, tuple[str, ...], tuple[str, ...], int, int]


def _of_outcomes(path: Given, coded: dict[str, Coded]) -> _Found:
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
    given &= (coded["item"].codes >= 0) & (coded["rater"].codes >= 0)
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
        _from_0(coded["rater"].codes[where]),
    )
    n_both = int((outcome == BOTH_BAD).sum())
    return (
        comparisons,
        tuple(coded["item"].texts),
        _names(coded["rater"], where),
        n_both,
        int((~given).sum()),
    )


def _of_scores(path: Given, coded: dict[str, Coded], options: RankOptions) -> _Found:
    texts, codes = coded["score"].texts, coded["score"].codes
    wrong = [text for text in texts if text and not is_finite_number(text)]
    if wrong:
        raise DataError(f"{path.name}: the score {wrong[0]!r} is not a number")
    numbers = np.array([*(float(text) if text else np.nan for text in texts), np.nan])[codes]
    systems = tuple(sorted(coded["system"].texts_in_use()))
    of = coded["system"].only_texts(systems).codes
    given = np.isfinite(numbers) & (of >= 0)
    given &= (coded["item"].codes >= 0) & (coded["rater"].codes >= 0)
    where = np.flatnonzero(given)
    scores: dict[tuple[int, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    sign = -1.0 if options.lower_is_better else 1.0
    raters = _from_0(coded["rater"].codes[where])
    for item, rater, system, number in zip(
        coded["item"].codes[where].tolist(),
        raters.tolist(),
        of[where].tolist(),
        numbers[where].tolist(),
        strict=True,
    ):
        scores[item, rater][system].append(sign * number)
    rows = [
        (a, b, int(np.sign(np.mean(own[a]) - np.mean(own[b]))), item, rater)
        for (item, rater), own in scores.items()
        for a, b in combinations(sorted(own), 2)
    ]
    if not rows:
        raise DataError(f"{path.name}: no rater scored two systems on one item")
    comparisons = Comparisons(systems, *np.array(rows, dtype=np.int64).T)
    return (
        comparisons,
        tuple(coded["item"].texts),
        _names(coded["rater"], where),
        0,
        int((~given).sum()),
    )


def _from_0(codes: Ints32) -> Ints:
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _names(coded: Coded, where: Ints) -> tuple[str, ...]:
    return tuple(coded.texts[code] for code in np.unique(coded.codes[where]).tolist())
