"""Random tables whose columns or rows are one thing together, and `generated`, of any kind."""

from __future__ import annotations

import random

from .generated_tables import (
    ITEMS,
    WHAT,
    WHO,
    Cell,
    Generated,
    alpha_of,
    counts,
    grid,
    keys_of,
    labels_of,
    long,
    people_of,
    wide,
)

_CODES = ("cost", "time", "trust", "noise", "staff", "food", "access")


def generated(seed: int) -> Generated:
    draw = random.Random(seed)
    seldom = [counts, counts, two_lines, grid, sets, entries, unnamed]
    return draw.choice([*[long, wide] * 7, *seldom])(draw)


def sets(draw: random.Random) -> Generated:
    """Codes of a row in numbered columns, of the row's annotator or of one that columns name."""
    people, name, who = people_of(draw), draw.choice(ITEMS), draw.choice(WHO)
    stem, width = draw.choice(["Code ", "tag_", "theme"]), draw.choice([3, 5, 8])
    given: dict[tuple[str, str], list[str]] = {}
    for (key,) in keys_of(draw, 1):
        usual = draw.sample(_CODES, draw.choice([1, 2, 3]))
        for one in people:
            own = [code for code in usual if draw.random() < 0.8]
            given[key, one] = draw.sample(own, len(own))
    cells = [((key,), one, "+".join(sorted(own))) for (key, one), own in given.items() if own]
    filled = {at: own + [""] * (width - len(own)) for at, own in given.items()}
    if draw.random() < 0.5:
        header = [name, who, *(f"{stem}{k + 1}" for k in range(width))]
        rows = [[*at, *own] for at, own in filled.items()]
    else:
        header = [name, *(f"{one}_{stem}{k + 1}" for one in people for k in range(width))]
        rows = [
            [key, *(cell for one in people for cell in filled[key, one])]
            for key in dict.fromkeys(key for key, _ in given)
        ]
    wide = {"layout": "wide"}
    return Generated([header, *rows], wide, alpha_of(cells), [], False, "sets", by_query=True)


def entries(draw: random.Random) -> Generated:
    """Two entries of each record, by two people who are `--1` and `--2` of its name."""
    cells, _ = labels_of(draw, keys_of(draw, 1), "12")
    events = draw.random() < 0.5
    header = [
        "record_id",
        *["redcap_event_name"] * events,
        draw.choice(WHAT),
        "smoker",
        "end_complete",
    ]
    rows = [
        [f"{key}--{one}", *["visit_1_arm_1"] * events, label, draw.choice("01"), "2"]
        for (key,), one, label in cells
    ]
    wide = {"layout": "wide"}
    return Generated([header, *rows], wide, alpha_of(cells), [], False, "entries", by_query=True)


def two_lines(draw: random.Random) -> Generated:
    """The names of questions below those of annotators, which stand once or above each."""
    people, keys = people_of(draw), keys_of(draw, 1)
    questions = draw.sample(["joy", "tone", "topic", "stance"], draw.choice([2, 3]))
    of_each = {one: labels_of(draw, keys, people)[0] for one in questions}
    label = {(key, who, one): own for one, cells in of_each.items() for (key,), who, own in cells}
    columns = [(who, one) for who in people for one in questions]
    rows = [[key, *(label.get((key, *column), "") for column in columns)] for (key,) in keys]
    once = draw.random() < 0.5
    above = [who if not once or one == questions[0] else "" for who, one in columns]
    lines = [["", *above], ["id", *(one for _, one in columns)]]
    asked = draw.choice(questions)
    named = {
        "header": "two", "item": "id", "annotator": ",".join(f"{who}.{asked}" for who in people)
    }  # fmt: skip
    table = [["id", *(f"{who}.{one}" for who, one in columns)], *rows]
    return Generated(table, named, alpha_of(of_each[asked]), [], True, "two lines", lines=lines)


def unnamed(draw: random.Random) -> Generated:
    """Rows of the annotators of each item, in one order, without their names."""
    name, what = draw.choice(ITEMS), draw.choice(WHAT)
    people = people_of(draw)
    cells: list[Cell] = labels_of(draw, keys_of(draw, 1), people, coverage=1.0)[0]
    header, rows = [name, what], [[key, label] for (key,), _, label in cells]
    if draw.random() < 0.3:
        header, rows = [*header, "confidence"], [[*row, draw.choice("12345")] for row in rows]
    named = {"item": name, "label": what}
    return Generated([header, *rows], named, alpha_of(cells), [], False, "unnamed", by_query=True)
