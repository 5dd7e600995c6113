"""Public shapes of preferences between systems, each with its query, for `accordeur rank`.

A query gives item, annotator, left, right and outcome. Tables with columns of usual names, such as
the votes of an arena, need none.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from .known_shapes import Shape, shapes_of
from .shape_of_file import known_shape

# `{pairs}` of a query, of a table `ranked` with a row for each answer, item, annotator, system and
# place (1: best).
_PAIRS = """
select a.item, a.annotator, a.system as "left", b.system as "right", case
    when a.place < b.place then 'left' when a.place > b.place then 'right' else 'tie' end as outcome
from ranked a join ranked b on a.answer = b.answer and a.system < b.system
order by a.answer, a.system, b.system"""

PREFERENCES = tuple(
    replace(one, query=one.query.replace("{pairs}", _PAIRS))
    for one in shapes_of(Path(__file__).with_suffix(".toml"))
)


def preference_shape(path: Path) -> Shape | None:
    """Return the shape of preferences that a file has by its beginning; None for others."""
    return known_shape(path, PREFERENCES)
