"""Words for causes of a low agreement and for what to do about them."""

from __future__ import annotations

from .language import Language
from .page.values import symbol_of
from .results import Action, ActionKind, Cause


def cause_words(say: Language, cause: Cause, event: str = "") -> str:
    """Describe a cause, in lower case unless it begins with a name.

    event  what happened when a part `since` begins
    """
    text = say(
        f"cause.{_key(cause)}",
        name=cause.annotator,
        first=cause.categories[0] if cause.categories else "",
        second=cause.categories[-1] if cause.categories else "",
        rest=say("cause.before" if cause.part == "since" else "cause.elsewhere"),
    )
    if not cause.part:
        return text
    key = f"cause.in_{cause.part}{'_event' if event and cause.part == 'since' else ''}"
    text = say(key, part=cause.part_name, text=text, event=event)
    if not cause.last:
        return text
    return say("cause.gradual", first=cause.first, last=cause.last, text=text)


def cause_sentence(say: Language, cause: Cause, *, of_units: bool, event: str = "") -> str:
    """Describe a cause with the number of pairs that disagree, as a sentence."""
    words = cause_words(say, cause, event)
    begins = words if words.startswith(cause.annotator or "\0") else words[:1].upper() + words[1:]
    return say(
        f"cause.{'units' if of_units else 'labels'}",
        text=begins,
        n=say.integer(cause.n),
        of=say.integer(cause.n_compared),
    )


def _key(cause: Cause) -> str:
    kind = cause.kind or "every"
    if cause.annotator and kind == "missing" and cause.marks_more:
        kind = "extra"
    return kind + "_of" * bool(cause.categories) + "_annotator" * bool(cause.annotator)


def effect_words(say: Language, action: Action, place: str, *, is_passed: bool) -> str:
    """Say what the value would be, and whether it would reach the threshold.

    place      `cause` for a sentence with the interval, `action` for a few words
    is_passed  whether the value reaches the threshold already
    """
    reach = ""
    if not is_passed and action.distance >= 0:
        reach = "_below" if action.distance > 0 else "_reached"
    return say(
        f"{place}.effect{reach}",
        condition=_condition(say, action.cause),
        symbol=symbol_of(say, action.measure),
        value=say.number(action.value),
        difference=say.signed(action.gain),
        interval=say.interval(action.interval, say.signed),
        distance=say.number(action.distance) if reach else "",
    )


def _condition(say: Language, cause: Cause | None) -> str:
    """Say with what the disagreement of a cause is compared."""
    if cause is not None and cause.part == "since":
        return say("cause.as_before", part=cause.part_name)
    if cause is not None and cause.annotator and not cause.part:
        return say("cause.as_others", name=cause.annotator)
    return say("cause.as_rest")


def action_words(say: Language, action: Action, event: str = "") -> str:
    """Say what to do."""
    if action.cause is None:
        return say(f"action.{action.kind.value}", n=say.integer(action.n))
    cause = action.cause
    is_event = "_event" if event and cause.part == "since" else ""
    named = {"name": cause.annotator, "part": cause.part_name, "event": event}
    if cause.categories:
        first, second = cause.categories[0], cause.categories[-1]
        text, scope = say(f"action.{cause.kind}_of", first=first, second=second), cause.annotator
    elif cause.annotator:
        kind = f"_{_key(cause).split('_')[0]}" if cause.kind else ""
        text, scope = say(f"action.annotator{kind}", **named), ""
    elif cause.last:
        return say("action.gradual", first=cause.first, last=cause.last)
    else:
        return say(f"action.{cause.part}{is_event}", **named)
    part = say(f"action.scope_{cause.part}{is_event}", **named) if cause.part else ""
    scopes = ", ".join(one for one in (scope, part) if one)
    return say("action.scoped", text=text, scope=scopes) if scopes else text


def effect_note(say: Language, action: Action, *, is_passed: bool) -> str:
    """Say in a few words what an action recovers, or could move at most; "" if nothing."""
    if action.kind is ActionKind.cause:
        return effect_words(say, action, "action", is_passed=is_passed)
    if action.kind is ActionKind.annotate:
        return ""
    return say("action.at_most", share=say.number(action.gain))
