"""Categories that have an order: numbers, and scales in words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_LEADING_NUMBER = re.compile(r"\s*([-+]?\d+(?:\.\d+)?)\s*(?:%\s*$|[-–—:.)=]\s*\D)")
FEWEST_STEPS = 3  # of a scale
_SCALES = (
    ("strongly disagree", "disagree", "somewhat disagree", "slightly disagree", "neutral",
     "neither agree nor disagree", "slightly agree", "somewhat agree", "agree", "strongly agree"),
    ("never", "rarely", "seldom", "sometimes", "often", "usually", "always"),
    ("very low", "low", "medium", "middle", "moderate", "high", "very high"),
    ("very poor", "poor", "bad", "fair", "good", "very good", "excellent"),
    ("stimme gar nicht zu", "stimme überhaupt nicht zu", "stimme nicht zu", "stimme eher nicht zu",
     "teils/teils", "teils, teils", "neutral", "stimme eher zu", "stimme zu", "stimme voll zu",
     "stimme voll und ganz zu"),
    ("pas du tout d'accord", "pas d'accord", "plutôt pas d'accord", "neutre", "plutôt d'accord",
     "d'accord", "tout à fait d'accord"),
)  # fmt: skip


def scale_in_words(tagset: Sequence[str]) -> Sequence[str]:
    """Return the categories in order if they are a scale: known words, or numbers with words."""
    if len(tagset) < FEWEST_STEPS:
        return ()
    numbers = [_LEADING_NUMBER.match(name) for name in tagset]
    if all(numbers) and not any("," in name for name in tagset):
        values = [float(found[1]) for found in numbers if found]
        if len(set(values)) == len(values):
            return [name for _, name in sorted(zip(values, tagset, strict=True))]
    known = {name.strip().casefold().replace("’", "'"): name for name in tagset}
    for scale in _SCALES:
        if known.keys() <= {*scale}:
            return [known[word] for word in scale if word in known]
    return ()


def is_finite_number(category: str) -> bool:
    """Return whether the name of a category is a number."""
    try:
        return math.isfinite(float(category))
    except ValueError:
        return False
