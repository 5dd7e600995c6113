"""Sentences by code: made in English for `results.json`, told in the page's language."""

from __future__ import annotations

import re

from .language import Language
from .value import Notice

# Reasons that carry figures: their English sentence as a pattern, and the message's key.
_WITH_FIGURES = (
    (
        re.compile(r".+ compares two annotators and there are (?P<n>\d+): use (?P<other>\w+)"),
        "reason_with.two_annotators",
    ),
    (
        re.compile(r".+ cannot be reached by annotators of this profile.*"),
        "reason_with.unreachable",
    ),
    (
        re.compile(r"too few units \((?P<n>\d+)\): γ of a part needs (?P<fewest>\d+)"),
        "reason_with.few_units",
    ),
    (
        re.compile(
            r"(?P<measure>\S+) is not defined where units of one annotator overlap, as in "
            r"(?P<n>\d+) of (?P<all>\d+) documents \(by (?P<names>.+)\):.*"
        ),
        "reason_with.overlap",
    ),
    (
        re.compile(
            r"(?P<measure>\S+) is not defined where units of one annotator and category overlap, "
            r"as in (?P<n>\d+) of (?P<all>\d+) documents \(by (?P<names>.+)\):.*"
        ),
        "reason_with.overlap_of_category",
    ),
    (
        re.compile(
            r"(?P<measure>\S+) adds documents with one number of annotators, and these have "
            r"(?P<numbers>[\d, ]+):.*"
        ),
        "reason_with.numbers_of_annotators",
    ),
    (re.compile(r"(?P<measure>\w+) was not computed in layer (?P<layer>.+)"), "reason_with.layer"),
    (re.compile(r"(?P<measure>\w+) was not computed"), "reason_with.nowhere"),
)


def notice(code: str, **figures: float | int | str) -> Notice:
    """The notice of a code, its English sentence from the catalogue of messages.

    Raises MissingMessageError for a code that `[notice]` does not hold.
    """
    text = Language("en").filled(f"notice.{code}", figures)
    return Notice(code=code, text=text, figures=figures)


def told(say: Language, told_notice: Notice) -> tuple[str, str]:
    """The sentence and its language: the page's, or English where the code is not known."""
    key = f"notice.{told_notice.code}"
    if say.code == "en" or not say.knows(key):
        return told_notice.text, "en"
    figures = dict(told_notice.figures)
    if "reason" in figures:
        reason, language = explained(say, str(figures["reason"]))
        figures["reason"] = reason if language == say.code else ""
    word = f"distance_word.{figures.get('distance')}"
    if say.knows(word):
        figures["distance"] = say(word)
    return say.filled(key, figures).strip(), say.code


def explained(say: Language, reason: str) -> tuple[str, str]:
    """Why a value is undefined, and the language of that sentence.

    The plain reasons of `metrics` are their own codes; one that is not known stays in English.
    """
    key = "reason." + "_".join("".join(c if c.isalnum() else " " for c in reason).lower().split())
    if say.knows(key):
        return say(key), say.code
    for pattern, with_figures in _WITH_FIGURES:
        if found := pattern.fullmatch(reason):
            return say(with_figures, **found.groupdict()), say.code
    begins_with_a_symbol = any("α" <= letter <= "ω" for letter in reason.split(" ", 1)[0])
    sentence = reason if begins_with_a_symbol else reason[:1].upper() + reason[1:]
    return sentence if sentence[-1:] in ".!?" else f"{sentence}.", "en"
