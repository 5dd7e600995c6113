"""Names of sets of labels: `a + b`, readable and unambiguous whatever the labels contain.

The labels are in alphabetical order, joined by " + "; the empty set is ∅. A word of a label that is
itself "+" or "∅" gets a backslash: `C++ + Python` names two labels, `a \\+ b` names one. The name
of a single label is the label itself unless it contains such a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

JOINT, EMPTY = "+", "∅"


def set_name(labels: Iterable[str]) -> str:
    """Return the name of a set of labels; different sets have different names.

    >>> set_name(["Python", "C++"])
    'C++ + Python'
    """
    given = sorted({*labels})
    return f" {JOINT} ".join(map(_escaped, given)) if given else EMPTY


def labels_of_set_name(name: str) -> tuple[str, ...]:
    """Return the labels of a set, in alphabetical order: the inverse of `set_name`.

    >>> labels_of_set_name("C++ + Python")
    ('C++', 'Python')
    """
    if name == EMPTY:
        return ()
    labels: list[list[str]] = [[]]
    for word in name.split(" "):
        if word == JOINT:
            labels.append([])
        else:
            labels[-1].append(word[1:] if _is_sign(word) else word)
    return tuple(" ".join(words) for words in labels)


def set_members(sets: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.bool_]]:
    """Return the labels that occur in the sets, and the members of each set: bool (K, labels)."""
    given = [frozenset(labels_of_set_name(name)) for name in sets]
    labels = tuple(sorted(frozenset().union(*given)))
    return labels, np.array([[label in one for label in labels] for one in given], dtype=np.bool_)


def is_set(name: str) -> bool:
    """Return whether a name is that of several labels, or of none.

    >>> [is_set(name) for name in ("joy", "fear + joy", "∅")]
    [False, True, True]
    """
    return len(labels_of_set_name(name)) != 1


def _escaped(label: str) -> str:
    return " ".join(f"\\{word}" if _is_sign(word) else word for word in label.split(" "))


def _is_sign(word: str) -> bool:
    """Return whether a word is "+" or "∅", with or without backslashes before it."""
    return word[-1:] in (JOINT, EMPTY) and not word[:-1].strip("\\")
