"""Findings of `accordeur check` as plain values for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .check_findings import Findings
from .check_reading import CampaignRead, SourceRead
from .counts import Counts


def as_json(read: CampaignRead, found: Findings) -> dict[str, Any]:
    """`{"rows", "documents", "annotators", "sources", "layers", "stops", "lost", "notes"}`."""
    rows = read.rows
    return {
        "rows": {
            "read": rows.n_read,
            "accepted": rows.n_accepted,
            "rejected": rows.rejected.total(),
            "excluded": dict(rows.excluded),
        },
        "documents": len(read.documents),
        "annotators": found.roles,
        "sources": [_source_json(one, found) for one in read.sources],
        "layers": [asdict(layer) for layer in found.layers],
        **{
            key: [one.text for one in found.said if one.weight == weight]
            for key, weight in (("stops", "stops"), ("lost", "lost"), ("notes", "note"))
        },
    }


def _source_json(one: SourceRead, found: Findings) -> dict[str, Any]:
    return {
        "path": one.path,
        "formats": one.formats,
        "why": one.why,
        "documents": one.n_documents,
        "annotators": {name: found.roles[name] for name in sorted(one.counts.roles)},
        "layers": _layers_json(one.counts),
        "rows": one.counts.rows,
        "rejected": [
            {"rule": rule, "rows": aside.n, "first": asdict(aside.first)}
            for rule, aside in one.counts.rejected.items()
        ],
        "error": one.error or None,
    }


def _layers_json(counts: Counts) -> dict[str, dict[str, dict[str, int]]]:
    """Return the number of rows read, by table, layer and category."""
    return {
        table: {layer: dict(sorted(of_layer.items())) for layer, of_layer in sorted(layers.items())}
        for table, layers in counts.read.items()
    }
