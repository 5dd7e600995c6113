"""A ranking of systems as sentences and tables, apart from the agreement of its raters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .columns import Column, Table, interval, number, reasons, text
from .language import Language
from .results.ranking import RankingReport, SystemRank
from .warnings import reason_text

MESSAGES = ("account", "ranking")
_MOST_NAMED = 6  # of pairs and raters in a sentence
FEW_RATERS = 10


def blocks(say: Language, found: RankingReport) -> Iterator[str | Table]:
    """Yield the ranking, then the agreement of the raters."""
    yield from ranking_blocks(say, found)
    yield from agreement_blocks(say, found)


def ranking_blocks(
    say: Language, found: RankingReport, drawings: Sequence[Column[SystemRank]] = ()
) -> Iterator[str | Table]:
    """Yield who may be first, the systems, the pairs, and what may change.

    drawings  further columns of the systems, of a page
    """
    level = _level(say, found)
    yield _first(say, found)
    yield Table(
        say("ranking.systems"),
        found.systems,
        (
            text(say("ranking.system"), lambda one: one.system),
            *drawings,
            number(say("ranking.strength"), lambda one: one.strength.value),
            interval(level, lambda one: one.strength.interval),
            text(say("ranking.ranks"), lambda one: _ranks(one)),
            text(say("ranking.best"), lambda one: _probability(say, one.best)),
        ),
    )
    yield Table(
        say("ranking.pairs"),
        found.pairs,
        (
            text(say("ranking.better"), lambda one: one.better),
            text(say("ranking.worse"), lambda one: one.worse),
            number(say("ranking.preferred"), lambda one: one.preferred.value),
            interval(level, lambda one: one.preferred.interval),
            number(say("ranking.observed"), lambda one: one.observed),
            number(say("ranking.n"), lambda one: one.n_comparisons),
            text(
                say("ranking.order"),
                lambda one: say("ranking.decided" if one.decided else "ranking.open"),
            ),
        ),
    )
    yield say.filled(
        "ranking.counted",
        {
            "n": found.n_comparisons,
            "items": found.n_items,
            "raters": found.n_raters,
            "ties": found.n_ties,
        },
    )
    if not found.has_items:
        yield say("ranking.no_items")
    if found.n_both_bad:
        yield say.filled("ranking.both_bad", {"n": found.n_both_bad})
    if found.n_unanswered:
        yield say.filled("ranking.unanswered", {"n": found.n_unanswered})
    yield from _raters(say, found)
    for effect in (*found.order_effect, *found.length_effect):
        yield say(
            f"ranking.{effect.measure}",
            value=say.number(effect.value),
            interval=say.interval(effect.interval),
            level=level,
        )


def agreement_blocks(say: Language, found: RankingReport) -> Iterator[Table]:
    """Yield how well the raters agree on the pairs; nothing if no two compared the same."""
    if found.agreement:
        yield Table(
            say("ranking.agreement"),
            found.agreement,
            (
                text(say("ranking.measure"), lambda one: one.measure),
                number(say("ranking.value"), lambda one: one.value),
                interval(_level(say, found), lambda one: one.interval),
                number(say("ranking.n_pairs"), lambda one: one.n_items),
                number(say("ranking.n_raters"), lambda one: one.n_annotators),
                reasons(
                    say("ranking.reason"),
                    lambda one: reason_text(say, one.reason),
                    when=any(one.reason for one in found.agreement),
                ),
            ),
        )


def _level(say: Language, found: RankingReport) -> str:
    return say("ranking.level", level=say.figure(found.systems[0].strength.confidence_level, "0%"))


def _first(say: Language, found: RankingReport) -> str:
    names = [one.system for one in found.systems if one.first == 1]
    if len(names) == 1:
        return say("ranking.one_first", system=names[0])
    if len(names) > _MOST_NAMED:
        return say("ranking.many_first", n=say.integer(len(names)), system=names[0])
    return say("ranking.several_first", systems=say.listed(names))


def _ranks(one: SystemRank) -> str:
    return str(one.first) if one.first == one.last else f"{one.first}–{one.last}"


def _probability(say: Language, share: float) -> str:
    """Return whole per cent, `< 1%` or `> 99%`."""
    near = min(max(share, 0.01), 0.99)
    sign = "" if near == share else "< " if share < near else "> "
    return sign + say.figure(round(near, 2), "0%")


def _raters(say: Language, found: RankingReport) -> Iterator[str]:
    """Yield what other raters, or one rater fewer, may change."""
    order = [one.system for one in found.systems]
    neighbours = [
        f"{one.better} – {one.worse}"
        for one in found.pairs
        if not one.decided and order.index(one.worse) == order.index(one.better) + 1
    ]
    if found.n_raters == 1:
        yield say("ranking.one_rater")
        return
    if neighbours:
        yield say("ranking.may_change", pairs=say.listed(neighbours[:_MOST_NAMED]))
    if found.n_raters < FEW_RATERS:
        yield say.filled("ranking.few_raters", {"n": found.n_raters})
    changed = [one.rater for one in found.without if one.order and one.order != order]
    if changed:
        yield say("ranking.without", raters=say.listed(changed[:_MOST_NAMED]))
    elif found.without and all(one.order for one in found.without):
        yield say("ranking.without_none")
