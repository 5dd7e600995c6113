"""Words of earlier versions and of the field for options and commands, with those of Accordeur.

Command line, Python and campaign files ask here, so that such a word is an error that names the one
to write. The page *From 0.2.0 to 0.9.0* says why each was renamed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_MEANT = _WORDS["meant"]

RENAMED: Mapping[str, Sequence[str]] = _WORDS["renamed"]
"""Old word → new words; a word counts only where it is no option itself."""

MEANT: Mapping[str, Sequence[str]] = {
    word: one["mean"] for one in _MEANT["options"] for word in one["words"].split()
}
"""Word of the field → the options that it may be here, a value after a blank."""

MEANT_ATTRIBUTES: Mapping[str, str] = {
    word: one["mean"] for one in _MEANT["attributes"] for word in one["words"].split()
}
"""Attribute that users expect of a result → what has it."""

MEANT_COMMANDS: Mapping[str, Sequence[str]] = {
    command: words.split() for command, words in _WORDS["commands"].items()
}
"""Command → what users call its subject; most are also functions of `import accordeur`."""

MEANT_FUNCTIONS: Mapping[str, str] = _WORDS["functions"]
"""How a function is called here → what other libraries and earlier versions call it."""

NO_RUNS = (
    "`accordeur agree FIRST --against SECOND` compares two annotations (--independent without "
    "common items), and `accordeur score --reference GOLD --system A --system B` two systems"
)
"""What other commands compare."""

_MEANINGS = {
    "scale": "scale (nominal, ordinal, …)",
    "confidence_level": "confidence_level (of the intervals)",
    "rows": 'rows ("items" or "annotators")',
}


def new_words(old: str, known: Collection[str]) -> list[str]:
    """Return the words in place of an old one that are options here; [] if it is no old word."""
    return [one for one in RENAMED.get(old, ()) if one in known and old not in known]


def sentence_on_old_word(old: str, known: Collection[str], *, flag: bool = False) -> str:
    """Say what an old word is called; "" if it is no old word of these options.

    flag  whether the words are options of the command line

    >>> sentence_on_old_word("level", {"scale", "distance", "confidence_level"})
    'level is called scale (nominal, ordinal, …) or confidence_level (of the intervals)'
    >>> sentence_on_old_word("tagset", {"categories"}, flag=True)
    '--tagset is called --categories'
    """
    found = new_words(old, known)
    if not found:
        return ""
    if flag:
        shown = [f"--{one.replace('_', '-')}" for one in found]
        return f"--{old.replace('_', '-')} is called {' or '.join(shown)}"
    named = found if len(found) == 1 and found != ["rows"] else [_MEANINGS.get(f, f) for f in found]
    return f"{old} is called {' or '.join(named)}"


def call_of_function(name: str) -> str:
    """Return how the function meant by a name of another library is called; "" if none is.

    >>> call_of_function("f1_score")
    'score(reference, system)'
    """
    word = _letters(name)
    return next((a for a, b in MEANT_FUNCTIONS.items() if word in map(_letters, b.split())), "")


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def sentence_on_meant_word(word: str, known: Collection[str], *, flag: bool = False) -> str:
    """Say which option a word of the field is here; "" if it is none of these options.

    flag  whether the words are options of the command line

    >>> sentence_on_meant_word("leave_one_out", {"by", "item"}, flag=True)
    'no option --leave-one-out: use --by annotator'
    >>> sentence_on_meant_word("labels", {"label", "categories"})
    "there is no 'labels': use label= or categories="
    """
    shown = []
    for name, _, value in (one.partition(" ") for one in MEANT.get(word, ())):
        if name not in known or word in known:
            continue
        if flag:
            shown.append(f"--{name.replace('_', '-')} {value}".rstrip())
        else:
            shown.append(f"{name}={value}" if value in ("", "None") else f'{name}="{value}"')
    if not shown:
        return ""
    start = f"no option --{word.replace('_', '-')}" if flag else f"there is no {word!r}"
    return f"{start}: use {' or '.join(shown)}"
