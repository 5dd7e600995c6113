"""A figure of the report as an SVG file of its own, in the light colours, for any program.

Drawing programs know neither custom properties nor `color-mix`, so that both are replaced by the
colours that they give on paper.
"""

from __future__ import annotations

import re
from functools import cache

from ..render import page_style

_SVG = re.compile(r"<svg .*?</svg>", re.S)
_ROOT = re.compile(r":root \{(.*?)\}", re.S)
_PROPERTY = re.compile(r"(--[\w-]+): ([^;]+);")
_VARIABLE = re.compile(r"var\((--[\w-]+)\)")
_MIX = re.compile(r"color-mix\(in srgb, (#\w{6}) (\d+)%, (#\w{6})\)")
_RULE = re.compile(r"((?:\.chart|\.cat|\.alignment)\b[^{}]*)\{([^{}]*)\}")
_COLOUR = re.compile(r"\.(c(?:\d|-none)) \{ --c: var\((--[\w-]+)\); \}")
_OF_PAGE = (":focus", ":hover", ".lit", ".on ", ":first", "@", ".ring")  # not of a drawing


def svg_files(html: str) -> list[str]:
    """Return each SVG image of a figure as the text of a file."""
    return [_as_file(image) for image in _SVG.findall(html)]


def _as_file(image: str) -> str:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', image)
    size = f' width="{found[1]}" height="{found[2]}"' if found else ""
    start, mark, rest = image.partition(">")
    return (
        f'{start} xmlns="http://www.w3.org/2000/svg"{size}{mark}<style>{_style()}</style>'
        f'<rect width="100%" height="100%" fill="{_light()["--raised"]}"/>{rest}\n'
    )


@cache
def _light() -> dict[str, str]:
    """Return the custom properties of the page in its light colours."""
    root = _ROOT.search(page_style())
    return dict(_PROPERTY.findall(root[1])) if root else {}


@cache
def _style() -> str:
    css = page_style()
    colours = dict(_COLOUR.findall(css))
    rules = []
    for selector, body in _RULE.findall(css):
        if any(mark in selector for mark in _OF_PAGE):
            continue
        if "var(--c)" not in body:
            rules.append(f"{selector.strip()} {{{_resolved(body)}}}")
            continue
        for name, colour in colours.items():
            own = re.sub(r"\.(cat|unit)\b", rf".\1.{name}", selector.strip())
            rules.append(f"{own} {{{_resolved(body.replace('var(--c)', f'var({colour})'))}}}")
    return "\n".join(rules)


def _resolved(body: str) -> str:
    """Replace custom properties by their values, and mixtures of colours by their result."""
    plain = _VARIABLE.sub(lambda found: _light().get(found[1], "none"), body)
    return _MIX.sub(lambda found: _mixed(found[1], int(found[2]) / 100, found[3]), plain)


def _mixed(first: str, share: float, second: str) -> str:
    pairs = ((int(first[k : k + 2], 16), int(second[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)
