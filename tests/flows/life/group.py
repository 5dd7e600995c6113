"""What the people of a planted campaign do with the lists of the commands: answer and decide."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.flows.life.planted_life import Life, Span, write_table

WHO, WHEN = "the group", "2026-03-16"


def read_table(path: Path | str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def fill_queue(life: Life, queue: Path | str, to: Path | str) -> None:
    """Fill in the labels of a round: annotators err as ever, a gold label is the right one."""
    rows = read_table(queue)
    for row in rows:
        sentence = int(row["item"][1:]) - 1
        is_gold = row["role"] == "audit"
        row["label"] = (
            life.documents[row["document"]].labels[sentence]
            if is_gold
            else life.answer(row["document"], sentence, row["annotator"])
        )
    write_table(Path(to), list(rows[0]), [list(row.values()) for row in rows])


def decide(life: Life, disagreements: Path | str, to: Path | str, *, n: int) -> None:
    """Decide the first `n` disagreements of a list rightly, and leave the others open."""
    rows = read_table(disagreements)
    for row in rows[:n]:
        document = life.documents[row["document"]]
        if row["layer"] == "sentiment":
            row["decision"] = document.labels[int(row["where"][1:]) - 1]
        else:
            right = span_at(document.spans, row["where"])
            row |= {"decision": right.category, "start": str(right.start), "end": str(right.end)}
        row |= {"who": WHO, "when": WHEN}
    write_table(Path(to), list(rows[0]), [list(row.values()) for row in rows])


def span_at(spans: list[Span], where: str) -> Span:
    """Return the right span at a place such as "35–51"."""
    start, end = map(int, where.split("–"))
    return max(spans, key=lambda span: min(end, span.end) - max(start, span.start))
