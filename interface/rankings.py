"""Rankings of systems from preferences, from data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from ..reports.columns import Table, interval, number, text, values_by_column
from .column_texts import names_as_text_column, table_of_texts
from .frames import Column, Frame, Kind, column_names, frame_kind, given_table, requested_columns
from .keyword_options import Rng, make_options, public, seed_of
from .reading import Data
from .result import InSentences
from .value import Values


class SystemRanking(InSentences):
    """Systems in the order of their strengths, with intervals and sets of ranks.

    ``to_frame`` has a row for each: strength, ranks that are not ruled out, probability to be best.

    Attributes
    ----------
    strengths
        Strength of each system, the strongest first: on the logarithmic scale of Bradley and
        Terry's model (Davidson's with ties), with mean 0.
    order_effect
        What is added to the strength of the system shown first; empty unless it was requested.
    length_effect
        What a text twice as long adds to the strength; empty unless lengths were given.
    agreement
        Agreement of the raters on the same pairs, apart from the ranking; empty with one rater.
    """

    def __init__(self, found: Any, kind: Kind = "pandas") -> None:
        self._found, self._kind = found, kind
        self.strengths = Values([one.strength for one in found.systems], kind=kind)
        self.order_effect = Values(found.order_effect, kind=kind)
        self.length_effect = Values(found.length_effect, kind=kind)
        self.agreement = Values(found.agreement, kind=kind)

    @property
    def order(self) -> list[str]:
        """The systems, the strongest first."""
        return [one.system for one in self._found.systems]

    @property
    def sentences(self) -> list[str]:
        """Who may be first, and what other raters may change."""
        return [block for block in self._blocks() if isinstance(block, str)]

    def _blocks(self) -> Iterable[str | Table]:
        from ..reports.language import Language
        from ..reports.ranking import MESSAGES, blocks

        return blocks(Language("en", MESSAGES), self._found)

    def _columns(self) -> dict[str, list[Any]]:
        return values_by_column(
            self._found.systems,
            text("system", lambda one: one.system),
            number("strength", lambda one: one.strength.value),
            interval("", lambda one: one.strength.interval),
            number("first", lambda one: one.first),
            number("last", lambda one: one.last),
            number("best", lambda one: one.best),
        )

    def pairs(self, kind: Kind | None = None) -> Frame:
        """One row per pair of systems: how often the better is preferred, ties as half.

        ``preferred`` is by the model of the strengths, with its interval; ``observed`` in the
        ``n_comparisons`` of the two. ``decided``: whether their order is.
        """
        columns = values_by_column(
            self._found.pairs,
            text("better", lambda one: one.better),
            text("worse", lambda one: one.worse),
            number("preferred", lambda one: one.preferred.value),
            interval("", lambda one: one.preferred.interval),
            number("observed", lambda one: one.observed),
            number("n_comparisons", lambda one: one.n_comparisons),
            text("decided", lambda one: one.decided),
        )
        return self._frame(columns, kind)

    def without(self) -> dict[str, list[str]]:
        """Return rater → order of the systems without this rater; [] where it is undefined."""
        return {one.rater: list(one.order) for one in self._found.without}


@public(rank="rankings")
def rank(
    data: Data,
    *,
    item: Column | None = "item",
    annotator: Column | None = "annotator",
    left: Column = "left",
    right: Column = "right",
    outcome: Column = "outcome",
    left_length: Column | None = None,
    right_length: Column | None = None,
    system: Column = "system",
    score: Column | None = None,
    weights: Mapping[str, float] = {},
    lower_is_better: bool = False,
    ties: Literal["davidson", "half"] = "davidson",
    order_effect: bool = False,
    query: str = "",
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> SystemRanking:
    """Rank systems by pairwise preferences, for other items and other raters of this kind.

    Parameters
    ----------
    data
        A data frame, or the path of a table.
    item, annotator, left, right, outcome
        The item, who compares, the two systems, and what is preferred: ``left``, ``right``,
        ``tie``, ``both bad``, or the name of the system. Usual names of columns, such as
        ``rater``, ``prompt`` or ``winner``, are found; ``annotator=None``: one rater;
        ``item=None``: each row is an item of its own (both of frames).
    left_length, right_length
        Columns of the lengths of what both systems say: the effect of being longer is estimated and
        removed.
    system, score, lower_is_better
        With ``score``, each row has the score that a rater gave to a system on an item: the system
        with the higher score is preferred (or the lower one), and equal scores are a tie.
    weights
        With ``score``: the number of each text of its column, such as ``{"minor": 1, "major": 5}``.
        The numbers of all rows of a rater, item and system are then summed, as of errors (MQM).
    ties
        ``davidson``: ties have a probability of their own; ``half``: half a preference of either.
    order_effect
        Whether ``left`` was shown first: the effect is estimated and removed.
    query
        Of a file: a SELECT over the table ``source``, or the name of a known shape of preferences,
        such as ``"argilla"``.
    confidence_level, replicates, seed, rng
        As for :func:`agreement`; replicates are for the agreement of the raters.

    Returns
    -------
    SystemRanking
        Strengths with intervals, sets of ranks, pairs, and the agreement of the raters.

    Raises
    ------
    DataError
        Systems that cannot be compared: never compared, or one group that always wins.

    Examples
    --------
    >>> import accordeur as acc
    >>> rows = [
    ...     (f"i{i}", f"r{i % 4}", "A", "B", "right" if i % 3 == 0 else "left") for i in range(60)
    ... ]
    >>> found = acc.rank(rows, item=0, annotator=1, left=2, right=3, outcome=4)
    >>> found.order
    ['A', 'B']
    """
    from ..tasks.ranking.ranking_options import RankOptions
    from ..tasks.ranking.ranking_report import rank_preferences

    options = make_options(
        RankOptions,
        weights=dict(weights),
        lower_is_better=lower_is_better,
        ties=ties,
        order_effect=order_effect,
        query=query,
        confidence_level=confidence_level,
        replicates=replicates,
        seed=seed_of(seed, rng),
        left_length=None if left_length is None else "left_length",
        right_length=None if right_length is None else "right_length",
        score=None if score is None else "score",
    )
    wanted = {"item": item, "annotator": annotator}
    wanted |= (
        {"left": left, "right": right, "outcome": outcome}
        if score is None
        else {"system": system, "score": score}
    )
    wanted |= {"left_length": left_length, "right_length": right_length}
    is_file = isinstance(data, str | Path)
    known = [] if is_file else column_names(data)
    lacks_usual = any(own == name and name not in known for name, own in wanted.items())
    if is_file or (str in map(type, known) and lacks_usual and None not in (item, annotator)):
        named = {name: str(own) for name, own in wanted.items() if own not in (None, name)}
        given = Path(data) if isinstance(data, str | Path) else table_of_texts(data)
        asked = replace(options, **named)  # type: ignore[arg-type]
        return SystemRanking(rank_preferences(given, asked), frame_kind(data) or "pandas")
    if annotator == "annotator" and "rater" in known and "annotator" not in known:
        wanted["annotator"] = "rater"
    found, kind = requested_columns(data, {k: v for k, v in wanted.items() if v is not None})
    table = given_table({name: names_as_text_column(cells, name) for name, cells in found.items()})
    return SystemRanking(rank_preferences(table, options), kind)
