"""The reporting checklist of a judge study, filled in from the results; its checks in sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..metrics.estimate import Estimate
from .language import Language
from .page.values import measure_name
from .replacement import epsilon_sentence, epsilon_text, verdict_sentences
from .results import Replacement, SystemReplacement
from .warnings import reason_text

_SHARES = (
    *("self_consistency", "changed_labels", "position_consistency", "position_bias"),
    *("unit_count_ratio", "unit_length_ratio"),
)
_CHECKS = {
    "consistency": ("self_consistency",),
    "drift": ("changed_labels", "advantage_change"),
    "position": ("position_consistency", "position_bias", "position_trend"),
    "length": ("length_bias", "unit_count_ratio", "unit_length_ratio", "length_trend"),
}


@dataclass(frozen=True, slots=True)
class ChecklistPoint:
    """A point of the checklist: what to report, or how to provide the missing facts."""

    name: str
    title: str
    text: str
    is_filled: bool


def checklist(
    say: Language, found: Replacement, one: SystemReplacement, agreement: Estimate | None
) -> list[ChecklistPoint]:
    """Return what a study of this system reports, in order.

    agreement  between the human annotators; None if it was not computed
    """
    filled = {
        "version": one.version,
        "prompt": one.prompt,
        "decoding": one.decoding,
        "data": _data_sentence(say, found, one),
        "expertise": "" if found.is_default else epsilon_sentence(say, found),
        "agreement": _agreement_sentence(say, agreement),
        "verdict": _verdict_sentence(say, found, one),
        "missing": _missing_sentence(say, found, one),
        "weakest": _weakest(say, one),
        **_checks(say, found, one),
    }
    figures = {"system": one.system, "epsilon": epsilon_text(say, found)}
    points = []
    for name, text in filled.items():
        key = f"replacement.fill_{name}"
        keys = [f"{key}_of_{found.kind}", key, "replacement.fill_verdict"]
        how = say(next(filter(say.knows, keys)), **figures)
        points.append(
            ChecklistPoint(name, say(f"replacement.point_{name}"), text or how, bool(text))
        )
    return points


def check_sentence(
    say: Language, found: Replacement, one: SystemReplacement, value: Estimate
) -> str:
    """Describe one check of a system in a sentence."""
    if not math.isfinite(value.value):
        name = measure_name(say, value.measure)
        reason = reason_text(say, value.reason, of_documents=found.kind == "units")
        return say("replacement.check_undefined", name=name, reason=reason)
    of = "pairs" if found.positions and found.kind == "items" else found.kind
    key = f"replacement.check_{value.measure}"
    return say(
        f"{key}_of_{of}" if say.knows(f"{key}_of_{of}") else key,
        system=one.system,
        earlier=one.earlier,
        value=check_number(say, value.measure, value.value),
        **_interval(say, value),
    )


def check_number(say: Language, measure: str, value: float) -> str:
    """Format the value of a check; shares are percentages."""
    return say.percent(value, 0) if measure in _SHARES else say.number(value)


def _interval(say: Language, value: Estimate) -> dict[str, str]:
    shown = say.interval(value.interval, lambda v: check_number(say, value.measure, v))
    return {"level": say.percent(value.confidence_level, 0), "interval": shown or "–"}


def _data_sentence(say: Language, found: Replacement, one: SystemReplacement) -> str:
    if one.panel is None:
        return ""
    items = say.counted("document" if found.kind == "units" else "item", one.values[0].n_items)
    annotators = say.counted("annotator", one.values[0].n_annotators)
    return say("replacement.filled_data", items=items, annotators=annotators)


def _agreement_sentence(say: Language, agreement: Estimate | None) -> str:
    if agreement is None or not math.isfinite(agreement.value):
        return ""
    return say(
        "replacement.filled_agreement",
        name=measure_name(say, agreement.measure),
        value=say.number(agreement.value),
        **_interval(say, agreement),
    )


def _verdict_sentence(say: Language, found: Replacement, one: SystemReplacement) -> str:
    if one.panel is None:
        return ""
    alt_test = say(
        "replacement.filled_alt_test",
        outcome=say(f"replacement.{'passed' if one.passed else 'failed'}"),
        rate=say.number(one.values[1].value, 2),
        probability=say.number(one.values[2].value, 2),
    )
    return " ".join([*verdict_sentences(say, found, one), alt_test])


def _missing_sentence(say: Language, found: Replacement, one: SystemReplacement) -> str:
    if not math.isfinite(one.tied):
        return ""
    of_units = found.kind == "units"
    return say(
        "replacement.filled_missing",
        n=say.counted("document" if of_units else "item", one.n_missing),
        treated=say(f"replacement.treated_{found.missing}"),
        share=say.percent(one.tied, 0),
    )


def _weakest(say: Language, one: SystemReplacement) -> str:
    parts = [part for part in one.parts if math.isfinite(part.value.value)]
    if not parts:
        return ""
    weakest = min(parts, key=lambda part: part.value.value)
    return say(
        "replacement.filled_weakest",
        part=weakest.name,
        kind=say(f"replacement.kind_{weakest.kind}"),
        value=say.number(weakest.value.value),
        **_interval(say, weakest.value),
    )


def _checks(say: Language, found: Replacement, one: SystemReplacement) -> dict[str, str]:
    of_measure = {value.measure: value for value in one.checks if math.isfinite(value.value)}
    return {
        name: " ".join(
            check_sentence(say, found, one, of_measure[measure])
            for measure in measures
            if measure in of_measure
        )
        for name, measures in _CHECKS.items()
    }
