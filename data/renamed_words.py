"""Words of earlier versions for options, keywords and keys, with the words that replaced them.

Command line, Python and campaign files ask here, so that an old word is an error that names the new
one. The page *From 0.2.0 to 0.3.0* says why each was renamed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

RENAMED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "annotators_by_items": ("rows",),
        "categories": ("only",),
        "category": ("only",),
        "confidence": ("confidence_level",),
        "crew": ("group", "annotators"),
        "crews": ("groups",),
        "distances": ("distance",),
        "format": ("from",),
        "items_by_annotators": ("rows",),
        "level": ("scale", "confidence_level"),
        "order": ("categories",),
        "page": ("to",),
        "per": ("by",),
        "report": ("to",),
        "store": ("to",),
        "system": ("systems",),
        "tagset": ("categories",),
        "to": ("as",),
        "write": ("to",),
    }
)
"""Old word → new words; `level` was two things. A word counts only where it is no option itself."""

RENAMED_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {"open": "open_run", "replace": "replacement"}
)
"""Functions of `import accordeur`, whose old names hid those of Python or of a standard module."""

_MEANINGS = {
    "scale": "scale (nominal, ordinal, …)",
    "confidence_level": "confidence_level (of the intervals)",
    "rows": 'rows ("items" or "annotators")',
}


def new_words(old: str, known: Collection[str]) -> list[str]:
    """Return the words in place of an old one that are options here; [] if it is no old word."""
    return [one for one in RENAMED.get(old, ()) if one in known and old not in known]


def sentence_on_old_word(old: str, known: Collection[str], *, flag: bool = False) -> str:
    """Say what an old word is called now; "" if it is no old word of these options.

    flag  whether the words are options of the command line

    >>> sentence_on_old_word("level", {"scale", "distance", "confidence_level"})
    'level is called scale (nominal, ordinal, …) or confidence_level (of the intervals) now'
    >>> sentence_on_old_word("tagset", {"categories"}, flag=True)
    '--tagset is called --categories now'
    """
    found = new_words(old, known)
    if not found:
        return ""
    if flag:
        shown = [f"--{one.replace('_', '-')}" for one in found]
        return f"--{old.replace('_', '-')} is called {' or '.join(shown)} now"
    named = found if len(found) == 1 and found != ["rows"] else [_MEANINGS.get(f, f) for f in found]
    return f"{old} is called {' or '.join(named)} now"
