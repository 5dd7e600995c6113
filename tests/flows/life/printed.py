"""Read back what commands print: the numbers of a line, the lines of a table."""

from __future__ import annotations

import re

VALUE = re.compile(r"^(\w+) \((\w+)\): ([−\d.]+) \[([−\d.]+), ([−\d.]+)\]", re.M)
ROWS = re.compile(r"^([\d,]+) rows read: (.*?); (\d+) annotators(?:, at most (\d+) per)?", re.M)


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def main_values(printed: str) -> dict[str, tuple[float, float, float]]:
    """Return layer → value and interval, of lines as `gamma (entities): 0.8 [0.7, 0.9]`."""
    return {
        layer: (number(v), number(a), number(b)) for _, layer, v, a, b in VALUE.findall(printed)
    }


def account(printed: str) -> dict[str, int]:
    """Return what became of the rows: read, measured, excluded … and the number of annotators."""
    [found] = ROWS.findall(printed)
    fates = {
        name: int(number(n)) for n, name in re.findall(r"(\d[\d,]*) (of [a-z]+|[a-z]+)", found[1])
    }
    shown = {"read": int(number(found[0])), "annotators": int(found[2]), "most": int(found[3] or 0)}
    return {**fates, **shown}


def table(printed: str, heading: str) -> list[list[str]]:
    """Return the cells of the rows of the first table that has a column `heading`."""
    lines = printed.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("┃") and heading in line)
    rows = []
    for line in lines[start + 1 :]:
        if line.startswith("└"):
            break
        if line.startswith("│"):
            rows.append([cell.strip() for cell in line.strip("│").split("│")])
    return rows
