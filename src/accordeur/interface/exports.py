"""Messages of the functions of commands, with keyword arguments for options."""

from __future__ import annotations

import re

_KEYWORDS = {
    "crew": "crews", "distance": "level", "level": "confidence", "measure": "measures",
    "system": "systems", "tagset": "order",
}  # fmt: skip


def in_python(message: str) -> str:
    """Rewrite a command's message with keyword arguments for options, and without the file."""
    return re.sub(r"--(?!option)([a-z][a-z-]+)(?: (\w+)(?=`))?", _keyword, message)


def _keyword(flag: re.Match[str]) -> str:
    name = flag[1].replace("-", "_")
    value = f'"{flag[2]}"' if flag[2] else ""
    return f"{_KEYWORDS.get(name, name)}={value}"
