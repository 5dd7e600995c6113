"""What a comparison of two runs says first: which value moved, and what explains it."""

from __future__ import annotations

import math

from ..language import Language
from ..page.values import symbol_of
from .portfolio_results import Comparison, Paired, ValueChange

_NOTHING = 0.0005  # a smaller change is printed as 0


def comparison_sentences(say: Language, found: Comparison) -> list[str]:
    """Return a sentence for the main value of each layer, as its intervals allow."""
    main = {one.layer: one for one in reversed(found.values)}
    firsts = [one for one in found.values if main[one.layer] is one]
    return [_sentence(say, found, one) for one in firsts if math.isfinite(one.change)]


def _sentence(say: Language, found: Comparison, one: ValueChange) -> str:
    value = f"{symbol_of(say, one.measure)} ({one.place})"
    size, way = say.number(abs(one.change)), "fell" if one.change < 0 else "rose"
    if one.change == 0 and one.paired is not None and one.paired.interval == (0, 0):
        return say("compare.first_nothing", value=value)  # whatever the documents
    if abs(one.change) < _NOTHING or _holds_zero(one.interval):
        return say("compare.first_unclear", value=value, change=say.signed(one.change))
    if one.paired is None:
        return say(f"compare.first_{way}", value=value, size=size)
    shared = say.counted("document", one.paired.n_documents)
    if not (abs(one.paired.change) < _NOTHING or _holds_zero(one.paired.interval)):
        change = say.signed(one.paired.change)
        return say(
            f"compare.first_{way}_on_shared", value=value, n=shared, change=change, size=size
        )
    still = _still(say, one.paired, shared)
    others = _other_documents(say, found)
    return say(f"compare.first_{way}_elsewhere", value=value, size=size, still=still, others=others)


def _still(say: Language, paired: Paired, shared: str) -> str:
    """Say that the shared documents do not explain the change."""
    if abs(paired.change) < _NOTHING:
        return say("compare.still_nothing", n=shared)
    return say("compare.still_unclear", n=shared, change=say.signed(paired.change))


def _other_documents(say: Language, found: Comparison) -> str:
    """Name the documents that only one of the runs has."""
    changes = found.documents
    if changes is None or not (changes.n_added or changes.n_removed):
        return say("compare.others_unknown")
    key = "both" if changes.n_added and changes.n_removed else ""
    key = key or ("added" if changes.n_added else "removed")
    added, removed = say.integer(changes.n_added), say.integer(changes.n_removed)
    return say(f"compare.others_{key}", added=added, removed=removed)


def _holds_zero(interval: tuple[float, float]) -> bool:
    return interval[0] <= 0 <= interval[1]  # False if undefined
