"""The queue of a round as imports of annotation tools: one file or folder for each tool.

| file | tool |
|---|---|
| `queue.csv` | spreadsheets; with the column `label` filled in it is a source of the campaign |
| `label_studio.json` | Label Studio: one task per item, its annotators in `meta` |
| `doccano/ANNOTATOR.jsonl` | doccano: the documents of one annotator |
| `prodigy/ANNOTATOR.jsonl` | Prodigy: the stream of one annotator (session) |
| `inception.csv` | INCEpTION: who annotates which document (its workload page assigns them) |

The tools' exports repeat the names of document and item, which the readers take from there.
If the campaign has no text of a document, the name of the item replaces it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..readers.common.naming import DOCUMENT_KEY, ITEM_KEY, QUEUE_COLUMNS
from ..schema import GOLD, Role
from ..spreadsheet import csv_text
from .base import safe_path, write_files


@dataclass(frozen=True, slots=True)
class QueuedLabel:
    """One label to give: annotator ("" for a gold label), item, and purpose."""

    document: str
    item: str
    annotator: str
    purpose: str

    @property
    def who(self) -> str:
        return self.annotator or GOLD

    @property
    def role(self) -> Role:
        return Role.HUMAN if self.annotator else Role.AUDIT


def write_tool_imports(
    rows: Sequence[QueuedLabel], texts: Mapping[str, str | None], folder: Path
) -> list[Path]:
    """Write the queue for every tool; return the paths.

    texts  document → text, None if unknown

    The purpose is in `queue.csv` only: annotators must not see why they were given an item. Raises
    DataError for names that are not valid file names.
    """
    lines = [[one.document, one.item, one.who, one.role, "", one.purpose] for one in rows]
    files = {folder / "queue.csv": csv_text([QUEUE_COLUMNS, *lines])}
    by_item: dict[tuple[str, str], list[str]] = {}
    by_annotator: dict[str, list[QueuedLabel]] = {}
    for one in rows:
        by_item.setdefault((one.document, one.item), []).append(one.who)
        by_annotator.setdefault(one.who, []).append(one)
    tasks = [
        {
            "data": {**_names(document, item), "text": _shown(document, item, texts)},
            "meta": {"annotators": annotators},
        }
        for (document, item), annotators in by_item.items()
    ]
    files[folder / "label_studio.json"] = json.dumps(tasks, ensure_ascii=False, indent=1)
    pairs = dict.fromkeys((one.document, one.who) for one in rows)
    files[folder / "inception.csv"] = csv_text([["document", "annotator"], *map(list, pairs)])
    for annotator, some in by_annotator.items():
        file = safe_path(f"{annotator}.jsonl", "annotator")
        own = dict.fromkeys((one.document, one.item) for one in some)
        for tool in ("doccano", "prodigy"):
            found = [_line(tool, *place, _shown(*place, texts)) for place in own]
            files[folder / tool / file] = "".join(f"{line}\n" for line in found)
    return write_files(files)


def _names(document: str, item: str) -> dict[str, str]:
    return {DOCUMENT_KEY: document} | ({ITEM_KEY: item} if item != document else {})


def _shown(document: str, item: str, texts: Mapping[str, str | None]) -> str:
    """Return the document's text, with the name of the item if that is a part of it."""
    text = texts.get(document)
    if not text:
        return item
    return text if item == document else f"{item}\n\n{text}"


def _line(tool: str, document: str, item: str, text: str) -> str:
    own = _names(document, item)
    extra: dict[str, object] = {"meta": own} if tool == "prodigy" else {**own}
    return json.dumps({"text": text, **extra}, ensure_ascii=False)
