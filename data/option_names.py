"""Names of options in messages: `--distance ordinal`, or `level="ordinal"` in Python.

Messages contain `option("distance", "ordinal")`, and the front end that runs words it. Messages
of readers contain flags, which `in_python` words as keyword arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

_KEYWORDS = {
    "crew": "crews", "distance": "level", "level": "confidence", "measure": "measures",
    "system": "systems", "tagset": "order",
}  # fmt: skip
_OF_FORMAT = "option"  # `--option KEY=VALUE` gives an option of the format
_PAIRS = {_OF_FORMAT: "options", "reference_option": "options", "role": "roles"}
_SHORT = {"wide": (_OF_FORMAT, "layout=wide")}  # flags that stand for an option with its value
_FLAG = re.compile(
    r"--([a-z][a-z-]*)"
    r"(?: ([\w.]+=[^\s`,;)]*|[A-Z][A-Z_]+\b|[\w./-]+(?=`| --)))?"  # a value, not the next word
)

Wording: TypeAlias = Callable[[str, str], str]
"""From the name of an option (`per_item`) and its value, "" without one, to its wording."""


def _as_flag(name: str, value: str) -> str:
    flag = f"--{name.replace('_', '-')}"
    return f"{flag} {value}" if value else flag


def _as_keyword(names: Mapping[str, str]) -> Wording:
    def worded(name: str, value: str) -> str:
        name, value = _SHORT.get(name, (name, value))
        if name in _PAIRS and value:
            key, _, own = value.strip("'").partition("=")
            return f'{_PAIRS[name]}={{"{key}": "{own}"}}'
        own = value.strip('"')
        return f"{names.get(name, _PAIRS.get(name, name))}=" + (f'"{own}"' if own else "")

    return worded


_WORDING: ContextVar[Wording] = ContextVar("wording", default=_as_flag)


def option(name: str, value: str = "") -> str:
    """Name an option in a message, with the value that it should have if one is given.

    name  as on the command line; `option` for an option of the format, with the value KEY=VALUE

    >>> option("distance", "ordinal")
    '--distance ordinal'
    """
    return _WORDING.get()(name, value)


@contextmanager
def in_python(**names: str) -> Iterator[None]:
    """Word options as keyword arguments; a decorator of the functions of the Python interface.

    names  the keywords of the function that differ from those of most functions

    >>> with in_python():
    ...     option("distance", "ordinal")
    'level="ordinal"'
    """
    before = _WORDING.set(_as_keyword({**_KEYWORDS, **names}))
    try:
        yield
    except ValueError as error:  # of the data and of the measures
        error.args = tuple(_worded(one) if isinstance(one, str) else one for one in error.args)
        raise
    finally:
        _WORDING.reset(before)


def _worded(message: str) -> str:
    """Word the flags in a message as the front end does."""
    return _FLAG.sub(lambda found: option(found[1].replace("-", "_"), found[2] or ""), message)
