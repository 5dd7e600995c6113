"""Charts of the documentation, made of the report's own pieces: curves, rows on one axis, cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from accordeur.reports.figures.axes import BOTTOM, HEIGHT, TOP, WIDTH, frame
from accordeur.reports.figures.svg import (
    Chart,
    Scale,
    category_css,
    decimals,
    join_markup,
    line,
    path,
    rectangle,
    text,
    ticks,
)
from accordeur.reports.language import Language

SAY = Language("en")
LETTER = 6.3  # pixels of a letter of 11 pixels


@dataclass(frozen=True)
class Curve:
    """A line with its name beside one of its points."""

    name: str
    points: Sequence[tuple[float, float]]
    label_at: int  # index of the point beside which the name stands
    above: bool = True


@dataclass(frozen=True)
class Row:
    """A value, its interval if it has one, and what stands at the end of the row."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    note: str = ""
    code: int = 0  # colour and shape of the dot


def figure(drawing: Markup, caption: str) -> str:
    """A figure whose caption says what it shows."""
    scroll = f'<div class="scroll">{drawing}</div>'
    return f'<figure class="drawn">{scroll}\n<figcaption>{caption}</figcaption></figure>\n'


def curves(
    lines: Sequence[Curve],
    *,
    name: str,
    x_title: str,
    y_title: str,
    title: str,
    description: str,
    x: tuple[float, float],
    y: tuple[float, float] = (0.0, 1.0),
    percent: tuple[bool, bool] = (False, False),
) -> Markup:
    """Draw several lines over one axis, each with its name."""
    axes = frame(
        SAY, x=x, y=y, x_title=x_title, y_title=y_title,
        x_percent=percent[0], y_percent=percent[1],
    )  # fmt: skip
    parts = [axes.body]
    for k, one in enumerate(lines):
        places = [(axes.x(px), axes.y(py)) for px, py in one.points]
        parts.append(path(places, f"curve line-{k}"))
        px, py = places[one.label_at]
        anchor = "end" if px > 0.7 * WIDTH else "start"
        parts.append(text(px, py + (-7 if one.above else 15), one.name, f"name-{k}", anchor))
    return Chart(WIDTH, HEIGHT, join_markup(parts)).named(name, title, description)


def rows_on_an_axis(
    rows: Sequence[Row],
    *,
    name: str,
    x: tuple[float, float],
    x_title: str,
    title: str,
    description: str,
    levels: Sequence[tuple[float, str]] = (),
    width: float = 600.0,
    note_width: float = 110.0,
) -> Markup:
    """Draw one value per row on a common axis; `levels` are vertical lines with names."""
    step, top = 24.0, 30.0 if levels else 12.0
    left = 14 + LETTER * max(len(one.name) for one in rows)
    scale = Scale(*x, left, width - note_width)
    bottom = top + step * len(rows)
    marks = ticks(*x, about=6)
    parts = [line(scale(mark), top - 4, scale(mark), bottom, "grid") for mark in marks]
    parts += [
        text(scale(mark), bottom + 16, SAY.plain(mark, decimals(marks)), "tick", "middle")
        for mark in marks
    ]
    parts.append(line(left, bottom, width - note_width, bottom, "axis"))
    parts.append(text(width - note_width, bottom + 34, x_title, "axis-title", "end"))
    for at, label in levels:
        parts.append(line(scale(at), top - 8, scale(at), bottom, "level"))
        parts.append(text(scale(at), top - 13, label, "level-label", "middle"))
    for k, one in enumerate(rows):
        y = top + step * (k + 0.5)
        parts.append(text(left - 10, y + 4, one.name, "", "end"))
        if math.isfinite(one.low):
            parts.append(line(scale(one.low), y, scale(one.high), y, "whisker"))
        parts.append(_dot(scale(one.value), y, one.code))
        parts.append(text(width - note_width + 12, y + 4, one.note, "tick"))
    return Chart(width, bottom + 42, join_markup(parts)).named(name, title, description)


def _dot(x: float, y: float, code: int) -> Markup:
    """A disc, square, triangle or lozenge: kinds differ without colour, too."""
    shapes = ("", "M-4-4H4V4H-4Z", "M0-5L5 4H-5Z", "M0-5.5L5 0L0 5.5L-5 0Z")
    if not shapes[code % len(shapes)]:
        return Markup('<circle class="point kind-{}" cx="{:g}" cy="{:g}" r="4.2"/>').format(
            code, x, y
        )
    return Markup('<path class="point kind-{}" transform="translate({:g} {:g})" d="{}"/>').format(
        code, x, y, shapes[code % len(shapes)]
    )


def cells(
    rows: Sequence[tuple[str, str, str]],
    *,
    name: str,
    title: str,
    description: str,
    marked: Sequence[Sequence[bool]] = (),
    columns: Sequence[str] = (),
    size: float = 34.0,
    width: float = 600.0,
) -> Markup:
    """Draw rows of labelled squares: (name, one letter for each square, what the row means).

    Squares with `marked[row][column]` have a thick border; `columns` are names above them.
    """
    left = 14 + LETTER * max(len(one) for one, _, _ in rows)
    top = 26.0 if columns else 6.0
    letters = sorted(set("".join(word for _, word, _ in rows)) - {" "})
    parts = [
        text(left + size * (k + 0.5), top - 9, label, "tick", "middle")
        for k, label in enumerate(columns)
    ]
    for r, (label, word, note) in enumerate(rows):
        y = top + (size + 8) * r
        parts.append(text(left - 10, y + size / 2 + 4, label, "", "end"))
        for k, letter in enumerate(word):
            if letter == " ":
                continue
            x = left + size * k
            css = category_css(letters.index(letter))
            is_marked = bool(marked) and bool(marked[r]) and marked[r][k]
            border = "square is-marked" if is_marked else "square"
            parts.append(Markup('<g class="cat {}">').format(css))
            parts.append(rectangle(x + 2, y, size - 4, size, border))
            parts.append(Markup("</g>"))
            parts.append(text(x + size / 2, y + size / 2 + 5, letter, "letter", "middle"))
        parts.append(text(left + size * len(word) + 12, y + size / 2 + 4, note))
    return Chart(width, top + (size + 8) * len(rows), join_markup(parts)).named(
        name, title, description
    )


def shares(
    parts_of: Sequence[tuple[str, int]],
    *,
    name: str,
    title: str,
    description: str,
    width: float = 600.0,
) -> Markup:
    """Draw a bar in as many parts as there are counts, with their names below."""
    total = sum(count for _, count in parts_of)
    x, found = 4.0, []
    for k, (label, count) in enumerate(parts_of):
        long = (width - 8) * count / total
        found.append(Markup('<g class="cat {}">').format(category_css(k)))
        found.append(rectangle(x, 10, long, 34, "square"))
        found.append(Markup("</g>"))
        is_wide = long > LETTER * (len(label) + 2)
        at, anchor = (x + long / 2, "middle") if is_wide else (x + long, "end")
        y = 62.0 if is_wide else 88.0
        if not is_wide:
            found.append(line(x + long / 2, 46, x + long / 2, y - 11, "axis"))
        found.append(text(at, y, f"{count} {label}", "", anchor))
        x += long
    return Chart(width, 96, join_markup(found)).named(name, title, description)


def histogram(
    counts: Sequence[int],
    *,
    low: float,
    step: float,
    marks: Sequence[tuple[float, str]],
    name: str,
    x_title: str,
    y_title: str,
    title: str,
    description: str,
) -> Markup:
    """Draw equal bins from `low` on, and vertical lines with names."""
    high = low + step * len(counts)
    axes = frame(
        SAY, x=(low, high), y=(0.0, max(counts) * 1.2), x_title=x_title, y_title=y_title
    )  # fmt: skip
    parts = [axes.body]
    for k, count in enumerate(counts):
        left, right = axes.x(low + k * step), axes.x(low + (k + 1) * step)
        height = HEIGHT - BOTTOM - axes.y(count)
        parts.append(rectangle(left, axes.y(count), right - left - 0.6, height, "bar"))
    for k, (at, label) in enumerate(marks):
        parts.append(line(axes.x(at), TOP, axes.x(at), HEIGHT - BOTTOM, "mark observed"))
        anchor = "start" if k == 0 else "end"
        shift = 4 if k == 0 else -4
        parts.append(text(axes.x(at) + shift, TOP + 9, label, "observed", anchor))
    return Chart(WIDTH, HEIGHT, join_markup(parts)).named(name, title, description)
