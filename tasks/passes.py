"""Test–retest agreement: annotators compared with themselves over several annotation passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..data.arrow_columns import rows_where, scalar
from ..data.store.in_memory import Tables
from ..metrics.agreement.diagnosis.annotation_passes import pass_matrices
from ..metrics.agreement.distances import Distance
from ..metrics.agreement.evaluate import evaluate_matrix
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.estimate import Estimate
from ..metrics.options import Sampling
from .layers import LayerSpec
from .stored_annotations import finished_passes, label_rows

if TYPE_CHECKING:  # quick looks at labels do not need the alignment engine
    from ..metrics.alignment.continuum import Continuum
    from ..metrics.alignment.dissimilarity import Dissimilarity
    from ..metrics.units.gamma_settings import GammaSettings

_MOST_ANNOTATORS = 12


def label_values_between_passes(
    store: Tables,
    keys: Sequence[str],
    layer: LayerSpec,
    *,
    measure: str,
    of_two: str,
    distance: Distance,
    sampling: Sampling,
) -> list[tuple[str, Estimate]]:
    """Compute the measure between the passes of each annotator who has several; [] if none has.

    of_two  measure for annotators with exactly two passes
    """
    matrices = passes_of_layer(store, keys, layer)
    return [
        (
            name,
            evaluate_matrix(
                matrix,
                measures=[of_two if matrix.n_annotators == 2 else measure],
                distance=distance,
                sampling=sampling,
            )[0],
        )
        for name, matrix in matrices.items()
    ]


def passes_of_layer(store: Tables, keys: Sequence[str], layer: LayerSpec) -> dict[str, LabelMatrix]:
    """Return a label matrix for each annotator with several passes; its columns are the passes."""
    parts = [
        label_rows(store, key, layer, layer.humans, first_pass=False)
        for key in keys
        if has_passes(store, key, layer)
    ]
    if not parts:
        return {}
    rows = pa.concat_tables(parts)
    return pass_matrices(
        rows["item"].to_pylist(),
        rows["annotator"].to_pylist(),
        [str(number) for number in rows["pass"].to_pylist()],
        rows["label"].to_pylist(),
        tagset=layer.tagset,
        documents=rows["document"].to_pylist(),
    )


def gamma_between_passes(
    store: Tables,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
) -> list[tuple[str, Estimate]]:
    """Compute γ between the passes of each annotator who has several; [] if none has.

    keys  shards that have several passes (`has_passes`); other shards have no effect
    """
    from ..metrics.units.gamma import gamma

    continua = continua_of_passes(store, keys, layer)
    found = []
    for name in sorted(continua)[:_MOST_ANNOTATORS]:
        own = settings.for_annotator_numbers([c.n_annotators for c in continua[name]])
        found.append((name, gamma(continua[name], dissimilarity, own).corpus))
    return found


def has_passes(store: Tables, key: str, layer: LayerSpec) -> bool:
    """Whether any document of the shard has several passes; they are always in the same shard."""
    table = "labels" if layer.kind == "items" else "units"
    rows = store.accepted_rows(key, table, columns=["layer", "pass"])
    passes = rows_where(rows, pc.equal(rows["layer"], scalar(layer.name)))["pass"]
    return len(pc.unique(passes)) > 1


def continua_of_passes(
    store: Tables, keys: Sequence[str], layer: LayerSpec
) -> dict[str, list[Continuum]]:
    """Return the documents that an annotator marked several times, with passes as annotators."""
    continua: dict[str, list[Continuum]] = {}
    for key in keys:
        for name, continuum in _pass_continua(store, key, layer):
            continua.setdefault(name, []).append(continuum)
    return continua


def _pass_continua(store: Tables, key: str, layer: LayerSpec) -> list[tuple[str, Continuum]]:
    from ..metrics.alignment.continuum import Continuum

    done: dict[tuple[str, str], list[int]] = {}
    for document, annotator, pass_ in finished_passes(store, key, layer.name):
        if annotator in layer.humans:
            done.setdefault((document, annotator), []).append(pass_)
    units: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
    rows = store.accepted_rows(key, "units")
    for row in rows.filter(pc.equal(rows["layer"], layer.name)).to_pylist():
        units.setdefault((row["document"], row["annotator"], row["pass"]), []).append(row)
    documents = store.accepted_rows(key, "documents", columns=["document", "length"]).to_pylist()
    lengths = {row["document"]: float(row["length"]) for row in documents}
    code_of = {category: k for k, category in enumerate(layer.tagset)}
    found = []
    for (document, annotator), passes in sorted(done.items()):
        if len(passes) < 2:
            continue
        passes.sort()
        marked = [
            (unit, owner)
            for owner, pass_ in enumerate(passes)
            for unit in units.get((document, annotator, pass_), [])
        ]
        continuum = Continuum(
            np.array([unit["start_offset"] for unit, _ in marked], dtype=np.float64),
            np.array([unit["end_offset"] for unit, _ in marked], dtype=np.float64),
            np.array([code_of.get(unit["category"], -1) for unit, _ in marked], dtype=np.int32),
            np.array([owner for _, owner in marked], dtype=np.int32),
            tuple(f"pass {pass_}" for pass_ in passes),
            layer.tagset,
            length=lengths[document] if lengths.get(document, -1.0) >= 0 else float("nan"),
            roles=("human",) * len(passes),
        )
        found.append((annotator, continuum))
    return found
