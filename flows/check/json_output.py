"""Findings of `accordeur check` as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from .baseline import Compared
from .check_findings import Findings
from .check_reading import CampaignRead, SourceRead


def as_json(
    read: CampaignRead, found: Findings, compared: Compared | None = None
) -> dict[str, Any]:
    """`{"rows", "documents", "annotators", "sources", "layers", "stops", "lost", "notes"}`.

    With a baseline also `"baseline"`: the files with more or fewer rejected rows than there.
    """
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
        "sources": [_source_json(one, found, is_private=read.is_private) for one in read.sources],
        "layers": [asdict(layer) for layer in found.layers],
        **{
            key: [one.text for one in found.said if one.weight == weight]
            for key, weight in (("stops", "stops"), ("lost", "lost"), ("notes", "note"))
        },
        **({"baseline": asdict(compared)} if compared else {}),
    }


def _source_json(one: SourceRead, found: Findings, *, is_private: bool) -> dict[str, Any]:
    return {
        "path": one.path,
        "formats": one.formats,
        "why": one.why,
        "documents": one.n_documents,
        "annotators": {name: found.roles[name] for name in sorted(one.counts.roles)},
        "layers": _layers_json(one.counts.accepted if is_private else one.counts.read),
        "rows": one.counts.rows,
        "rejected": [
            {
                "rule": rule,
                "rows": aside.n_records,
                "derived": aside.n_derived,
                "first": asdict(aside.first),
            }
            for rule, aside in one.counts.rejected.items()
        ],
        "error": one.error or None,
    }


def _layers_json(
    counts: Mapping[str, Mapping[str, Mapping[str, int]]],
) -> dict[str, dict[str, dict[str, int]]]:
    """Return the number of rows, by table, layer and category."""
    return {
        table: {layer: dict(sorted(of_layer.items())) for layer, of_layer in sorted(layers.items())}
        for table, layers in counts.items()
    }
