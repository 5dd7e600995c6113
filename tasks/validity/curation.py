"""What a curation, an annotator with the role reference, covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pyarrow as pa

from ...data.store.hashes import settings_hash
from ...data.store.store import Store
from ...metrics.signature import VERSION
from ...reports import results as page
from ...reports.notices import notice
from ..item_names import split_item
from ..layers import LayerSpec, continua_of, label_rows, matrix_of
from .reference_parts import MOST_LISTED


def curation_summary(store_url: str, keys: Sequence[str], layer: LayerSpec, reference: str) -> str:
    """What a curation (an annotator with the role reference) covers; the path of its summary."""
    store = Store(store_url)
    if layer.is_labels:
        columns = [reference, *layer.humans]
        rows = pa.concat_tables([label_rows(store, key, layer, columns) for key in keys])
        matrix = matrix_of(rows, layer, columns, "reference")
        n_items, n_resolved = matrix.n_items, int((matrix.codes[:, 0] >= 0).sum())
        open_ = [matrix.items[i] for i in np.nonzero(matrix.codes[:, 0] < 0)[0].tolist()]
        unresolved = [", ".join(split_item(name)) for name in open_]
        warnings = []
    else:
        by_people, by_curation, n_units = set(), set(), 0
        for key in keys:
            found = continua_of(store, key, layer, layer.humans, "human")
            by_people |= {document for document, _, _ in found}
            for document, continuum, _ in continua_of(store, key, layer, [reference], "reference"):
                by_curation.add(document)
                n_units += continuum.n_units
        unresolved = sorted(by_people - by_curation)
        n_items, n_resolved = n_units, n_units
        warnings = [notice("not_curated", n=len(unresolved))] if unresolved else []
    summary = page.ReferenceSummary(
        layer=layer.name,
        rule="adjudicated",
        annotators=[reference],
        n_items=n_items,
        n_resolved=n_resolved,
        n_unresolved=n_items - n_resolved,
        unresolved=unresolved[:MOST_LISTED],
        warnings=warnings,
    )
    key = settings_hash(list(keys), asdict(layer), reference, VERSION)
    return store.write_json(
        f"summaries/curation-{key}.json", {"reference": summary.model_dump(mode="json")}
    )
