"""Annotators whose names suggest that they are a reference or a system."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .schema import Role

_REFERENCE = re.compile(
    r"gold(en)?([ _.-]?(standard|labels?|annotations?|data|set))?|reference|ground[ _.-]?truth|"
    r"truth|consensus|adjudicated|curated|curation[ _.-]?user",
    re.IGNORECASE,
)
_SYSTEM = re.compile(
    r"((chat)?gpt|claude|llama|gemini|gemma|mistral|mixtral|deepseek|qwen|llm|model|system|"
    r"predict(ions?|ed)|classifier|baseline)s?([^a-z].*)?|"
    r".*[^a-z](gpt|llm|model|system|predictions?|classifier|baseline)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[ _.-]?[0-9]+$")


def suggested_roles(humans: Iterable[str]) -> dict[str, Role]:
    """Return annotators counted as human whose names are typical of a reference or a system.

    >>> suggested_roles(["anna", "gold_standard", "gpt-4", "goldberg"])
    {'gold_standard': <Role.REFERENCE: 'reference'>, 'gpt-4': <Role.SYSTEM: 'system'>}
    """
    found = {}
    for name in humans:
        bare = name.strip()
        if _SYSTEM.fullmatch(bare):
            found[name] = Role.SYSTEM
        elif _REFERENCE.fullmatch(_NUMBER.sub("", bare)):
            found[name] = Role.REFERENCE
    return found
