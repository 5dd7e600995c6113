"""Follows the citations of a document: each number to its place in results.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from accordeur.reports.language import PASSPORT, Code, Language

_PLAIN = re.compile(r"([^ \n]+) \[results\.json#(/[^\]\s]*)\]")


def citations(text: str) -> Iterator[tuple[str, str]]:
    """(what is shown, JSON pointer) of each citation."""
    yield from _PLAIN.findall(text)


def without_citations(text: str) -> str:
    return _PLAIN.sub("", text)


def at(document: Any, pointer: str) -> Any:
    """What RFC 6901 finds at the pointer; written apart from the code that makes them."""
    for part in pointer.lstrip("/").split("/") if pointer != "/" else [""]:
        key = part.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def is_shown(value: Any, shown: str, code: Code) -> bool:
    """Whether this is how a value of results.json is written in the language."""
    say = Language(code, PASSPORT)
    if isinstance(value, str):
        return shown in value  # the last word of a text
    ways = [str(value), say.number(value), say.number(value, 1), say.percent(value)]
    ways += [say.percent(value, 0), say.integer(value)] if value == int(value) or value < 1 else []
    return shown in ways
