"""Draw the figures of docs/concepts/gamma.md: SVG whose costs are computed by the product.

python docs/pictures/draw_gamma.py     writes docs/pictures/gamma-*.svg
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, pair_cost

FOLDER = Path(__file__).parent
TEXT = "Marie Curie moved to Paris in the autumn"
CATEGORIES = ("Person", "Place", "Time")
STEP, ROW, HEIGHT = 16, 46, 28
Span = tuple[int, int, int]  # start, end, category
Rows = Sequence[Sequence[Span]]

WORKED: Rows = (((0, 11, 0), (21, 26, 1)), ((6, 11, 0),))
TEXTS: tuple[Rows, Rows] = (
    (((0, 6, 0), (10, 18, 1)), ((0, 6, 0), (12, 18, 1))),
    (((4, 15, 1), (24, 30, 0)), ((4, 15, 1), (22, 30, 0))),
)


def continuum(rows: Rows) -> Continuum:
    units = [(*unit, a) for a, row in enumerate(rows) for unit in row]
    starts, ends, categories, owners = zip(*units, strict=True)
    names = tuple(f"a{a}" for a in range(len(rows)))
    return Continuum(starts, ends, categories, owners, names, CATEGORIES)


def bar(unit: Span, x: float, y: float, label: str = "") -> str:
    start, end, category = unit
    width = STEP * (end - start)
    text = label or CATEGORIES[category]
    return (
        f'<g class="gamma-unit gamma-category-{category}">'
        f'<rect x="{x + STEP * start:g}" y="{y:g}" width="{width}" height="{HEIGHT}" rx="4"/>'
        f'<text x="{x + STEP * (start + end) / 2:g}" y="{y + 19:g}" text-anchor="middle">{text}'
        "</text></g>"
    )


def words(text: str, x: float, y: float, kind: str = "", anchor: str = "middle") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{named}>{text}</text>'


def rows_of(rows: Rows, names: Sequence[str], y: float, *, width: int = len(TEXT)) -> list[str]:
    parts = []
    for a, (row, name) in enumerate(zip(rows, names, strict=True)):
        top = y + ROW * a
        parts.append(words(name, -8, top + 19, "gamma-name", "end"))
        parts.append(
            f'<line x1="0" x2="{STEP * width}" y1="{top + 14:g}" y2="{top + 14:g}" '
            'class="gamma-track"/>'
        )
        parts += [bar(unit, 0, top) for unit in row]
    return parts


def aligned(rows: Rows, y: float) -> list[str]:
    """Lines between the aligned units, with the costs of the unitary alignments."""
    document = continuum(rows)
    found = best_alignment(document, Dissimilarity())
    parts = []
    for units, cost in zip(found.units.tolist(), found.disorders.tolist(), strict=True):
        places = [
            (STEP * (document.starts[u] + document.ends[u]) / 2, y + ROW * a + 14)
            for a, u in enumerate(units)
            if u >= 0
        ]
        points = " ".join(f"{px:g},{py:g}" for px, py in places)
        parts.append(f'<polyline points="{points}" class="gamma-line"/>')
        if len(places) > 1:
            x, at = (places[0][0] + places[1][0]) / 2 + 5, y + ROW - 4
        else:
            [alone] = [u for u in units if u >= 0]
            x, at = STEP * document.ends[alone] + 6, places[0][1] + 5
        parts.append(words(f"{cost:.3f}", x, at, "gamma-cost", "start"))
    return parts


def svg(parts: Sequence[str], height: float, title: str) -> str:
    inside = "\n".join(parts)
    box = f"-62 0 {STEP * len(TEXT) + 70} {height:g}"
    head = f'<svg class="gamma-drawing" viewBox="{box}" role="img">\n<title>{title}</title>'
    return f"{head}\n{inside}\n</svg>\n"


def position() -> str:
    """Two spans of ten characters, further and further apart, and what each pair costs."""
    parts = []
    for k, shift in enumerate((0, 2, 5, 10)):
        x = 172 * k - 40
        pair: Rows = (((0, 5, 0),), ((shift / 2, 5 + shift / 2, 0),))  # type: ignore[assignment]
        document = continuum((((0, 10, 0),), ((shift, 10 + shift, 0),)))
        parts += [bar(row[0], x, 6 + 34 * a, " ") for a, row in enumerate(pair)]
        cost = pair_cost(document, 0, 1, Dissimilarity())
        parts.append(words(f"shift {shift}: ({2 * shift}/20)² = {cost:.2f}", x + 70, 94))
    return svg(parts, 104, "The positional dissimilarity grows with the square of the shift")


def category() -> str:
    """Two equal spans of the same and of different categories."""
    parts = []
    for k, (other, said) in enumerate(((0, "same category"), (1, "other category"))):
        x = 330 * k
        document = continuum((((0, 10, 0),), ((0, 10, other),)))
        parts += [bar((0, 10, one), x, 6 + 34 * a) for a, one in enumerate((0, other))]
        cost = pair_cost(document, 0, 1, Dissimilarity())
        parts.append(words(f"{said}: {cost:.2f}", x + 80, 94))
    return svg(parts, 104, "The categorical dissimilarity is 0 or the cost of the empty unit")


def worked_example() -> str:
    letters = [words(one, STEP * (i + 0.5), 18, "gamma-text") for i, one in enumerate(TEXT)]
    parts = [*letters, *aligned(WORKED, 30), *rows_of(WORKED, ("anna", "ben"), 30)]
    # the lines are drawn first, so that bars cover their ends; costs stand beside the bars
    return svg(parts, 30 + 2 * ROW, "Two annotators, three spans, and the best alignment")


def random2() -> str:
    """Two texts, and one virtual document made of the first annotator of each."""
    parts = []
    for t, text in enumerate(TEXTS):
        y = 24 + t * (2 * ROW + 30)
        parts.append(words(f"text {t + 1}", 0, y - 8, "gamma-name", "start"))
        parts += rows_of(text, ("anna", "ben"), y)
    virtual: Rows = (TEXTS[0][0], TEXTS[1][1])
    y = 24 + 2 * (2 * ROW + 30)
    parts.append(
        words(
            "virtual document: anna on text 1 beside ben on text 2", 0, y - 8, "gamma-name", "start"
        )
    )
    parts += [*aligned(virtual, y), *rows_of(virtual, ("text 1", "text 2"), y)]
    return svg(parts, y + 2 * ROW, "random2 compares annotators of different texts")


FIGURES = {
    "gamma-position": position,
    "gamma-category": category,
    "gamma-worked-example": worked_example,
    "gamma-random2": random2,
}

if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
