"""The condition of gates, expected work and runs, so that a notification speaks of a change.

What was last notified of is kept in the store. A run is compared with it, not with the run before:
a run that was killed before it could notify loses nothing, and the next one says what changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from ...data.store.ownership import CONDITIONS
from ...data.store.sealed_json import Files, read_sealed, write_sealed

_IDENTITY = (
    "layer",
    "measure",
    "of",
    "on",
    "over",
    "not_below",
)  # a gate whose threshold moves is the same
EXPECTED, ALERT = "expected: ", "alert: "
"""How keys of expected work, and of alerts, begin."""
LONG = timedelta(days=28)  # after which an undecided gate is told of


class Condition(StrEnum):
    ok = "ok"
    undecided = "undecided"
    failed = "failed"
    stale = "stale"


@dataclass(frozen=True, slots=True)
class Known:
    """What was last notified of.

    since  the time at which the condition began
    told   the time of the last notification of it
    """

    condition: Condition
    since: datetime
    told: datetime


@dataclass(frozen=True, slots=True)
class Change:
    """A gate, expected work or the flow itself in another condition, or still not ok.

    gate     the gate; None for others
    said     what is missing, or the alert; "" for others
    is_long  whether the gate has been undecided for long, or had been
    """

    key: str
    before: Condition
    now: Condition
    since: datetime
    gate: Mapping[str, Any] | None = None
    said: str = ""
    is_long: bool = False


def key_of(gate: Mapping[str, Any]) -> str:
    """Return what identifies a gate in the store."""
    names = [gate.get(name, "") for name in _IDENTITY]
    return json.dumps(names if names[-1] else names[:-1], ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Found:
    """The condition in which a run found a gate, expected work, an alert or itself."""

    condition: Condition
    gate: Mapping[str, Any] | None = None
    said: str = ""


def conditions_of(
    flow: str, facts: Mapping[str, Any], known: Iterable[str], *, is_error: bool
) -> dict[str, Found]:
    """Return the condition of the flow, of each gate, of expected work and of alerts, by key.

    facts  the run's outcome; an error says nothing about gates and work, which keep the condition
           that is known
    known  keys with a condition that is known: work that is no longer missing has arrived, and an
           alert that is no longer given is over
    """
    found = {flow: Found(Condition.failed if is_error else Condition.ok)}
    for gate in facts.get("gates", []):
        outcome = Condition.ok if gate["outcome"] == "passed" else Condition(gate["outcome"])
        found[key_of(gate)] = Found(outcome, gate)
    for begin, name, condition in (
        (EXPECTED, "missing_work", Condition.stale),
        (ALERT, "standing_alerts", Condition.failed),
    ):
        if name in facts:
            found |= {key: Found(Condition.ok) for key in known if key.startswith(begin)}
            for one in facts[name]:
                found[begin + one["key"]] = Found(condition, said=one["sentence"])
    return found


def changes(
    found: Mapping[str, Found],
    known: Mapping[str, Known],
    now: datetime,
    repeat_days: int | None,
) -> list[Change]:
    """Return what is to be notified of: another condition, or one not ok for `repeat_days` more.

    A gate that stays undecided is told of once more after `LONG`. What is not known yet counts as
    ok. `repeat_days` None: an unchanged condition is not repeated.
    """
    result = []
    for key, one in found.items():
        condition, last = one.condition, known.get(key, Known(Condition.ok, now, now))
        since = last.since if condition == last.condition else now
        is_due = (
            repeat_days is not None
            and condition != Condition.ok
            and (now - last.told).days >= repeat_days
        )
        was_told_late = last.told - last.since >= LONG
        is_long = condition == Condition.undecided and now - since >= LONG and not was_told_late
        if condition != last.condition or is_due or is_long:
            is_long |= condition == Condition.ok and was_told_late
            change = Change(key, last.condition, condition, since, one.gate, one.said, is_long)
            result.append(change)
    return result


def read_known(store: Files) -> dict[str, Known]:
    """Return what was last notified of, by key; nothing if the file is missing or damaged."""
    record = read_sealed(store, CONDITIONS)
    if record is None:
        return {}
    return {
        key: Known(
            Condition(one["condition"]),
            datetime.fromisoformat(one["since"]),
            datetime.fromisoformat(one["told"]),
        )
        for key, one in record.content.items()
    }


def write_known(
    store: Files, known: Mapping[str, Known], told: Sequence[Change], now: datetime
) -> None:
    """Keep what was notified of now."""
    after = {**known, **{one.key: Known(one.now, one.since, now) for one in told}}
    content = {
        key: {**asdict(one), "since": one.since.isoformat(), "told": one.told.isoformat()}
        for key, one in after.items()
    }
    write_sealed(store, CONDITIONS, content)
