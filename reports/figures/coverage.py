"""Coverage by annotator and document; the states of absence differ in shape and colour."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ..language import Language
from .svg import Chart, gutter_for, join_markup, short_names, text

STATES = ("finished", "finished_empty", "unfinished", "not_assigned")
WIDTH = 760.0
LONGEST = 16  # letters of a name
N_SMALL = 11.0  # pixels of a cell when there are many documents
N_LARGE = 30  # up to this number of documents the cells are large


def _shape(state: str, x: float, y: float, size: float) -> str:
    """Return the path of a cell: full square, open square, half square, or small dash."""
    far = size - 2
    if state == "finished":
        return f"M{x:g} {y:g}h{far:g}v{far:g}h{-far:g}z"
    if state == "finished_empty":
        inner = far - 4
        return (
            f"M{x:g} {y:g}h{far:g}v{far:g}h{-far:g}z"
            f"M{x + 2:g} {y + 2:g}v{inner:g}h{inner:g}v{-inner:g}z"
        )
    if state == "unfinished":
        return f"M{x:g} {y:g}v{far:g}h{far:g}z"
    return f"M{x + far * 0.3:g} {y + far * 0.5 - 0.75:g}h{far * 0.4:g}v1.5h{-far * 0.4:g}z"


def coverage_map(
    documents: Sequence[str],
    annotators: Sequence[str],
    states: Sequence[Sequence[str]],
    *,
    say: Language,
) -> Chart:
    """Draw `states[d][a]` in bands of documents, one row per annotator."""
    size = 20.0 if len(documents) <= N_LARGE else N_SMALL
    gutter = gutter_for(annotators, LONGEST)
    per_band = int((WIDTH - gutter) // size)
    commands: dict[str, list[str]] = {state: [] for state in STATES}
    labels: list[Markup] = []
    names = short_names(annotators, LONGEST)
    y = 4.0
    for first in range(0, len(documents), per_band):
        band = range(first, min(first + per_band, len(documents)))
        for d in band:
            if d == first or (d + 1) % 10 == 0 or size > N_SMALL:
                x = gutter + (d - first) * size + size / 2 - 1
                labels.append(text(x, y + 9, say.integer(d + 1), "tick", "middle"))
        y += 14
        for a in range(len(annotators)):
            labels.append(text(gutter - 8, y + size * 0.72, names[a], "row-label", "end"))
            for d in band:
                state = states[d][a] if states[d][a] in commands else "not_assigned"
                commands[state].append(_shape(state, gutter + (d - first) * size, y, size))
            y += size
        y += 8
    cells = join_markup(
        Markup('<path class="state {}" fill-rule="evenodd" d="{}"/>').format(state, "".join(found))
        for state, found in commands.items()
        if found
    )
    used = min(len(documents), per_band)
    return Chart(max(gutter + used * size + 4, 240), y, join_markup(labels) + cells, is_fixed=True)


def state_key(state: str) -> Markup:
    """Draw the shape of one state, for the legend."""
    return Markup(
        '<svg class="key" aria-hidden="true" width="14" height="14" viewBox="0 0 14 14">'
        '<path class="state {}" fill-rule="evenodd" d="{}"/></svg>'
    ).format(state, _shape(state, 0, 0, 16))
