"""Random tables of which it is known what they mean: shapes, keys, codes and computed columns.

What only a query reads, which `look` writes, is in `generated_records`.
"""

from __future__ import annotations

import csv
import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from numpy import nan

ITEMS = ("text", "post_id", "sentence", "case", "uid", "tweet", "doc_no", "snippet")
PEOPLE = (
    ("ana", "ben", "cleo", "dan", "eva"),
    ("C1", "C2", "C3", "C4"),
    ("rater1", "rater2", "rater3", "rater4"),
)
WHO = ("coder", "judge", "worker", "annotated_by", "reader", "person")
WHAT = ("score", "code", "verdict", "tone", "decision", "rating")
KEYS = ("quality", "aspect", "system", "question", "page", "line", "part")
SETS = (
    ["yes", "no"],
    ["0", "1"],
    ["1", "2", "3", "4", "5"],
    ["a", "b", "c"],
    ["pos", "neg", "neu"],
)
ROLES = ("item", "annotator", "label")
MISSING = ("99", "-999", "NA", "not coded", "skip")

Cell = tuple[tuple[str, ...], str, str]  # the key of an item, the annotator, the label


@dataclass
class Generated:
    """A table with how a user names its columns, and the agreement of what it means.

    named     options of the table format, or keywords of a frame
    culprits  columns and codes of which a warning must name one if the value is another one
    readable  whether the options suffice, so that a refusal is a loss
    by_query  whether no options suffice, and `look` must write the query that does
    lines     the header of the file, if it has more than the names of the columns
    """

    rows: list[list[str]]
    named: dict[str, str]
    alpha: float
    culprits: list[str] = field(default_factory=list)
    readable: bool = True
    kind: str = ""
    by_query: bool = False
    lines: list[list[str]] = field(default_factory=list)

    def write(self, path: Path) -> Path:
        with path.open("w", newline="") as handle:
            csv.writer(handle).writerows([*(self.lines or self.rows[:1]), *self.rows[1:]])
        return path


def alpha_of(cells: Sequence[Cell]) -> float:
    """Krippendorff's α with the nominal distance, from its definition."""
    of_item: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for item, _, label in cells:
        of_item[item].append(label)
    pairable = [labels for labels in of_item.values() if len(labels) > 1]
    values = Counter(label for labels in pairable for label in labels)
    n = values.total()
    observed = sum(
        (len(labels) ** 2 - sum(c**2 for c in Counter(labels).values())) / (len(labels) - 1)
        for labels in pairable
    )
    expected = (n**2 - sum(c**2 for c in values.values())) / (n - 1) if n > 1 else 0
    return 1 - observed / expected if expected else nan


def people_of(draw: random.Random) -> list[str]:
    """Draw annotators with usual names, or with names of random letters."""
    n, one = draw.choice([2, 3, 4]), draw.random()
    if one < 0.15:
        return draw.sample([*itertools.chain(*PEOPLE)], n)
    if one < 0.7:
        return draw.sample(draw.choice(PEOPLE), n)
    return [
        "".join(draw.sample("bdfgklmnprstz", draw.choice([2, 5]))) + "aeio"[k] for k in range(n)
    ]


def labels_of(
    draw: random.Random,
    keys: Sequence[tuple[str, ...]],
    people: Sequence[str],
    sets: Sequence[list[str]] = SETS,
    coverage: float | None = None,
) -> tuple[list[Cell], list[str]]:
    categories = draw.choice(sets)
    accuracy, coverage = draw.choice([0.5, 0.7, 0.85]), coverage or draw.choice([0.6, 1.0, 1.0])
    cells = []
    for key in keys:
        true = draw.choice(categories)
        for who in people:
            if draw.random() < coverage:
                label = true if draw.random() < accuracy else draw.choice(categories)
                cells.append((key, who, label))
    return cells, categories


def keys_of(draw: random.Random, n_parts: int) -> list[tuple[str, ...]]:
    n = draw.choice([15, 25, 40])
    first = [f"{draw.choice('tuvw')}{k:03}" for k in range(n)]
    if draw.random() < 0.3:
        first = [str(k) for k in range(n)]
    parts = [
        first,
        *([f"{word}{k}" for k in range(draw.choice([2, 3]))] for word in "qs"[: n_parts - 1]),
    ]
    keys: list[tuple[str, ...]] = [()]
    for part in parts:
        keys = [(*key, one) for key in keys for one in part]
    return keys


def long(draw: random.Random) -> Generated:
    """One row per label; the item is named by all its columns, or by the first one only."""
    n_parts = draw.choice([1, 1, 2, 3])
    names = [draw.choice(ITEMS), *draw.sample(KEYS[:4], n_parts - 1)]
    who, what = draw.choice(WHO), draw.choice(WHAT)
    people = people_of(draw)
    cells, _ = labels_of(draw, keys_of(draw, n_parts), people)
    given = 1 if n_parts > 1 and draw.random() < 0.5 else n_parts
    columns = [*names, who, what]
    rows = [[*key, one, label] for key, one, label in cells]
    culprits = names[given:]
    if draw.random() < 0.4:
        columns, rows = _with_described(draw, columns, rows, len(names))
    if draw.random() < 0.25:
        code = draw.choice(MISSING)
        culprits = [*culprits, code]
        at = columns.index(what)
        people_at = columns.index(who)
        seen = {(*row[: len(names)], row[people_at]) for row in rows}
        rows += [
            _row_of(columns, names, who, what, key, one, code, at)
            for key in {tuple(row[: len(names)]) for row in rows}
            for one in people
            if (*key, one) not in seen
        ]
    if draw.random() < 0.5:
        draw.shuffle(rows)
    order = [*range(len(columns))]
    draw.shuffle(order)
    table = [[row[k] for k in order] for row in [columns, *rows]]
    named = {"item": ",".join(names[:given]), "annotator": who, "label": what}
    return Generated(table, named, alpha_of(cells), culprits, given == n_parts, "long")


def _row_of(
    columns: Sequence[str], names: Sequence[str], who: str, what: str,
    key: Sequence[str], one: str, code: str, at: int,
) -> list[str]:  # fmt: skip
    row = [""] * len(columns)
    row[: len(names)] = key
    row[columns.index(who)], row[at] = one, code
    return row


def _with_described(
    draw: random.Random, columns: list[str], rows: list[list[str]], n_parts: int
) -> tuple[list[str], list[list[str]]]:
    """Add columns that describe the annotator, the item, or the circumstances."""
    ages = {row[n_parts]: str(draw.randrange(20, 60)) for row in rows}
    genres = {row[0]: draw.choice(["news", "chat", "mail"]) for row in rows}
    extra = {
        "age": lambda row: ages[row[n_parts]],
        "genre": lambda row: genres[row[0]],
        "seconds": lambda _row: f"{draw.uniform(1, 90):.2f}",
        "created_at": lambda _row: f"2026-0{draw.randrange(1, 9)}-{draw.randrange(10, 28)}",
        "device": lambda _row: draw.choice(["phone", "desk"]),
        "confidence": lambda _row: draw.choice("12345"),
    }
    chosen = draw.sample([*extra], draw.choice([1, 2]))
    return [*columns, *chosen], [[*row, *(extra[name](row) for name in chosen)] for row in rows]


def wide(draw: random.Random) -> Generated:
    """One row per item and one column per annotator, with what else is in such tables."""
    people = people_of(draw)
    n_parts = draw.choice([1, 1, 2])
    is_named = draw.random() < 0.3
    n_parts = draw.choice([1, 2, 3]) if is_named else n_parts
    keys = keys_of(draw, n_parts if is_named else 1)
    if n_parts == 2 and not is_named:
        keys = [(str(k // 5 + 1), str(k % 5 + 1)) for k in range(len(keys))]
    cells, labels = labels_of(draw, keys, people)
    by_key: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for key, who, label in cells:
        by_key[key][who] = label
    names = (
        [draw.choice(ITEMS), *draw.sample(KEYS[:4], n_parts - 1)]
        if is_named
        else ["page", "line"]
        if n_parts == 2
        else [draw.choice(["", "Index", "id", "post_id", "uid"])]
    )
    rows = [[*key, *(by_key[key].get(who, "") for who in people)] for key in keys]
    header, culprits = [*names, *people], []
    if draw.random() < 0.25:
        name = draw.choice(["final", "majority_vote", "gold", "consensus"])
        culprits.append(name)
        header.append(name)
        for row, key in zip(rows, keys, strict=True):
            given = [*by_key[key].values()] or [""]
            row.append(max(given, key=given.count))
    elif draw.random() < 0.25:
        header.append("agree")
        culprits.append("agree")
        for row, key in zip(rows, keys, strict=True):
            given = [*by_key[key].values()]
            row.append(str(int(len({*given}) == 1)) if len(given) == len(people) else "")
    elif labels[0].isdigit() and draw.random() < 0.5:
        name = draw.choice(["total", "sum", "average"])
        culprits.append(name)
        header.append(name)
        for row, key in zip(rows, keys, strict=True):
            given = [*map(int, by_key[key].values())]
            total = sum(given) if name != "average" else round(sum(given) / len(people), 2)
            row.append(str(total) if len(given) == len(people) else "")
    if draw.random() < 0.2:
        code = draw.choice(MISSING)
        culprits.append(code)
        width = len(names) + len(people)
        rows = [[cell or (code if k < width else "") for k, cell in enumerate(row)] for row in rows]
    named = {"layout": "wide"} | ({"item": ",".join(names)} if is_named else {})
    order = [*range(len(header))]
    if draw.random() < 0.3 and n_parts == 1:
        draw.shuffle(order)
    table = [[row[k] for k in order] for row in [header, *rows]]
    return Generated(table, named, alpha_of(cells), culprits, True, "wide")


def counts(draw: random.Random) -> Generated:
    """One row per item and one column per category: how many annotators chose it."""
    people = [str(k) for k in range(draw.choice([3, 4, 6]))]
    keys = keys_of(draw, 1)
    words = [one for one in SETS if not one[0].isdigit()]
    cells, categories = labels_of(draw, keys, people, words)
    by_key = {key: Counter[str]() for key in keys}
    for key, _, label in cells:
        by_key[key][label] += 1
    name = draw.choice(ITEMS)
    called = draw.choice(["{}", "n_{}", "votes: {}", "{}_count", "Reads n [{}]"])
    header, culprits = [name, *map(called.format, categories)], []
    rows = [[key[0], *(str(by_key[key][one]) for one in categories)] for key in keys]
    if len(categories) > 2 and draw.random() < 0.3:
        header.append("total")
        rows = [[*row, str(by_key[key].total())] for row, key in zip(rows, keys, strict=True)]
    if draw.random() < 0.3:
        draw.shuffle(rows)
    named = {"layout": "counts", "item": name}
    return Generated([header, *rows], named, alpha_of(cells), culprits, True, "counts")


def grid(draw: random.Random) -> Generated:
    """A column for each annotator and question: no value is right."""
    people, questions = (
        draw.sample(["ana", "ben", "A1", "A2"], 2),
        draw.sample(["joy", "fear", "tone"], 2),
    )
    sign = draw.choice("_.- ")
    first = draw.random() < 0.5
    header = [f"{a}{sign}{b}" if first else f"{b}{sign}{a}" for a in people for b in questions]
    keys = keys_of(draw, 1)
    rows = [[key[0], *(draw.choice("01") for _ in header)] for key in keys]
    return Generated([["id", *header], *rows], {"layout": "wide"}, nan, [], False, "grid")


def frame_keywords(named: Mapping[str, str]) -> dict[str, object]:
    """Return the keywords of `agreement` for these options."""
    found: dict[str, object] = {name: own for name, own in named.items() if name in ROLES}
    if named.get("layout") == "counts":
        found["annotator"] = None
    return {name: own.split(",") if "," in str(own) else own for name, own in found.items()}
