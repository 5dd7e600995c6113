"""`accordeur gamma`: units in, γ and γ-cat out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.quick.accepted import Account, require_none
from data.readers.quick.unit_tables import UnitTable, read_unit_tables
from flows.quick.json_output import Found
from flows.quick.remarks import folders_of_people, remarks_on_units
from metrics.errors import MetricsError

_MOST_TOLD = 12  # names


def gamma(
    paths: Sequence[Path],
    *,
    format: str = "auto",
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    precision: float = 0.01,
    processes: Sequence[str] = (),
    replicates: int = 1000,
    seed: int = 0,
    strict: bool = False,
) -> Found:
    """γ and γ-cat of the units of one or several exports, and the rows set aside.

    options  of the exports' format
    strict   refuse the exports for a row that cannot be measured. Raises DataError, MetricsError
    """
    from metrics.alignment.dissimilarity import Dissimilarity
    from metrics.unitizing.gamma import gamma as gamma_of
    from metrics.unitizing.gamma_cat import gamma_cat

    if alpha == beta == 0:
        raise MetricsError("with --alpha 0 and --beta 0 nothing is compared: give one a weight")
    tables, continua, account = read_continua(paths, format, layer, options, strict=strict)
    dissimilarity = Dissimilarity(alpha=alpha, beta=beta)
    result = gamma_of(
        continua,
        dissimilarity,
        processes=tuple(processes) or None,  # type: ignore[arg-type]  # the measure checks it
        precision=precision,
        seed=seed,
        n_bootstrap=replicates,
    )
    category = gamma_cat(
        continua, result.alignments, dissimilarity, n_bootstrap=replicates, seed=seed
    )
    remarks = remarks_on_units(tables, continua)
    if replicates and len(continua) > 1:
        from metrics.agreement.diagnosis.diagnose import few_documents_with_units

        few = few_documents_with_units(result.corpus)
        remarks += [few.seen] if few else []
    return Found([result.corpus, category.gamma_cat], account.refused, remarks)


def read_continua(
    paths: Sequence[Path],
    format: str,
    layer: str | None,
    options: Mapping[str, str] | None = None,
    *,
    strict: bool = False,
) -> tuple[list[UnitTable], list[Any], Account]:
    """The documents that somebody finished, a continuum of humans each; the account of rows."""
    import numpy as np

    from metrics.alignment.continuum import Continuum

    tables, account = read_unit_tables(
        paths, format=format, options=SourceOptions(extra=options or {})
    )
    if strict:
        require_none(account.refused)
    layers = sorted({name for table in tables for name in table.layers})
    if layer is None and len(layers) > 1:
        raise DataError(
            f"the exports hold several layers ({', '.join(map(repr, layers))}): choose one with "
            "--layer"
        )
    wanted = layer if layer is not None else (layers[0] if layers else "")
    if wanted not in layers:
        raise DataError(f"no layer {wanted!r}; the exports hold {', '.join(layers) or 'no unit'}")
    tagset = tuple(
        sorted(
            {
                category
                for table in tables
                for category, of_layer in zip(table.categories, table.layers, strict=True)
                if of_layer == wanted and category
            }
        )
    )
    code = {category: k for k, category in enumerate(tagset)}
    kept, continua = [], []
    for table in tables:
        people = [name for name in table.people if table.roles[name] == "human"]
        chosen = [
            u
            for u, of_layer in enumerate(table.layers)
            if of_layer == wanted and table.annotators[u] in people
        ]
        if not people:
            continue
        kept.append(table)
        continua.append(
            Continuum(
                np.array([table.starts[u] for u in chosen], dtype=np.float64),
                np.array([table.ends[u] for u in chosen], dtype=np.float64),
                np.array([code.get(table.categories[u], -1) for u in chosen], dtype=np.int32),
                np.array([people.index(table.annotators[u]) for u in chosen], dtype=np.int32),
                tuple(people),
                tagset,
                length=float(table.length) if table.length >= 0 else math.nan,
            )
        )
    if not any(continuum.n_annotators >= 2 for continuum in continua):
        raise MetricsError(_too_few(tables))
    return kept, continua, account


def _too_few(tables: Sequence[UnitTable]) -> str:
    """Who there is, where no document has two annotators to compare."""
    roles = {name: role for table in tables for name, role in table.roles.items()}
    told = [name if role == "human" else f"{name} ({role})" for name, role in sorted(roles.items())]
    who = ", ".join(told[:_MOST_TOLD]) + (" …" if len(told) > _MOST_TOLD else "")
    several = sum(role == "human" for role in roles.values()) > 1
    advice = (
        "each is alone on their documents; a document must be called the same in all exports"
        if several
        else folders_of_people(table.document for table in tables)
        or "give one export a person, or one export with all of them"
    )
    scored = "" if set(roles.values()) <= {"human"} else "; systems are scored (`accordeur score`)"
    return f"no document has two human annotators (found: {who or 'nobody'}): {advice}{scored}"
