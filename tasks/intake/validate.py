"""Validate raw rows, one task per group of shards; Great Expectations confirms the rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from prefect import task

from ...data.intake.spill import SPILL_SCHEMAS, read_slots
from ...data.ledger import work_of_shard
from ...data.schema import SCHEMAS, UNNAMED_LAYER
from ...data.store.hashes import content_hash
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...data.validation.accepted import Accepted
from ...data.validation.column_rules import StatedRule, rules_on_columns
from ...data.validation.expectations import Expectation
from ...data.validation.preparation import prepare
from ...data.validation.rule import Checked, Declared, Rule
from ..analysis import rows_of_document
from ..annotator_codes import ledger_key
from ..logged_task import logged_task, reuse_text
from ..node import Job, Node, complete
from ..wording import counted
from .ingest import RawFiles
from .shards import Shard, ShardFacts, ValidatedShard, shard_facts

WITHDRAWN = "kills_worker"


@dataclass(frozen=True, slots=True)
class ValidationSpec:
    """Validation settings of the campaign file, as plain values.

    is_private    whether to store no values of the export other than the measured rows
    withdrawn     reason by rejected document (it killed its worker repeatedly)
    expectations  additional expectations of the campaign file
    """

    declared: Declared
    is_private: bool = False
    withdrawn: Mapping[str, str] = field(default_factory=dict)
    expectations: tuple[Expectation, ...] = ()


def validate(
    store_url: str,
    sources: Sequence[RawFiles],
    shards: Sequence[Shard],
    spec: ValidationSpec,
    *,
    fresh: bool = False,
) -> list[ValidatedShard]:
    """Prepare and check a group of shards; shards without rows are left out.

    Masks count the broken rules of each shard; `_confirm_rules` compares them with the counts of
    Great Expectations.
    """
    store = Store(store_url)
    rows: dict[str, _RawShard] = {}
    nodes: list[Node] = []
    for shard, (raw, layers) in zip(
        shards, raw_rows_and_layers(store, sources, shards, spec), strict=True
    ):
        if not any(table.num_rows for table in raw.values()):
            continue
        # Drop `row`: it changes when an earlier row of the source is removed; the order does not.
        columns = {name: table.drop_columns(["slot", "row"]) for name, table in raw.items()}
        content = content_hash([columns[name] for name in sorted(columns)])
        # The rows of withdrawn documents are among the raw rows, with their reason.
        nodes.append(Node(Folder.ACCEPTED, [content, layers], replace(spec, withdrawn={})))
        rows[nodes[-1].place] = _RawShard(shard, raw, layers)
    outcomes = complete(
        store,
        nodes,
        fresh=fresh,
        together=lambda new: _validate_rows(
            store, {one.place: rows[one.place] for one in new}, spec, fresh=fresh
        ),
    )
    return [
        ValidatedShard(rows[one.place].shard, ShardFacts.from_json(one.facts), one)
        for one in outcomes
    ]


def _rows_validated(shards: Sequence[ValidatedShard]) -> str:
    facts = [one.facts for one in shards]
    rows_in = sum(f.rows_in for f in facts)
    rejected = sum(f.rows_rejected for f in facts)
    return (
        f"{counted(sum(f.n_documents for f in facts), 'document')}: {rows_in} rows in = "
        f"{rows_in - rejected} accepted + {rejected} rejected; "
        f"{reuse_text(len(shards), sum(one.outcome.reused for one in shards), 'shard')}"
    )


validate_task = logged_task("validate", validate, _rows_validated)


@dataclass(slots=True)
class _RawShard:
    """The rows of a shard by table, and the layers of each source."""

    shard: Shard
    raw: dict[str, pa.Table]
    layers: list[list[str]]


def _validate_rows(
    store: Store, new: Mapping[str, _RawShard], spec: ValidationSpec, *, fresh: bool
) -> Iterator[dict[str, Any]]:
    """Validate shards together, by place; write the tables of each and yield its facts."""
    further = _add_broken_values([*new.values()], spec.expectations)
    prepared = [prepare(one.raw, spec.declared, one.layers, further) for one in new.values()]
    _confirm_rules(store, prepared, spec, {rule.name for rule in further}, fresh=fresh)
    key = ledger_key(store)
    for place, of_shard in zip(new, prepared, strict=True):
        yield _write_shard(store, place, of_shard, spec, key)


@dataclass(frozen=True, slots=True)
class DocumentsToValidate:
    """Documents of shards, each validated alone; the fields are the arguments of `validate`."""

    sources: Sequence[RawFiles]
    shards: Sequence[Shard]
    spec: ValidationSpec

    def documents(self, store: Store) -> Iterator[Job]:
        for raw, layers in raw_rows_and_layers(store, self.sources, self.shards, self.spec):
            names = {
                one for rows in raw.values() for one in pc.unique(rows["document"]).to_pylist()
            }
            for name in sorted(names):
                rows = {table: rows_of_document(rows, name) for table, rows in raw.items()}
                yield name, partial(prepare, rows, self.spec.declared, layers)


def _add_broken_values(
    shards: Sequence[_RawShard], expectations: Sequence[Expectation]
) -> list[Rule]:
    """Return the rules of rejecting expectations, after adding their columns to the raw tables."""
    if not (shards and expectations):
        return []
    from ...data.validation.checks import add_broken_value_columns

    joined = {name: pa.concat_tables([one.raw[name] for one in shards]) for name in SCHEMAS}
    joined, rejecting = add_broken_value_columns(joined, expectations)
    for name, rows in joined.items():
        at = 0
        for one in shards:
            n = one.raw[name].num_rows
            one.raw[name] = rows.slice(at, n)
            at += n
    return [one.rule() for one in rejecting]


def raw_rows_and_layers(
    store: Store, sources: Sequence[RawFiles], shards: Sequence[Shard], spec: ValidationSpec
) -> Iterator[tuple[dict[str, pa.Table], list[list[str]]]]:
    """Yield the raw rows of each shard by table, and the layers of each source.

    shards  adjacent, in their order: they are read together
    """
    raw = _read_raw(store, [source.files for source in sources], shards)
    layers = [_layer_names(source.layers) for source in sources]
    for shard in shards:
        of_shard = {
            name: pa.concat_tables([_rows_of_shard(part, shard) for part in parts])
            for name, parts in raw.items()
        }
        yield _reject_withdrawn(of_shard, spec.withdrawn), layers


def _write_shard(
    store: Store, place: str, prepared: Accepted, spec: ValidationSpec, key: str
) -> dict[str, Any]:
    if spec.is_private:
        prepared = prepared.without_values()
    tables = {**prepared.tables, "rejected": prepared.rejected}
    for name, table in tables.items():
        store.write_table(f"{place}/{name}.parquet", table)
    work = work_of_shard(tables, prepared.exported, prepared.deliveries, key=key)
    store.write_table(f"{place}/work.parquet", work)
    return shard_facts(place.rpartition("/")[2], prepared, tables).as_json()


def _confirm_rules(
    store: Store,
    prepared: Sequence[Accepted],
    spec: ValidationSpec,
    judged_before: Collection[str],
    *,
    fresh: bool,
) -> None:
    """Let Great Expectations count the rows that break each rule, of all shards at once.

    A store keeps which rules were confirmed, and whether rows broke them: later rows are counted
    again only if they break a rule that none had broken, or if a rule or its statement is new.
    """
    stated = partial(rules_on_columns, prepared, spec.declared, judged_before)
    rules = [
        (one.rule.table, one.rule.name, one.stock, one.n_rows > 0, one.n_broken > 0)
        for _, of_table in (stated() if prepared else ())
        for one in of_table
    ]
    if rules:
        engine = f"great-expectations {version('great-expectations')}"
        node = Node(Folder.CONFIRMED, [engine], rules, lambda *_: _require_same_counts(stated()))
        complete(store, [node], fresh=fresh)


def _require_same_counts(tables: Iterable[tuple[pa.Table, Sequence[StatedRule]]]) -> None:
    """Raise RuntimeError if a mask counts other rows than the expectation of its rule."""
    from ...data.validation.checks import check_rules

    for one, judged in check_rules(tables):
        if (one.n_rows, one.n_broken) != judged:
            raise RuntimeError(
                f"rule {one.rule.name!r} on {one.rule.table}: the expectation counts "
                f"{judged.n_unexpected} of {judged.n_rows} rows, the mask {one.n_broken} of "
                f"{one.n_rows}; please report this with the campaign file"
            )


def _reject_withdrawn(
    raw: dict[str, pa.Table], withdrawn: Mapping[str, str]
) -> dict[str, pa.Table]:
    """Turn the rows of withdrawn documents into rejected rows; other rows are unchanged."""
    if not withdrawn:
        return raw
    names = pa.array(sorted(withdrawn), pa.string())
    kept_rows, rejected = {}, [raw["rejected"]]
    for name, rows in raw.items():
        if name == "rejected":
            continue
        if name == "excluded":  # already excluded with a reason of their own
            kept_rows[name] = rows
            continue
        out = pc.is_in(rows["document"], value_set=names)
        kept_rows[name] = rows.filter(pc.invert(out))
        bad = rows.filter(out)
        empty = pa.array([""] * bad.num_rows, pa.string())
        columns = {field.name: empty for field in raw["rejected"].schema}
        columns |= {c: bad[c] for c in columns if c in bad.column_names}
        columns |= {
            "rule": pa.array([WITHDRAWN] * bad.num_rows, pa.string()),
            "table_name": pa.array([name] * bad.num_rows, pa.string()),
            "message": pa.array([withdrawn[d] for d in bad["document"].to_pylist()], pa.string()),
        }
        rejected.append(pa.table(columns, schema=raw["rejected"].schema))
    return {**kept_rows, "rejected": pa.concat_tables(rejected)}


def _layer_names(layers: Mapping[str, Sequence[str]]) -> list[str]:
    return sorted(name or UNNAMED_LAYER[table] for table, names in layers.items() for name in names)


def _read_raw(
    store: Store, files: Sequence[Mapping[str, Sequence[str]]], shards: Sequence[Shard]
) -> dict[str, list[pa.Table]]:
    """Return the rows of adjacent shards by table and source, sorted by slot."""
    low, high = shards[0].low, shards[-1].high
    raw = {}
    for name in SCHEMAS:
        empty = SPILL_SCHEMAS[name].append(pa.field("origin", pa.int32())).empty_table()
        raw[name] = [empty]
        for origin, by_table in enumerate(files):
            part = read_slots(store, list(by_table[name]), name, low, high)
            origins = pa.array([origin] * part.num_rows, pa.int32())
            raw[name].append(part.append_column("origin", origins))
    return raw


def _rows_of_shard(rows: pa.Table, shard: Shard) -> pa.Table:
    first, end = rows["slot"].to_numpy().searchsorted([shard.low, shard.high])
    return rows.slice(first, end - first)


def judge_campaign_expectations(
    store_url: str, keys: Sequence[str], expectations: Sequence[Expectation], *, is_private: bool
) -> list[Checked]:
    """Check the expectations that concern the whole campaign; `keys` are the keys of its shards."""
    from ...data.validation.checks import campaign_expectations, judge_campaign

    judging = campaign_expectations(expectations)
    store = Store(store_url)
    tables = {
        name: pa.concat_tables(
            [SCHEMAS[name].empty_table(), *(store.accepted_rows(key, name) for key in keys)]
        )
        for name in {one.table for one in judging}
    }
    found = judge_campaign(tables, judging)
    return [replace(one, examples=()) for one in found] if is_private else found


judge_accepted_task = task(name="judge expectations")(judge_campaign_expectations)
