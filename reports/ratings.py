"""A study of ratings in sentences, for page and terminal."""

from __future__ import annotations

from ..metrics.estimate import Estimate
from .language import Language
from .results import RatingStudy

MESSAGES = ("account", "ratings", "")  # catalogues that the terminal needs


def scale_sentence(say: Language, study: RatingStudy) -> str:
    """Describe the effect of the chosen scale on α."""
    shown = {str(one.how.distance): say.number(one.value) for one in study.scales}
    return say("ratings.scale_sentence", **shown)


def repeatability_sentence(say: Language, value: Estimate | None) -> str:
    """Describe how far an annotator differs when rating an item again."""
    if value is None or value.reason:
        return say("ratings.no_repeatability")
    return say(
        "ratings.repeatability",
        value=say.number(value.value),
        level=say.percent(value.confidence_level, 0),
        interval=say.interval(value.interval),
        coefficient=say.number(value.detail.repeatability),
        items=say.counted("item", value.n_items),
        annotators=say.counted("annotator", value.n_annotators),
    )


def limit_text(say: Language, pair: Estimate, which: str) -> str:
    """Format a limit of agreement with its interval; which: lower or upper."""
    if pair.reason:
        return "–"
    of = pair.detail
    if which == "lower":
        limit, interval = of.lower, (of.lower_low, of.lower_high)
    else:
        limit, interval = of.upper, (of.upper_low, of.upper_high)
    return f"{say.number(limit)} {say.interval(interval)}"
