"""Exports of planted campaigns, a file for each batch, with a campaign file.

python -m benchmarks.planted_exports FOLDER FAULT SEED     writes exports of one campaign
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np

from benchmarks.planted_campaigns import (
    ANNOTATORS,
    BATCHES,
    CATEGORIES,
    LENGTH,
    Documents,
    Fault,
    documents,
    labels_of,
    units_of,
)
from benchmarks.planted_faults import FAULTS

_Content = tuple[int, str, dict[str, object], str]  # document, annotator, answer, item ("": all)
_WORDS = "the band of the town plays in the hall near the river on market days "
CAMPAIGN = """[campaign]
name = "Planted: {fault}"
guideline = "1.0"
{sources}[[gates]]
measure = "{measure}"
layer = "{layer}"
at_least = 0.9
[report]
period = "week"
[intervals]
replicates = 200
[engine]
workers = 1
"""
_SOURCE = """[[sources]]
path = "batch-{batch}.jsonl"
format = "prodigy"
batch = "{batch}"
layer_names = {{ "" = "{layer}" }}
"""


def write_labels(folder: Path, seed: int, fault: Fault | None) -> Path:
    """Write an export of the labels for each batch; return the path of the campaign file."""
    matrix = labels_of(seed, fault)
    assert matrix.documents is not None
    answers: list[_Content] = [
        (d, who, {"text": f"Item {i}", "accept": [CATEGORIES[matrix.codes[i, a]]]}, f"i{i}")
        for i, d in enumerate(matrix.documents.tolist())
        for a, who in enumerate(ANNOTATORS)
    ]
    return _write(folder, answers, fault, ("topics", "krippendorff_alpha"))


def write_units(folder: Path, seed: int, fault: Fault | None) -> Path:
    """Write an export of the units for each batch; return the path of the campaign file."""
    of, words = documents(), _WORDS * (LENGTH // len(_WORDS) + 1)
    answers: list[_Content] = []
    for d, one in enumerate(units_of(seed, fault)):
        for a, who in enumerate(ANNOTATORS):
            spans = [
                {
                    "start": int(one.starts[u]),
                    "end": int(one.ends[u]),
                    "label": CATEGORIES[one.categories[u]],
                }
                for u in np.flatnonzero(one.owners == a)
            ]
            text = f"{of.names[d]}: {words}"[:LENGTH]
            answers.append((d, who, {"text": text, "spans": spans}, ""))
    return _write(folder, answers, fault, ("entities", "gamma"))


def _write(
    folder: Path,
    answers: Sequence[_Content],
    fault: Fault | None,
    names: tuple[str, str],
) -> Path:
    """Write answers, with the day of their document, to the export of its batch."""
    folder.mkdir(parents=True, exist_ok=True)
    layer, measure = names
    of = documents()
    for batch in BATCHES:
        with (folder / f"batch-{batch}.jsonl").open("w", encoding="utf-8") as stream:
            for k, (d, who, content, item) in enumerate(answers):
                if of.batches[d] == batch:
                    answer = {**_answer(of, d, who, item), "_task_hash": k, **content}
                    stream.write(json.dumps(answer) + "\n")
    campaign = folder / "campaign.toml"
    text = CAMPAIGN.format(
        fault="no fault" if fault is None else fault.name,
        sources="".join(_SOURCE.format(batch=batch, layer=layer) for batch in BATCHES),
        measure=measure,
        layer=layer,
    )
    campaign.write_text(text, encoding="utf-8")
    return campaign


def _answer(of: Documents, d: int, who: str, item: str) -> dict[str, object]:
    """Return what every accepted answer to a document states."""
    day = datetime.fromisoformat(f"{of.days[d]}T12:00:00+00:00")
    meta = {"accordeur_document": of.names[d]} | ({"accordeur_item": item} if item else {})
    return {
        "_input_hash": d + 1,
        "_annotator_id": who,
        "_timestamp": day.timestamp(),
        "answer": "accept",
        "meta": meta,
    }


if __name__ == "__main__":
    chosen = next((one for one in FAULTS if one.name == sys.argv[2]), None)
    write_labels(Path(sys.argv[1], "labels"), int(sys.argv[3]), chosen)
    write_units(Path(sys.argv[1], "units"), int(sys.argv[3]), chosen)
