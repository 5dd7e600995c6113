"""Logs of Inspect (`.eval`), a zip with a JSON file for each sample, as the table of a query."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import DataError
from ...untrusted.archives import open_archive
from ...untrusted.documents import parse_json

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIX = ".eval"
_KEPT = ("id", "epoch", "scores")  # of each sample; the messages are most of a log


def samples_of_log(path: Path) -> pa.Table:
    """Return one row: `samples`, the JSON list of id, epoch and scores of each sample.

    Raises DataError for a file that is no log of Inspect, is damaged or has no samples.
    """
    import pyarrow as pa

    samples = []
    with open_archive(path, path.name) as archive:
        archive.require_sound()
        for name in archive.names:
            if name.startswith("samples/") and name.endswith(".json"):
                sample = parse_json(archive.read(name), f"{path.name}: {name}")
                if not isinstance(sample, dict):
                    raise DataError(f"{path.name}: {name} is not a sample of Inspect")
                samples.append({key: sample.get(key) for key in _KEPT})
    if not samples:
        raise DataError(f"{path.name}: is a log of Inspect without samples, or no such log")
    return pa.table({"samples": [json.dumps(samples)]})
