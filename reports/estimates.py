"""Estimates of what a corpus contains, in sentences for page and terminal."""

from __future__ import annotations

import math
from typing import TypeAlias

from .columns import Column, interval, number, reasons, text
from .language import Language
from .results import (
    AccuracyDifference,
    CategoryShare,
    CorpusEstimates,
    Corrected,
    JudgeDrift,
    SystemEstimates,
    TextbookShare,
)
from .warnings import reason_text

MESSAGES = ("account", "estimates", "")  # catalogues that the terminal needs
SIGNIFICANT = 0.05  # p-value below which drift is stated
RARE = 10  # audited items of the rarer class, from which hardly any audit shows no value

TextbookRow: TypeAlias = tuple[str, TextbookShare]  # category and correction


def about_sentences(say: Language, found: CorpusEstimates) -> list[str]:
    """Return how the audit was drawn, what the estimates aim at, and the humans' agreement."""
    said = [say(f"estimates.random_{found.random_by}")]
    if found.random_by != "whole":
        said.append(say(f"estimates.drawn_{found.drawn_by}"))
    said += _targets(say, found)
    if found.agreement is not None:
        said.append(say("estimates.agreement", value=say.number(found.agreement.value)))
    if found.simultaneous:
        said.append(say("estimates.simultaneous", level=level_text(say, found.level)))
    return said


def _targets(say: Language, found: CorpusEstimates) -> list[str]:
    """Return what shares and accuracy aim at, and the mean, if items have several labels."""
    if found.target == "annotator":
        return [say("estimates.target_annotator")]
    said = []
    if any(one.shares or one.accuracy is not None for one in found.systems):
        annotators = say.counted("annotator", len(found.annotators))
        said.append(say(f"estimates.target_{found.target}", annotators=annotators))
    if any(one.mean is not None for one in found.systems):
        tied = found.n_unresolved
        items = say.counted("item", tied)
        said.append(
            say("estimates.target_mean_tied", items=items) if tied else say("estimates.target_mean")
        )
    return said


def system_sentences(say: Language, one: SystemEstimates, level: float) -> list[str]:
    """Return the sentences about one system: size of the audit, savings, accuracy, mean."""
    said = [audited_sentence(say, one), *saving_sentences(say, one)]
    if one.accuracy is not None:
        said.append(accuracy_sentence(say, one, level))
    if one.mean is not None:
        said.append(mean_sentence(say, one, level))
    if _has_selected_values(one):
        said.append(say("estimates.selected"))
    return said


def _has_selected_values(one: SystemEstimates) -> bool:
    """Whether some corrected shares would have had no value in another audit of this size."""
    rarer = [
        min(share.n_hits, one.n_audited - share.n_hits)
        for share in one.shares
        if math.isfinite(share.interval[0])
    ]
    return one.n_audited < one.n_items and any(n < RARE for n in rarer)


def audited_sentence(say: Language, one: SystemEstimates) -> str:
    return say(
        "estimates.audited",
        system=one.system,
        audited=say.integer(one.n_audited),
        items=say.counted("item", one.n_items),
    )


def saving_sentences(say: Language, one: SystemEstimates) -> list[str]:
    """Return what the system saves of each category for which it is claimed, or that it is not."""
    claimed = [
        say(
            "estimates.claimed",
            category=share.category,
            system=one.system,
            audited=say.integer(one.n_audited),
            worth=say.integer(share.worth),
        )
        for share in one.shares
        if share.worth is not None
    ]
    has_intervals = any(share.value == share.value for share in one.shares)
    return claimed or ([say("estimates.nothing_claimed")] if has_intervals else [])


def textbook_refusal(say: Language, one: SystemEstimates) -> str:
    """Return for which categories there is no correction of the literature, and why."""
    refused = [share for share in one.shares if any(row.reason for row in share.textbook)]
    names = say.listed([share.category for share in refused])
    reason = reason_text(say, refused[0].textbook[0].reason)
    return say("estimates.textbook_refused", categories=names, reason=reason)


def accuracy_sentence(say: Language, one: SystemEstimates, level: float) -> str:
    assert one.accuracy is not None
    if one.accuracy.reason is not None:
        reason = reason_text(say, one.accuracy.reason)
        return say("estimates.accuracy_undefined", system=one.system, reason=reason)
    return say("estimates.accuracy", system=one.system, **_value(say, one.accuracy, level))


def mean_sentence(say: Language, one: SystemEstimates, level: float) -> str:
    assert one.mean is not None
    if one.mean.reason is not None:
        return say("estimates.mean_undefined", reason=reason_text(say, one.mean.reason))
    return say(
        "estimates.mean",
        system=one.system,
        naive=say.number(one.mean.naive),
        humans=say.number(one.mean.humans),
        humans_interval=say.interval(one.mean.humans_interval),
        **_value(say, one.mean, level),
    )


def difference_sentence(say: Language, one: AccuracyDifference, level: float) -> str:
    if one.reason is not None:
        reason = reason_text(say, one.reason)
        return say(
            "estimates.difference_undefined", first=one.first, second=one.second, reason=reason
        )
    return say(
        "estimates.difference",
        first=one.first,
        second=one.second,
        n=say.integer(one.n_discordant),
        **_value(say, one, level),
    )


def drift_sentence(say: Language, system: str, drift: JudgeDrift) -> str:
    """Return whether the system errs alike in all batches or periods, with the p-value."""
    found = "differs" if drift.p_value < SIGNIFICANT else "alike"
    n = say.integer(len(drift.parts))
    p = say.p_value(drift.p_value)
    return say(f"estimates.{drift.kind}_{found}", system=system, n=n, p=p)


def share_columns(
    say: Language, found: CorpusEstimates, one: SystemEstimates
) -> list[Column[CategoryShare]]:
    """Return the columns of the table of shares: the system, the humans, both together."""
    level = say("estimates.interval", level=level_text(say, found.level_of_shares))
    width = "" if found.wanted_width is None else say.figure(found.wanted_width, "2")
    return [
        text(say("estimates.category"), lambda row: row.category),
        number(say("estimates.naive"), lambda row: row.naive),
        number(say("estimates.humans"), lambda row: row.humans),
        interval(level, lambda row: row.humans_interval),
        number(say("estimates.corrected"), lambda row: row.value),
        interval(level, lambda row: row.interval),
        number(say("estimates.needed", width=width), lambda row: row.n_needed, when=bool(width)),
        reasons(
            say("estimates.no_value"),
            lambda row: reason_text(say, row.reason),
            when=any(row.reason for row in one.shares),
        ),
    ]


def textbook_rows(one: SystemEstimates) -> tuple[list[TextbookRow], int]:
    """Return the corrections of the literature with a value, and how many have none."""
    every = [(share.category, row) for share in one.shares for row in share.textbook]
    rows = [pair for pair in every if pair[1].reason is None]
    return rows, len(every) - len(rows)


def textbook_columns(say: Language) -> list[Column[TextbookRow]]:
    return [
        text(say("estimates.category"), lambda row: row[0]),
        text(say("estimates.method"), lambda row: say(f"estimates.{row[1].method}")),
        number(say("table.value"), lambda row: row[1].value),
        interval(say("table.interval"), lambda row: row[1].interval),
    ]


def level_text(say: Language, level: float) -> str:
    """Return 95%, or 98.75% after a correction for several shares."""
    return say("value.percent", share=f"{100 * level:.4g}")


def _value(say: Language, one: Corrected | AccuracyDifference, level: float) -> dict[str, str]:
    return {
        "value": say.number(one.value),
        "interval": say.interval(one.interval),
        "level": level_text(say, level),
    }
