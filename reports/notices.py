"""Sentences by code: made in English for `results.json`, told in the page's language."""

from __future__ import annotations

from ..metrics.reason import Reason
from .language import Language
from .value import Notice


def notice(code: str, reason: Reason | None = None, **figures: float | int | str) -> Notice:
    """The notice of a code, its English sentence from the catalogue of messages.

    `reason`, where a notice gives one, is kept by its code and figures beside its English text.
    Raises MissingMessageError for a code that `[notice]` does not hold.
    """
    if reason is not None:
        figures |= {**dict(reason.figures), "reason": str(reason), "reason_code": reason.key}
    text = Language("en").filled(f"notice.{code}", figures)
    return Notice(code=code, text=text, figures=figures)


def told(say: Language, told_notice: Notice) -> tuple[str, str]:
    """The sentence and its language: the page's, or English where the code is not known."""
    key = f"notice.{told_notice.code}"
    if say.code == "en" or not say.knows(key):
        return told_notice.text, "en"
    figures = dict(told_notice.figures)
    if "reason_code" in figures:
        figures["reason"] = say.filled(f"reason.{figures['reason_code']}", figures)
    word = f"distance_word.{figures.get('distance')}"
    if say.knows(word):
        figures["distance"] = say(word)
    return say.filled(key, figures).strip(), say.code


def explained(say: Language, reason: Reason | None) -> str:
    """Why a value is undefined, in the page's language; "" without a reason."""
    return "" if reason is None else say.filled(f"reason.{reason.key}", dict(reason.figures))
