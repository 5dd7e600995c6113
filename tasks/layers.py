"""Conversion of accepted tables to the inputs of metrics: label matrices, continua, units."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..data.blocks import names_of_sets
from ..data.columns import (
    as_numpy,
    codes_and_values,
    column,
    number_column,
    rows_where,
    scalar,
)
from ..data.label_sets import set_labels, set_members, set_name
from ..data.schema import Role
from ..data.store.in_memory import Tables
from ..data.validation.fates import (
    are_by_annotators,
    are_finished,
    are_of_first_pass,
    finished_work,
)
from ..metrics.agreement.distances import (
    SETS,
    Distance,
    NamedTable,
    distance_table,
    needs_ordered_categories,
)
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.objects.object_distance import ObjectDistance
from .intake.accepted import TablesOfReport, read_accepted
from .intake.layer_contents import OF_AGREEMENT, LayerContents
from .item_names import ITEM_SIGN

if TYPE_CHECKING:  # a quick look at labels does not need the alignment engine
    from ..metrics.alignment.continuum import Continuum

FIRST_PASS = 1
_NAMES_AT_ONCE = 50_000


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """One layer as plain values: what to measure and who takes part.

    kind        `items` (labels), `positions` (units on given places, as labels) or `units`
    tagset      all categories; for sets of labels, the names of the sets (`data.label_sets`)
    humans      annotators whose agreement is measured, in order
    systems, references  the other annotators, by role
    distance    name of the distance between categories, or between objects
    distances   K × K matrix of a distance on sets or one declared in the campaign file; or None
    sets        whether a category is a set of labels
    adaptive    path in the store of the labels (of units: documents × annotators) that were
                collected because they were informative, and do not count for agreement; "": none
    complete    whether agreement is computed on the items that every human annotator labelled
    agreement   of a layer with the categories of systems and references: the layer as agreement
                sees it; None: the same
    """

    name: str
    kind: str
    tagset: tuple[str, ...]
    humans: tuple[str, ...]
    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    distance: str = "nominal"
    distances: tuple[tuple[float, ...], ...] | None = None
    sets: bool = False
    adaptive: str = ""
    complete: bool = False
    agreement: LayerSpec | None = None

    @classmethod
    def of(
        cls,
        contents: LayerContents,
        *,
        kind: str = "",
        declared: Sequence[str] = (),
        sets: bool = False,
        roles: Sequence[str] = OF_AGREEMENT,
    ) -> LayerSpec:
        """Return the layer with the nominal distance.

        kind      default: `items` for labels, else `units`
        declared  the categories, if they are declared
        sets      whether single labels are sets of one, too; items with several always are sets
        roles     whose rows give the categories
        """
        sets = contents.table == "labels" and (sets or contents.holds_sets(roles))
        return cls(
            name=contents.name,
            kind=kind or ("items" if contents.table == "labels" else "units"),
            tagset=contents.tagset(roles, declared=declared, sets=sets),
            humans=contents.annotators(Role.HUMAN),
            systems=contents.annotators(Role.SYSTEM),
            references=contents.annotators(Role.REFERENCE),
            sets=sets,
        )

    @property
    def humans_and_systems(self) -> tuple[str, ...]:
        return (*self.humans, *self.systems)

    @property
    def objects(self) -> ObjectDistance | None:
        """The distance of a layer whose labels are objects; None if they are categories."""
        from ..metrics.objects.registry import OBJECT_DISTANCES  # with entry points of packages

        return OBJECT_DISTANCES.get(self.distance)

    @property
    def is_labels(self) -> bool:
        return self.kind in ("items", "positions")

    def with_informative(self) -> LayerSpec:
        """The layer with all its labels, as references and the choice of labels use it."""
        own = self.agreement and self.agreement.with_informative()
        return replace(self, adaptive="", complete=False, agreement=own)

    def only_humans(self) -> LayerSpec:
        """The layer without systems and references, which no measure of agreement uses."""
        return replace(self.agreement or self, systems=(), references=())

    def without_distance(self) -> LayerSpec:
        """The layer without its distance, which no count of labels uses."""
        return replace(self, distance="nominal", distances=None)

    def with_distance(self, distance: Distance) -> LayerSpec:
        """The layer with a distance between its categories: a name, or a table."""
        if isinstance(distance, str):
            return replace(self, distance=distance, distances=None)
        table = distance.table if isinstance(distance, NamedTable) else distance
        return replace(
            self,
            distance=distance.name if isinstance(distance, NamedTable) else self.distance,
            distances=tuple(map(tuple, table.tolist())),
        )

    @property
    def ordered(self) -> bool:
        """Whether the tagset is in the order of a scale."""
        return needs_ordered_categories(self.distance)

    def distance_matrix(self) -> NDArray[np.float64] | None:
        return None if self.distances is None else np.array(self.distances, dtype=np.float64)

    def item_distance(self) -> Distance:
        """Distance argument of coefficients: a name, a named table (sets), or a matrix."""
        matrix = self.distance_matrix()
        if matrix is None:
            return self.distance
        return NamedTable(self.distance, matrix) if self.distance in SETS else matrix

    def direct_distances(self, marginals: NDArray[np.generic]) -> NDArray[np.float64] | None:
        """Return the layer's distances in [0, 1]; None for nominal."""
        return direct_distances(self.item_distance(), self.tagset, marginals)

    def labels_in_category(self, category: str) -> tuple[str, ...]:
        """Return the labels of a category: several if categories are sets."""
        return set_labels(category) if self.sets else (category,)

    def category_of_labels(self, labels: Sequence[str]) -> str:
        """Return the category of an item with these labels: one label unless `sets` is true."""
        return set_name(labels) if self.sets else labels[0]

    def members(self) -> NDArray[np.bool_] | None:
        """Return the members of each set, bool (K, labels), in the order of `labels`; else None."""
        return set_members(self.tagset)[1] if self.sets else None

    def labels(self) -> tuple[str, ...]:
        """Return the labels that occur in sets, in alphabetical order; () for other layers."""
        return set_members(self.tagset)[0] if self.sets else ()


def direct_distances(
    distance: Distance, tagset: Sequence[str], marginals: NDArray[np.generic]
) -> NDArray[np.float64] | None:
    """The distances between the categories in [0, 1], float64 (K, K); None for nominal.

    A named distance is divided by its largest value, a table is used as it is.

    marginals  (K,): counts of the categories; only `ordinal` needs them
    """
    if isinstance(distance, str) and distance == "nominal":
        return None
    table = distance_table(distance, tagset=tagset, marginals=marginals)
    if not isinstance(distance, str):
        return table
    largest = float(table.max(initial=0.0))
    return table / largest if largest else table


def label_rows(
    store: Tables,
    key: str | TablesOfReport,
    layer: LayerSpec,
    annotators: Sequence[str],
    *,
    first_pass: bool = True,
) -> pa.Table:
    """Return the columns document, item, annotator, label, pass of finished documents.

    One row per label; only the first pass, unless `first_pass` is false.
    """
    if layer.kind == "positions":
        rows = with_positions_as_items(read_accepted(store, key, "units"))
    else:
        columns = ["document", "item", "annotator", "labels", "layer", "pass"]
        rows = read_accepted(store, key, "labels", columns=columns)
    rows = _rows_of_finished(store, key, layer, annotators, rows, first_pass=first_pass)
    return labels_of_items(rows, layer)


def labels_of_items(rows: pa.Table, layer: LayerSpec) -> pa.Table:
    """Return the columns document, item, annotator, label, pass of labels, or units on positions.

    A label is the category: the name of the set if the layer has sets.
    """
    if layer.kind == "positions":
        label = rows["category"]
    elif layer.sets:
        label = names_of_sets(rows["labels"])
    else:
        label = pc.binary_join(rows["labels"], scalar(""))
    kept = ["document", "item", "annotator", "pass"]
    return rows.select(kept).add_column(3, "label", label)


def with_positions_as_items(rows: pa.Table) -> pa.Table:
    """The units with a column `item`: the position, as items of layers on positions are named."""
    bounds = (pc.cast(rows[name], pa.string()) for name in ("start_offset", "end_offset"))
    return rows.append_column("item", pc.binary_join_element_wise(*bounds, scalar("–")))


def unit_rows(
    store: Tables,
    key: str,
    layer: LayerSpec,
    annotators: Sequence[str],
    *,
    first_pass: bool = True,
) -> pa.Table:
    """Return the accepted units of finished documents, by default only of the first pass."""
    rows = read_accepted(store, key, "units")
    return _rows_of_finished(store, key, layer, annotators, rows, first_pass=first_pass)


def _rows_of_finished(
    store: Tables,
    key: str | TablesOfReport,
    layer: LayerSpec,
    annotators: Sequence[str],
    rows: pa.Table,
    *,
    first_pass: bool = True,
) -> pa.Table:
    keep = as_numpy(pc.equal(rows["layer"], scalar(layer.name)))
    if first_pass:
        keep = keep & are_of_first_pass(rows)
    rows = rows_where(rows, keep & are_by_annotators(rows, annotators))
    columns = ["document", "annotator", "pass", "layer", "state"]
    assignments = read_accepted(store, key, "assignments", columns=columns)
    return finished_work(rows, assignments)


def matrix_of_rows(
    rows: pa.Table, layer: LayerSpec, annotators: Sequence[str], role: str
) -> LabelMatrix:
    """Convert the rows of `label_rows` to a matrix with one column per annotator.

    Items are in the order of document and item name. A unit without a category on a given position
    counts as a missing label.
    """
    home_of, documents = _sorted_codes(rows["document"])
    name_of, names = _sorted_codes(rows["item"])
    keys, row_of = np.unique(home_of * len(names) + name_of, return_inverse=True)
    homes, named = np.divmod(keys, max(len(names), 1))
    column_of, code_of = places(rows["annotator"], annotators), places(rows["label"], layer.tagset)
    codes = np.full((len(keys), len(annotators)), -1, dtype=np.int32)
    codes[row_of, column_of] = code_of
    stored = pa.DictionaryArray.from_arrays(number_column(homes.astype(np.int32)), documents)
    return LabelMatrix(
        codes=codes,
        tagset=layer.tagset,
        annotators=tuple(annotators),
        documents=homes,
        items=StoredItemNames(stored, names.take(number_column(named))),
        roles=(role,) * len(annotators),
        members=layer.members(),
        tags=layer.labels(),
    )


def _sorted_codes(values: pa.ChunkedArray) -> tuple[NDArray[np.int64], pa.Array]:
    """Return the number of each row's value among the different values, and these, sorted."""
    codes, different = codes_and_values(values)
    order = pc.sort_indices(different)
    rank = np.empty(len(order), dtype=np.int64)
    rank[as_numpy(pc.cast(order, pa.int64()))] = np.arange(len(order))
    return rank[codes], different.take(order)


def places(texts: pa.ChunkedArray, names: Sequence[str]) -> NDArray[np.int32]:
    """Return each text's place among the names, int32 (rows,); -1 for any other text."""
    found = pc.index_in(texts, value_set=column([*names], pa.string()))
    return as_numpy(pc.fill_null(found, scalar(-1).cast(pa.int32())))


class StoredItemNames(Sequence[str]):
    """Item names `document␟item`, stored as Arrow data and converted when an item is accessed.

    As Python strings, the names of a few million items would take gigabytes.
    """

    def __init__(self, documents: pa.DictionaryArray, items: pa.Array) -> None:
        self.documents: list[str] = documents.dictionary.to_pylist()
        self.columns = {"document": documents.dictionary_decode(), "item": items}
        self._home = as_numpy(documents.indices).astype(np.int64)
        self._items = items

    def where(self, kept: NDArray[np.bool_]) -> StoredItemNames:
        """Return the names where `kept`, bool (N,), is true; all documents keep their numbers."""
        homes = number_column(self._home[kept].astype(np.int32))
        documents = pa.DictionaryArray.from_arrays(homes, column(self.documents, pa.string()))
        return StoredItemNames(documents, self._items.filter(number_column(kept)))

    def __len__(self) -> int:
        return len(self._home)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StoredItemNames) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]  # like a list

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        return ITEM_SIGN.join(self.document_and_item(at))

    def document_and_item(self, at: int) -> tuple[str, str]:
        """Return the names of an item's document and of the item in it."""
        return self.documents[self._home[at]], self._items[at].as_py()

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _NAMES_AT_ONCE):
            homes = self._home[first : first + _NAMES_AT_ONCE].tolist()
            items = self._items.slice(first, _NAMES_AT_ONCE).to_pylist()
            yield from (
                f"{self.documents[home]}{ITEM_SIGN}{item}"
                for home, item in zip(homes, items, strict=True)
            )


def document_names(matrix: LabelMatrix) -> list[str]:
    """Names of the documents of a campaign's matrix, in the order of its indices."""
    if isinstance(matrix.items, StoredItemNames):
        return matrix.items.documents
    return list(dict.fromkeys(item.partition(ITEM_SIGN)[0] for item in matrix.items))


def item_name(matrix: LabelMatrix, item: int) -> str:
    """Return the name of an item for readers: with its document if there are several."""
    names = matrix.items
    if not isinstance(names, StoredItemNames):
        return names[item]
    document, name = names.document_and_item(item)
    return name if matrix.documents is None else f"{document}/{name}"


def documents_and_items(matrix: LabelMatrix) -> list[tuple[str, str]]:
    """Return the document and the name of each item of a campaign's matrix."""
    names = cast(StoredItemNames, matrix.items)
    columns = (names.columns[one].to_pylist() for one in ("document", "item"))
    return list(zip(*columns, strict=True))


def bare_item_names(matrix: LabelMatrix) -> list[str]:
    """Return the names of the items without their documents."""
    names = matrix.items
    if isinstance(names, StoredItemNames):
        found: list[str] = names.columns["item"].to_pylist()
        return found
    return [*names]


def finished_passes(store: Tables, key: str, layer: str) -> list[tuple[str, str, int]]:
    """Return (document, annotator, pass) of all finished work in this layer."""
    rows = _finished_rows(store, key, layer).select(["document", "annotator", "pass"])
    return [(row["document"], row["annotator"], row["pass"]) for row in rows.to_pylist()]


def _finished_rows(store: Tables, key: str | TablesOfReport, layer: str) -> pa.Table:
    rows = read_accepted(store, key, "assignments")
    rows = rows_where(rows, pc.equal(rows["layer"], scalar(layer)))
    return rows_where(rows, are_finished(rows))


class AnnotatedDocument(NamedTuple):
    """A document with the units of those who finished it.

    units  the name of each unit of the continuum in its export, unique for each annotator
    """

    document: str
    continuum: Continuum
    units: list[str]


def stored_continua(
    store: Tables,
    key: str,
    layer: LayerSpec,
    annotators: Sequence[str],
    role: str,
    *,
    without: Collection[tuple[str, str]] = (),
) -> list[AnnotatedDocument]:
    """Return every document that one of the annotators finished in the first pass, sorted by name.

    without  (document, annotator) that take no part

    Annotators who finished a document without marking a unit are annotators of its continuum;
    annotators who did not finish it are not.
    """
    from ..metrics.alignment.continuum import Continuum, gaps_of_fragments

    documents = read_accepted(store, key, "documents", columns=["document", "length"])
    lengths = dict(zip(*(column.to_pylist() for column in documents.columns), strict=True))
    number = {name: a for a, name in enumerate(annotators)}
    present: dict[str, set[int]] = {}
    for document, annotator, pass_ in finished_passes(store, key, layer.name):
        if annotator in number and pass_ == FIRST_PASS and (document, annotator) not in without:
            present.setdefault(document, set()).add(number[annotator])
    names = sorted(present)
    people_of = [sorted(present[name]) for name in names]
    rows = unit_rows(store, key, layer, annotators)
    home, owner = places(rows["document"], names), places(rows["annotator"], annotators)
    taken = [d * len(number) + a for d, people in enumerate(people_of) for a in people]
    is_taken = np.isin(home.astype(np.int64) * len(number) + owner, taken)
    starts, ends = (as_numpy(rows[name]) for name in ("start_offset", "end_offset"))
    chosen = np.lexsort((ends, starts, home))
    chosen = chosen[is_taken[chosen]]
    bounds = np.searchsorted(home[chosen], np.arange(len(names) + 1)).tolist()
    code = places(rows["category"], layer.tagset)[chosen]
    start, end = starts[chosen].astype(np.float64), ends[chosen].astype(np.float64)
    rows, owner = rows.take(number_column(chosen)), owner[chosen]
    units = rows["unit"].to_pylist()
    is_split = pc.any(pc.greater(pc.list_value_length(rows["fragments"]), scalar(1))).as_py()
    fragments = rows["fragments"].to_pylist() if is_split else []
    found = []
    for d, (name, people) in enumerate(zip(names, people_of, strict=True)):
        own = slice(bounds[d], bounds[d + 1])
        length = float(lengths[name])
        gaps, discontinuous = gaps_of_fragments(fragments[own])
        continuum = Continuum(
            start[own],
            end[own],
            code[own],
            np.searchsorted(people, owner[own]).astype(np.int32),
            tuple(annotators[a] for a in people),
            layer.tagset,
            length=length if length >= 0 else float("nan"),
            roles=(role,) * len(people),
            gaps=gaps,
            discontinuous=discontinuous,
        )
        found.append(AnnotatedDocument(name, continuum, units[own]))
    return found
