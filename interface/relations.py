"""Agreement on relations between given ends, from data frames; relations as units to score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from ..data.readers.tables.options import TableOptions
from ..data.readers.tables.reader import SUFFIXES
from ..data.row_account import RowAccount, RowTally
from ..data.schema import ExclusionReason, Rejected
from ..metrics.errors import MetricsError
from .column_texts import labels_as_text_column, names_as_text_column, values_as_text_column
from .frames import Cells, Column, column_names, requested_columns
from .keyword_options import ROWS_OF_EACH_VALUE, Rng, public, require_choice, seed_of
from .reading import Data, Export
from .value import Values

if TYPE_CHECKING:
    from ..metrics.agreement.structures.relation_counts import RelationCounts

_APART = 1000  # places between two pairs of ends: such units are never aligned


@public()
def relations(
    data: Data,
    *,
    document: Column | None = "document",
    annotator: Column = "annotator",
    head: Column = "head",
    tail: Column = "tail",
    category: Column | None = "category",
    directed: bool = True,
    by: Literal["category", "pair"] | None = None,
    confidence_level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    rng: Rng | None = None,
) -> Values:
    """Agreement on relations between ends that all annotators have, such as tokens or entities.

    Relations between units that annotators placed themselves are compared in a campaign, which
    aligns the units first.

    Parameters
    ----------
    data
        One row per relation, in a frame or a table (CSV and others). An annotator without a row in
        a document counts as not having seen it; a row without ends means that the annotator
        finished the document without a relation.
    document, annotator, head, tail, category
        Names of the columns; ``document=None`` if all relations are of one document,
        ``category=None`` if relations have none (a column ``label``, ``relation`` or ``type`` is
        taken for a missing ``category``). Ends are names or numbers, which mean the same for all
        annotators.
    directed
        Whether a relation from A to B is another one than from B to A.
    by
        Give the mutual F of each ``category``, or of each ``pair`` of annotators, instead.
    confidence_level, replicates, seed, rng
        As for :func:`agreement`.

    Returns
    -------
    Values
        Krippendorff's α, at most 1, of ``relation_presence`` (relation or none, over all pairs of
        ends that anybody linked to something), ``relation_category`` (the same, with "none" as a
        category) and ``relation_typing`` (where annotators drew a relation). Mutual F in [0, 1],
        which does not depend on the pairs without a relation: ``relation_presence_f`` and
        ``relation_category_f``. A value is ``nan``, with a ``reason``, where it is undefined.
        ``account`` counts the rows; a second relation of an annotator between two ends is
        ``rejected``. Ends may be linked to themselves if a relation of the data is so.

    Raises
    ------
    MetricsError
        A missing column, a relation with one end, or no document with two annotators.

    References
    ----------
    Hripcsak & Rothschild 2005 for the mutual F; Krippendorff 2004 for α.

    Examples
    --------
    >>> import accordeur as acc
    >>> rows = [("d", "ann", 1, 2, "part"), ("d", "ann", 3, 4, "cause"), ("d", "ben", 1, 2, "part")]
    >>> found = acc.relations(rows, document=0, annotator=1, head=2, tail=3, category=4)
    >>> round(found["relation_category_f"].value, 3)
    0.667
    """
    from ..metrics.agreement.structures.relation_counts import (
        f_by_category,
        f_by_pair,
        relation_estimates,
    )
    from ..metrics.options import Sampling
    from ..tasks.units.gamma_by_column import table_in_memory

    require_choice("by", by, ("category", "pair", None), else_=ROWS_OF_EACH_VALUE)
    if isinstance(data, str | Path) and Path(data).suffix.lower() in SUFFIXES:
        data = table_in_memory(Path(data), TableOptions()).columns.to_pydict()
    if isinstance(data, Export | str | Path):
        raise MetricsError(
            "relations of an export are compared in a campaign, which first aligns the units of "
            "its annotators: accordeur.run(…); or give a frame whose ends all annotators share"
        )
    wanted = {"document": document, "annotator": annotator}
    columns, kind = requested_columns(data, wanted | relation_columns(data, head, tail, category))
    counts, account, rejected = _counts(columns, directed=directed)
    sampling = Sampling(replicates, confidence_level, seed_of(seed, rng))
    if by is not None:
        parts = (f_by_pair if by == "pair" else f_by_category)(counts, sampling)
        names = [name for name, _ in parts]
        values = [value for _, value in parts]
        return Values(values, rows=account, rejected=rejected, kind=kind, by=by, parts=names)
    found = relation_estimates(counts, sampling)
    values = [replace(one, measure=f"relation_{name}") for name, one in found.items()]
    return Values(values, rows=account, rejected=rejected, kind=kind)


def relation_columns(
    data: Any, head: Column, tail: Column, category: Column | None
) -> dict[str, Column | None]:
    """Return the columns of the ends and of the category, which may have another usual name."""
    known = column_names(data)
    if category == "category" and category not in known:
        category = next(filter(known.__contains__, ("label", "relation", "type")), category)
    return {"head": head, "tail": tail, "category": category}


def _counts(
    columns: Mapping[str, Cells], *, directed: bool
) -> tuple[RelationCounts, RowAccount, list[Rejected]]:
    """Count the relations of each document that two annotators finished, and account for the rows.

    Raises MetricsError.
    """
    from ..metrics.agreement.structures.relation_counts import (
        Relations,
        join_relation_counts,
        relation_counts,
    )

    people, of_rows = _coded(names_as_text_column(columns["annotator"], "annotator"))
    given = columns.get("document", ["document"] * len(of_rows))
    document_names, homes = _coded(names_as_text_column(given, "document"))
    no_category = pa.array([""] * len(of_rows))
    cells = columns.get("category", no_category)
    tagset, codes = _coded(labels_as_text_column(cells).fill_null(""))
    ends = [values_as_text_column(columns[name]).fill_null("") for name in ("head", "tail")]
    names, places = _coded(pa.concat_arrays(ends))
    heads, tails = np.split(places, 2)
    is_given = np.array([name != "" for name in names], dtype=bool)
    for row in np.flatnonzero(is_given[heads] != is_given[tails])[:1]:
        raise MetricsError(f"row {row + 1}: one end of the relation is missing")
    is_relation = is_given[heads]
    joined = (
        (np.minimum(heads, tails), np.maximum(heads, tails)) if not directed else (heads, tails)
    )
    keys = np.stack([homes, of_rows, *joined, is_relation], axis=1)
    is_first = np.zeros(len(keys), dtype=bool)
    is_first[np.unique(keys, axis=0, return_index=True)[1]] = True
    is_first &= is_relation
    loops = bool((is_relation & (heads == tails)).any())
    parts, tally = [], RowTally(n_read=int(is_relation.sum()))
    for home in range(int(homes.max(initial=-1)) + 1):
        rows = np.flatnonzero(homes == home)
        present, kept = np.unique(of_rows[rows]), rows[is_first[rows]]
        if len(present) < 2:
            tally.exclude(ExclusionReason.SINGLE_ANNOTATOR, len(kept))
            continue
        tally.measured += len(kept)
        tally.annotators |= {people[who] for who in present}
        tally.most_annotators = max(tally.most_annotators, len(present))
        used, own = np.unique([heads[kept], tails[kept]], return_inverse=True)
        sources, targets = own.reshape(2, -1)
        seen = np.zeros((len(used), len(people)), dtype=bool)
        seen[:, present] = True
        document = Relations(seen, sources, targets, codes[kept], of_rows[kept], tagset, people)
        parts.append(relation_counts(document, directed=directed, loops=loops))
    if not parts:
        raise MetricsError("no document has the relations of two annotators")
    repeated = [
        Rejected(
            source="data",
            location=f"row {row + 1}",
            rule="relation_occurs_once",
            value=(value := f"{names[heads[row]]} → {names[tails[row]]}"),
            message=f"the same annotator already linked these ends ({value}): only the first "
            "relation of the two is measured; correct one of them if they were meant to differ",
            table_name="relations",
            document=document_names[homes[row]],
            annotator=people[of_rows[row]],
        )
        for row in np.flatnonzero(is_relation & ~is_first).tolist()
    ]
    tally.reject("relation_occurs_once", len(repeated))
    return join_relation_counts(parts), tally.account(), repeated


def _coded(names: pa.Array) -> tuple[tuple[str, ...], np.ndarray[Any, np.dtype[np.int64]]]:
    """Return the different names, sorted, and the number of each cell's name."""
    known, codes = np.unique(np.array(names.to_pylist(), dtype=object), return_inverse=True)
    return tuple(map(str, known)), codes.astype(np.int64)


def as_units(frames: Sequence[dict[str, Cells]]) -> None:
    """Replace head and tail by bounds that are equal where both ends are, and else far apart."""
    pairs: dict[tuple[str, str], int] = {}
    for columns in frames:
        ends = [values_as_text_column(columns.pop(name)).to_pylist() for name in ("head", "tail")]
        places = [pairs.setdefault(pair, len(pairs)) for pair in zip(*ends, strict=True)]
        columns["start"] = [_APART * place for place in places]
        columns["end"] = [_APART * place + 1 for place in places]
