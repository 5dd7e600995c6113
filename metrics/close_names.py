"""Suggestions for a misspelt name: of a measure, a distance, an option."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

_MOST = 3
_SPELT_ALIKE = 0.75  # least similarity
_LISTED = 200  # characters; messages stay below 400
_GREEK = str.maketrans({"α": "alpha", "γ": "gamma", "κ": "kappa", "π": "pi"})
_WORDS = re.compile(r"[^\W_]+")


def close_names(name: str, known: Iterable[str]) -> list[str]:
    """Return at most three names that may be meant, in their order.

    Names with a word that is the same (`alpha` of `krippendorff_alpha`), else the name that is
    spelt alike, else names with a word that is spelt alike.
    """
    names = [*known]
    given = name.strip().casefold().translate(_GREEK).replace("-", "_").replace(" ", "_")
    by_fold = {one.casefold(): one for one in names}
    words = {one: _WORDS.findall(one.casefold()) for one in names}
    if given not in by_fold and (same := [one for one in names if given in words[one]]):
        return same[:_MOST]
    if near := get_close_matches(given, by_fold, n=1, cutoff=_SPELT_ALIKE):
        return [by_fold[near[0]]]
    near = get_close_matches(given, sorted({word for of in words.values() for word in of}), n=1)
    if not near:
        near = [by_fold[one] for one in get_close_matches(given, by_fold, n=1)]
        return near
    return [one for one in names if near[0] in words[one]][:_MOST]


def probable_misspellings(tagset: Sequence[str], n_uses: Sequence[int]) -> dict[str, str]:
    """Return the categories used once, each with the one used more often that is spelt alike."""
    often = [name for name, n in zip(tagset, n_uses, strict=True) if n > 1]
    return {
        name: near[0]
        for name, n in zip(tagset, n_uses, strict=True)
        if n == 1 and (near := get_close_matches(name, often, n=1, cutoff=_SPELT_ALIKE))
    }


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the question `did you mean x? `, or "" if no name is close."""
    *others, last = close_names(name, known) or [""]
    both = f"{', '.join(others)} or {last}" if others else last
    return f"did you mean {both}? " if both else ""


def list_names(names: Iterable[str], where: str) -> str:
    """Return the names separated by commas, the first of them if there are many.

    where  what lists all of them
    """
    text = ", ".join(names)
    if len(text) <= _LISTED:
        return text
    return f"{text[:_LISTED].rpartition(', ')[0]} and others ({where} lists all)"
