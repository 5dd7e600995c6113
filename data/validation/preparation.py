"""From rows of readers to accepted tables and rejected rows: the one place where fates are decided.

`accepted_rows` takes an iterator of rows as readers yield them, records and `Block`s in the schemas
of `data.schema` (`Block(name, table)` holds an Arrow table), and returns `Accepted` in memory:
quick looks and the Python interface use it. `accordeur check` and a run call `prepare` for each
shard of their sources; the `Accepted` of a run is written to the store.

Rows of several sources are combined: a document read twice with the same text becomes one row, an
annotator's assignments on a document become one, and every row that breaks a rule goes to
`rejected` with its source, its location, the rule and the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import repeat

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrow_columns import (
    as_numpy,
    codes_and_values,
    column,
    empty_table,
    first_of_equal_rows,
    group_codes,
    number_column,
    one_chunk,
    rows_where,
    scalar,
)
from ..blocks import Rows, make_block, names_of_sets
from ..errors import DataError
from ..intake.adaptation import with_text_hashes
from ..option_names import option
from ..row_account import RowTally
from ..schema import (
    FINISHED_STATES,
    NAME_SEPARATOR,
    SCHEMAS,
    Copy,
    Rejected,
    State,
    withheld_message,
)
from ..sentences import visible
from .deliveries import CONFLICTS, DELIVERIES, choose_deliveries
from .merge_sources import (
    FINISHED,
    OF_WORK,
    merged_assignments,
    merged_documents,
    with_unseen_documents,
)
from .raw_rows import RawRows, with_named_layer
from .rule_views import (
    SAME_LABEL,
    audits_among,
    documents_view,
    join_columns,
    rule_view,
    with_relation_ends,
)
from .rules import (
    Checked,
    Declared,
    Mask,
    ObjectReader,
    Rule,
    check_result,
    find_broken_rules,
    rules_of,
)
from .trimming import trim_units

OF_FILES = ("labels", "units", "relations")  # tables whose rows are records of the files
_WHO = ("document", "annotator")
_REJECTED_WITH_ORIGIN = pa.schema(
    [*SCHEMAS["rejected"], ("origin", pa.int32()), ("row", pa.int64())]
)
_DERIVED = column(["documents", "assignments"], pa.string())


@dataclass(frozen=True)
class Accepted:
    """Accepted and excluded tables (in the schemas of `data.schema`) and the rejected rows.

    rows_in, rows_accepted, rows_rejected: numbers of rows of all tables, without the rows that
    readers excluded; rows_in = rows_accepted + rows_rejected. Rows of copies that do not count
    (`deliveries`) are among those accepted, and described in the table `excluded`.

    rejected_with_origin  the table `rejected` with the columns `origin` and `row` of its rows
    exported  units, labels and relations of the copies that count, before trimming and rules
    deliveries  work that was in several files (`deliveries.DELIVERIES`)
    n_trimmed, n_without_text  units that were trimmed, and units that have no text to trim by
    views      the tables that the rules were applied to
    are_accepted  which of their rows break no rule
    checks     what each rule found (a row may break several)
    masks      the rows that broke each of these checks, for `data.validation.checks`
    """

    tables: dict[str, pa.Table]
    rejected_with_origin: pa.Table
    rows_in: int
    rows_accepted: int
    rows_rejected: int
    views: dict[str, pa.Table]
    are_accepted: dict[str, Mask]
    checks: list[Checked]
    masks: list[Mask]
    n_trimmed: int = 0
    n_without_text: int = 0
    exported: Mapping[str, pa.Table] = field(default_factory=dict)
    deliveries: pa.Table = field(default_factory=partial(empty_table, DELIVERIES))

    @property
    def rejected(self) -> pa.Table:
        """The rejected rows as the table `rejected`."""
        return self.rejected_with_origin.select(SCHEMAS["rejected"].names)

    def without_values(self) -> Accepted:
        """Remove every value of a rejected row: it may quote a text or name an annotator.

        The name of a document remains where the document itself is accepted.
        """
        rejected = self.rejected_with_origin
        messages = [withheld_message(one) for one in rejected["rule"].to_pylist()]
        documents = one_chunk(rejected["document"])
        is_accepted = pc.is_in(documents, value_set=one_chunk(self.tables["documents"]["document"]))
        for name, values in (
            ("value", [""] * len(messages)),
            ("message", messages),
            ("document", pc.if_else(is_accepted, documents, scalar(""))),
        ):
            at = rejected.column_names.index(name)
            rejected = rejected.set_column(at, name, pa.array(values, pa.string()))
        checks = [replace(one, examples=()) for one in self.checks]
        return replace(self, rejected_with_origin=rejected, checks=checks)

    def kept(self, table: str) -> pa.Table:
        """Return the rows of a view that break no rule."""
        return rows_where(self.views[table], self.are_accepted[table])

    @cached_property
    def keys_of_copied_assignments(self) -> pa.Array:
        """Keys of the documents and annotators whose rows repeat others (`data.schema.Copy`)."""
        return keys_of_copied_assignments(self.views["assignments"])

    def without_copies(self, rows: pa.Table) -> pa.Table:
        """Return rows of a table without the rows that are read again as a reference's."""
        return without_copies(rows, self.keys_of_copied_assignments)

    def rejected_records(self) -> list[Rejected]:
        """Return the rejected rows that are no copies, in reading order."""
        rows = self.without_copies(self.rejected_with_origin)
        rows = rows.sort_by([("origin", "ascending"), ("row", "ascending")])
        return [Rejected(**row) for row in rows.select(SCHEMAS["rejected"].names).to_pylist()]

    def roles(self) -> dict[str, str]:
        """Return the role of each annotator that an assignment states."""
        stated = first_of_equal_rows(self.views["assignments"], ["annotator"])
        return dict(zip(stated["annotator"].to_pylist(), stated["role"].to_pylist(), strict=True))

    def assignments(self, layer: str, *, finished: bool = False, later: bool = False) -> pa.Table:
        """Return the assignments to a layer in one annotation pass, or only finished ones.

        later  those of the annotation passes after the first, else of the first
        """
        rows = self.tables["assignments"]
        rows = rows.filter(pc.equal(rows["layer"], scalar(layer)))
        is_first = pc.equal(rows["pass"], scalar(1))
        rows = rows.filter(pc.invert(is_first) if later else is_first)
        return rows.filter(pc.is_in(rows["state"], value_set=FINISHED)) if finished else rows

    def unfinished(self, layer: str) -> pa.Table:
        """Return the assignments to a layer that were not finished, in every annotation pass."""
        rows = self.tables["assignments"]
        rows = rows.filter(pc.equal(rows["layer"], scalar(layer)))
        return rows.filter(pc.invert(pc.is_in(rows["state"], value_set=FINISHED)))

    def first_pass(self, table: str) -> pa.Table:
        """Return the accepted rows of the first annotation pass, copies too."""
        rows = self.tables[table]
        return rows.filter(pc.equal(rows["pass"], scalar(1)))

    def all_rejected(self) -> set[tuple[str, str]]:
        """Return the documents and annotators of which all labels and units were rejected."""
        lost = self.rejected_with_origin.filter(
            pc.is_in(self.rejected_with_origin["table_name"], value_set=OF_WORK)
        )
        kept = [_pairs(self.first_pass(name)) for name in ("labels", "units")]
        return _pairs(lost).difference(*kept)

    def with_unfinished_work(self) -> Accepted:
        """Return the same rows with all work as finished that was assigned and has a row left."""
        rows, lost = self.tables["assignments"], self.all_rejected()
        columns = (rows[name].to_pylist() for name in (*_WHO, "state"))
        states = [
            state
            if state == State.NOT_ASSIGNED or state in FINISHED_STATES or (document, name) in lost
            else str(State.FINISHED)
            for document, name, state in zip(*columns, strict=True)
        ]
        at = rows.column_names.index("state")
        rows = rows.set_column(at, rows.schema.field("state"), column(states, pa.string()))
        return replace(self, tables={**self.tables, "assignments": rows})

    def tally(self) -> RowTally:
        """Return the tally of the records of the files, in which accepted rows have no fate yet.

        A record is a label, unit or relation, or what a reader rejected; the documents and
        assignments that readers derive from them are none.
        """
        tally = RowTally()
        originals = assignments_that_are(Copy.ORIGINAL, self.views["assignments"])
        tally.references = _pairs(originals.filter(pc.equal(originals["pass"], scalar(1))))
        tally.copies = _pairs(assignments_that_are(Copy.COPY, self.views["assignments"]))
        for row in self.tables["excluded"].select(["reason", "n_rows"]).to_pylist():
            tally.exclude(row["reason"], row["n_rows"])
            tally.n_read += row["n_rows"]
        of_files = records_of_files(self.without_copies(self.rejected_with_origin))
        for entry in pc.value_counts(one_chunk(of_files["rule"])).to_pylist():
            tally.reject(entry["values"], entry["counts"])
        tally.n_read += of_files.num_rows
        tally.n_read += sum(self.without_copies(self.tables[name]).num_rows for name in OF_FILES)
        return tally

    def counted_unlike(self) -> dict[str, list[str]]:
        """Return the documents whose units are counted in several offset units, with these."""
        documents, place = self.views["documents"], ("document", "origin")
        if len(pc.unique(documents["offset_unit"])) < 2:
            return {}
        with_units = pc.unique(join_columns(self.views["units"], place))
        rows = documents.filter(pc.is_in(join_columns(documents, place), value_set=with_units))
        ways: dict[str, list[str]] = {}
        for row in first_of_equal_rows(rows, ["document", "offset_unit"]).to_pylist():
            ways.setdefault(row["document"], []).append(row["offset_unit"])
        return {name: sorted(units) for name, units in ways.items() if len(units) > 1}

    def n_conflicting_labels(self) -> int:
        """Count the later labels of an annotator on an item that differ from the first."""
        labels = self.without_copies(self.views["labels"])
        is_later = (as_numpy(labels["occurrence"]) > 1) & ~as_numpy(labels[CONFLICTS])
        if not is_later.any():
            return 0
        _, item = np.unique(group_codes(labels, SAME_LABEL), return_inverse=True)
        given, _ = codes_and_values(names_of_sets(labels["labels"]))
        first = np.zeros(item.max() + 1, dtype=np.int64)
        first[item[~is_later]] = given[~is_later]
        return int((given != first[item])[is_later].sum())


def accepted_rows(
    rows: Iterable[Rows],
    declared: Declared = Declared(),  # noqa: B008 - frozen
    *,
    tagset: Sequence[str] = (),
    layer: str | None = None,
    table: str | None = "labels",
    trim: bool = False,
    objects: ObjectReader | None = None,
) -> Accepted:
    """Apply every rule to the rows of one source in memory.

    table   that the layer is of; None: of labels or of units
    tagset  the categories in `layer` (None: in every layer of `table`); units may have none
    objects what reads the labels of `layer` as objects; None: they are categories
    trim    whether units lose blanks and punctuation at their edges; all texts are in memory then
    Raises DataError for an annotator with two roles.
    """
    sources = RawRows(keeps_texts=trim)
    sources.add(with_text_hashes(iter(rows)))
    [raw] = sources.shards()
    _require_one_role(raw["assignments"])
    named = [layer] if layer is not None else _layers_of(raw, table)
    if tagset:
        declared = Declared({name: tuple(tagset) for name in named}, declared.roles, tuple(named))
    readers = dict.fromkeys(named, objects) if objects else {}
    return prepare(raw, replace(declared, trim=trim, objects=readers), sources.layers)


def _layers_of(raw: Mapping[str, pa.Table], table: str | None) -> list[str]:
    tables = ("labels", "units") if table is None else (table,)
    found = [pc.unique(with_named_layer(one, raw[one])["layer"]).to_pylist() for one in tables]
    return list(dict.fromkeys(name for names in found for name in names))


def assignments_that_are(copy: Copy, assignments: pa.Table) -> pa.Table:
    """Return the assignments whose rows are originals, or copies of these."""
    return assignments.filter(pc.equal(assignments["copy"], scalar(str(copy))))


def keys_of_copied_assignments(assignments: pa.Table) -> pa.Array:
    """Return the keys of the documents and annotators whose rows repeat others (`Copy`)."""
    return pc.unique(_key(assignments_that_are(Copy.COPY, assignments)))


def without_copies(rows: pa.Table, copies: pa.Array) -> pa.Table:
    """Return the rows that do not repeat others; `copies` from `keys_of_copied_assignments`."""
    if not len(copies):
        return rows
    return rows.filter(pc.invert(pc.is_in(_key(rows), value_set=copies)))


def records_of_files(rejected: pa.Table) -> pa.Table:
    """Return the rejected rows that are records of the files.

    The others are documents and assignments, which readers derive from such records.
    """
    return rejected.filter(pc.invert(pc.is_in(rejected["table_name"], value_set=_DERIVED)))


def _require_one_role(assignments: pa.Table) -> None:
    before: dict[str, str] = {}
    columns = ("annotator", "role", "source")
    for name, role, source in zip(*(assignments[c].to_pylist() for c in columns), strict=True):
        if before.setdefault(name, role) != role:
            given = option("role", f"{name}={before[name]}")
            raise DataError(
                f"annotator {name!r} is {role} in {source} and {before[name]} in an earlier "
                f"source: give one role (`{given}`), or another name"
            )


def _pairs(rows: pa.Table) -> set[tuple[str, str]]:
    return set(zip(*(rows[name].to_pylist() for name in _WHO), strict=True))


def _key(rows: pa.Table) -> pa.ChunkedArray:
    return join_columns(rows, _WHO)


def _require_joinable_names(raw: Mapping[str, pa.Table]) -> None:
    """Raise DataError for a name that contains what separates joined names.

    Then a joined name says for certain which document, item and annotator it names.
    """
    for table, name in (
        ("documents", "document"),
        ("assignments", "annotator"),
        ("labels", "item"),
    ):
        is_joined = pc.match_substring(raw[table][name], NAME_SEPARATOR)
        if pc.any(is_joined).as_py():
            first = raw[table][name].filter(is_joined)[0].as_py()
            raise DataError(
                f"{name} {visible(first)}: a name must not contain the control character U+001F, "
                f"which separates names: rename the {name} in the export"
            )


def prepare(
    raw: Mapping[str, pa.Table],
    declared: Declared,
    layers: Sequence[Sequence[str]],
    further: Sequence[Rule] = (),
) -> Accepted:
    """Apply every rule to one shard.

    raw: the spilled tables of all sources with the columns `origin` (number of the source) and
    `row` besides the schema's. All rows of a document are in one shard.
    layers: the layers of each source, to which its assignments apply: an annotator of labels has
    not left the units empty.
    further: rules of the campaign file, whose columns the raw tables have.
    """
    raw = {name: with_named_layer(name, table) for name, table in raw.items()}
    _require_joinable_names(raw)
    delivered = choose_deliveries(raw, layers, declared.deliveries)
    raw = delivered.raw
    exported = {name: raw[name] for name in OF_FILES}
    documents = documents_view(raw["documents"])
    n_trimmed = n_without_text = 0
    if declared.trim:
        raw["units"], n_trimmed, n_without_text = trim_units(raw["units"], documents)
    views: dict[str, pa.Table] = {"documents": documents}
    audits = audits_among(raw["assignments"])
    for name in ("assignments", "units", "labels", "relations"):
        views[name] = rule_view(name, raw[name], documents, audits)
    kept: dict[str, pa.Table] = {}
    are_accepted: dict[str, Mask] = {}
    rejected = [raw["rejected"].select(_REJECTED_WITH_ORIGIN.names)]
    checks: list[Checked] = []
    masks: list[Mask] = []
    n_in = n_accepted = delivered.n_left_out
    for name in ("documents", "assignments", "units", "labels", "relations"):
        rows = views[name]
        if name == "relations":
            rows = views[name] = with_relation_ends(rows, kept["units"])
        rules = rules_of(name, further)
        first_broken, broken = find_broken_rules(rules, rows, declared)
        for rule, mask in zip(rules, broken, strict=True):
            for layer, of_layer in rule.by_layer(rows, mask, declared):
                checks.append(check_result(rule, rows, of_layer, layer))
                masks.append(of_layer)
        are_accepted[name] = first_broken < 0
        kept[name] = rows_where(rows, are_accepted[name])
        rejected.append(refused_rows(name, rows, first_broken, rules, declared))
        n_in += rows.num_rows
        n_accepted += kept[name].num_rows
    tables = {
        "documents": merged_documents(kept["documents"]),
        "units": kept["units"].select(SCHEMAS["units"].names),
        "labels": kept["labels"].select(SCHEMAS["labels"].names),
        "relations": kept["relations"].select(SCHEMAS["relations"].names),
        "excluded": raw["excluded"].select(SCHEMAS["excluded"].names),
    }
    rejected_rows = pa.concat_tables(rejected)
    tables["assignments"] = merged_assignments(kept["assignments"], tables, layers, rejected_rows)
    tables["documents"] = with_unseen_documents(tables["documents"], tables["assignments"])
    return Accepted(
        tables=tables,
        rejected_with_origin=rejected_rows,
        rows_in=n_in + raw["rejected"].num_rows,
        rows_accepted=n_accepted,
        rows_rejected=rejected_rows.num_rows,
        views=views,
        are_accepted=are_accepted,
        checks=checks,
        masks=masks,
        n_trimmed=n_trimmed,
        n_without_text=n_without_text,
        exported=exported,
        deliveries=delivered.deliveries,
    )


def refused_rows(
    name: str,
    rows: pa.Table,
    first_broken: NDArray[np.int64],
    rules: tuple[Rule, ...],
    declared: Declared,
) -> pa.Table:
    """Return the rejected rows of a view; `first_broken` is -1 for valid rows."""
    parts = [empty_table(_REJECTED_WITH_ORIGIN)]
    for r, rule in enumerate(rules):
        bad = rows.filter(number_column(first_broken == r))
        if not bad.num_rows:
            continue
        value = one_chunk(pc.cast(bad[rule.column], pa.string()))
        layers = bad["layer"].to_pylist() if "layer" in bad.column_names else [""] * len(value)
        messages = map(rule.message, value.to_pylist(), repeat(declared), layers)
        columns = {
            **{one: bad[one] for one in SCHEMAS["rejected"].names if one in bad.column_names},
            "rule": rule.name,
            "value": value,
            "message": column([*messages], pa.string()),
            "table_name": name,
        }
        found = make_block("rejected", bad.num_rows, {"location": "", **columns}).rows
        parts.append(found.append_column("origin", bad["origin"]).append_column("row", bad["row"]))
    return pa.concat_tables(parts)
