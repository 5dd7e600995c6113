"""The style of the figures, written from the report's when the site is built.

The figures of the documentation are made of the report's own pieces, so that their rules are the
report's. Colours of paper and ink are the theme's, which has a light and a dark side.
"""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[1] / "reports" / "templates"
RULE = re.compile(r"(?:(?<=\})|^)\s*((?:\.chart|\.cat|\.c\d)\b[^{}]*\{[^{}]*\})", re.M)
OF_THE_THEME = (
    "--paper: var(--pst-color-background); --ink: var(--pst-color-text-base); "
    "--soft: var(--pst-color-text-muted);"
)


def style() -> str:
    """Return the rules of charts, with the colours of both sides, and the light ones in print."""
    rules = RULE.findall(_read("style.css"))
    light, dark = (_variables(name) for name in ("style.css", "dark.css"))
    return "\n".join(
        [
            f".drawn {{ {light} {OF_THE_THEME} }}",
            f'html[data-theme="dark"] .drawn {{ {dark} {OF_THE_THEME} }}',
            *rules,
            f"@media print {{ html[data-theme] .drawn {{ {light} {OF_THE_THEME} }} }}",
            "",
        ]
    )


def write_style(docs: Path) -> None:
    """Write `_static/figures.css`."""
    (docs / "_static" / "figures.css").write_text(style(), encoding="utf-8")


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _variables(name: str) -> str:
    """The custom properties of a style sheet's first `:root`, without the fonts."""
    found = re.search(r":root \{(.*?)\}", _read(name), re.S)
    if found is None:
        raise ValueError(f"{name} has no :root")
    pairs = re.findall(r"(--[\w-]+): ([^;]+);", found[1])
    return " ".join(f"{key}: {value};" for key, value in pairs if "," not in value)
