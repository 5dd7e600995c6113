"""Every row has one fate, and a run and a quick look give it the same."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.row_account import RowAccount
from accordeur.data.schema import Excluded, ExclusionReason, Label, Rejected, Relation, Unit
from accordeur.data.store.store import Store
from accordeur.data.validation.preparation import prepare
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.campaign.task_settings import settings_of_tasks as plan
from accordeur.flows.campaign.task_settings import sharding
from accordeur.flows.campaign.task_settings.layers_of_campaign import layer_contents, layer_specs
from accordeur.metrics.errors import MetricsError
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.intake.ingest import ingest
from accordeur.tasks.intake.shards import shard_facts
from accordeur.tasks.intake.validate import raw_rows_and_layers
from accordeur.tasks.reporting.account_of_run import account_of_run
from accordeur.tasks.units.units_of_exports import read_units
from tests.read_labels import measured_labels

CORPORA = Path(__file__).parents[2] / "corpora" / "formats"
NAMES = ["anna", "ben", "chloé"]


def rows_of(path: Path, options: SourceOptions) -> int:
    """An independent count of the rows that an export holds."""
    n = 0
    for record in read_source(path, "auto", options):
        if isinstance(record, Excluded):
            n += record.n_rows
        elif isinstance(record, (Label, Unit, Relation, Rejected)):
            n += 1
    return n


def account_of_campaign(
    path: Path, store: Store, references: Mapping[str, str] | None = None
) -> RowAccount:
    """The account as a run's report has it, without what is measured.

    references  layer → the human annotator whose work is its reference
    """
    config = load_campaign(path)
    sources = [ingest(store.url, source).raw for source in plan.source_specs(config)]
    spec = plan.validation_spec(config)
    shards = []
    for shard in sharding.equal_shards(8, 2):
        [(raw, layers)] = raw_rows_and_layers(store, sources, [shard], spec)
        prepared = prepare(raw, spec.declared, layers)  # as a run does, without the second count
        key = str(shard.number)
        for name, table in {**prepared.tables, "rejected": prepared.rejected}.items():
            store.write_table(f"accepted/{key}/{name}.parquet", table)
        shards.append(shard_facts(key, prepared, prepared.tables))
    found = layer_contents(config, shards)
    return account_of_run(
        store, shards, layer_specs(config, found), [], found.roles, references or {}
    )


def campaign(folder: Path, source: Path) -> Path:
    path = folder / "campaign.toml"
    text = f'[campaign]\nname = "x"\n[[sources]]\npath = "{source}"\n'
    for name, value in options_of(source).items():
        text += f'options.{name} = "{value}"\n'
    path.write_text(text, encoding="utf-8")
    return path


def options_of(source: Path) -> dict[str, str]:
    """Options without which the source is refused."""
    return {"columns": "UPOS"} if source.suffix == ".conllu" else {}


def write(folder: Path, header: str, rows: Sequence[tuple[Any, ...]]) -> Path:
    path = folder / "table.csv"
    lines = [header, *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


units = st.tuples(
    st.sampled_from(["d1", "d2", "d3"]),
    st.sampled_from(NAMES),
    st.integers(0, 9),
    st.integers(-1, 5),
    st.sampled_from("AB"),
).map(lambda r: (r[0], r[1], r[2], r[2] + r[3], r[4]))
labels = st.tuples(
    st.sampled_from(["d1", "d2"]),
    st.integers(1, 4),
    st.sampled_from(NAMES),
    st.sampled_from(["x", "y", ""]),
    st.sampled_from([1, 1, 1, 2]),
)


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.lists(units, min_size=1, max_size=14))
def test_units_have_one_fate_in_a_run_and_a_quick_look(rows: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write(folder, "document,annotator,start,end,category", rows)
        try:
            quick = read_units([path]).account().rows
            run = account_of_campaign(campaign(folder, path), Store(str(folder / "store")))
        except (DataError, MetricsError):
            return  # nothing to measure
        assert quick.n_read == len(rows) == rows_of(path, SourceOptions())
        assert run == quick


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.lists(labels, min_size=1, max_size=14))
def test_labels_have_one_fate_in_a_run_and_a_quick_look(rows: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write(folder, "document,item,annotator,label,pass", rows)
        try:
            quick = measured_labels(path).account.rows
            run = account_of_campaign(campaign(folder, path), Store(str(folder / "store")))
        except (DataError, MetricsError):
            return
        assert quick.n_read == len(rows) == rows_of(path, SourceOptions())
        assert run.n_read == quick.n_read
        assert run.rejected == quick.rejected
        if not any(row[-1] == 2 for row in rows):  # a run measures test–retest agreement too
            assert run == quick


def quick_accounts(path: Path) -> Iterator[RowAccount]:
    """The accounts of the quick looks that measure something of the export."""
    with suppress(DataError, MetricsError):
        yield measured_labels(path, Reading(options=options_of(path))).account.rows
    with suppress(DataError, MetricsError):
        yield read_units([path]).account().rows


ONE_LAYER_OR_PASS = {
    ExclusionReason.OTHER_KIND, ExclusionReason.OTHER_LAYER, ExclusionReason.LATER_PASS,
}  # fmt: skip
"""Why a quick look excludes what a run measures besides."""

EXPORTS = sorted(path for path in CORPORA.iterdir() if path.name != "README.md")


@pytest.mark.parametrize("export", EXPORTS, ids=[path.name for path in EXPORTS])
def test_every_row_of_every_format_has_one_fate(export: Path, tmp_path: Path) -> None:
    """RowAccount itself refuses fates that do not add up to the rows read."""
    n_accounts = 0
    for path in [export, *sorted(export.rglob("*"))] if export.is_dir() else [export]:
        for annotator in (None, "anna"):
            options = SourceOptions(annotator=annotator, extra=options_of(path))
            try:
                n_rows = rows_of(path, options)
            except DataError:
                continue
            store = Store(str(tmp_path / f"store{n_accounts}"))
            file = campaign(tmp_path, path)
            if annotator:
                with file.open("a", encoding="utf-8") as more:
                    more.write(f'annotator = "{annotator}"\n')
            try:
                account = account_of_campaign(file, store)
            except DataError:
                continue
            assert account.n_read == n_rows
            n_accounts += 1
            for quick in quick_accounts(path) if annotator is None else ():
                assert quick.n_read == account.n_read
                assert quick.rejected == account.rejected
                if not ONE_LAYER_OR_PASS & quick.excluded.keys():
                    assert quick == account
            break
    assert n_accounts, "no file of the folder was read"


TEXT = "one two three four five six seven eight nine ten"
PLACES = [(TEXT.index(word), TEXT.index(word) + len(word)) for word in TEXT.split()]


def span(k: int, text: str = "") -> dict[str, Any]:
    """A region of Label Studio; with a text that is not there it is rejected."""
    start, end = PLACES[k]
    value = {"start": start, "end": end, "text": text or TEXT[start:end], "labels": ["A"]}
    kind = {"type": "labels", "from_name": "label", "to_name": "text"}
    return {"id": f"r{k}", **kind, "value": value}


def choice(label: str) -> dict[str, Any]:
    kind = {"type": "choices", "from_name": "topic", "to_name": "text"}
    return {"id": f"c{label}", **kind, "value": {"choices": [label]}}


def export(folder: Path, tasks: Sequence[Sequence[dict[str, Any]]]) -> Path:
    """A Label Studio export: the annotations of each task."""
    path = folder / "tasks.json"
    made = [
        {"id": f"t{k}", "data": {"text": TEXT}, "annotations": list(annotations)}
        for k, annotations in enumerate(tasks)
    ]
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def with_reference(file: Path) -> Path:
    with file.open("a", encoding="utf-8") as more:
        more.write('options = { ground_truth = "reference" }\n')
    return file


def annotations_with(results: st.SearchStrategy[list[dict[str, Any]]]) -> Any:
    return st.lists(
        st.lists(
            st.fixed_dictionaries(
                {
                    "completed_by": st.sampled_from(NAMES),
                    "result": results,
                    "ground_truth": st.booleans(),
                    "was_cancelled": st.sampled_from([False, False, False, True]),
                }
            ),
            max_size=4,
        ),
        min_size=1,
        max_size=3,
    )


spans = st.lists(st.integers(0, 9), unique=True, max_size=4).flatmap(
    lambda places: st.tuples(*(st.sampled_from([span(k), span(k), span(k, "?")]) for k in places))
)
REFERENCE = {"ground_truth": "reference"}


def assert_rows_count_once(
    tasks: Sequence[Sequence[dict[str, Any]]], plain: RowAccount, also: RowAccount
) -> None:
    """`also`: ground truths are the reference too; `plain`: they are not."""
    every = [one for annotations in tasks for one in annotations]
    marked = [one for one in every if one["ground_truth"] and not one["was_cancelled"]]
    without_rows = (ExclusionReason.NOT_ANNOTATED, ExclusionReason.EMPTY_ANSWER)
    n_without = [sum(one.excluded.get(why, 0) for why in without_rows) for one in (plain, also)]
    n_rows = [one.n_read - n for one, n in zip((plain, also), n_without, strict=True)]
    # a cancelled annotation without results is a row, too
    assert n_rows == 2 * [sum(len(one["result"]) or one["was_cancelled"] for one in every)]
    n_tasks = sum(not annotations for annotations in tasks)
    assert plain.excluded.get(ExclusionReason.NOT_ANNOTATED, 0) == n_tasks
    assert also.measured == plain.measured
    assert also.rejected == plain.rejected
    assert also.n_annotators == plain.n_annotators
    assert also.reference_only == plain.n_excluded - also.n_excluded
    assert also.also_reference <= also.measured
    assert also.also_reference + also.reference_only <= sum(len(one["result"]) for one in marked)
    assert (plain.also_reference, plain.reference_only) == (0, 0)


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(annotations_with(spans.map(list)))
def test_spans_that_serve_as_reference_too_are_counted_once(tasks: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = export(folder, tasks)
        try:
            quick = [read_units([path], Reading(options=o)).account().rows for o in ({}, REFERENCE)]
        except (DataError, MetricsError):
            return  # nothing to measure
        file = campaign(folder, path)
        runs = [account_of_campaign(file, Store(str(folder / "store")))]
        runs.append(account_of_campaign(with_reference(file), Store(str(folder / "again"))))
        for plain, also in (quick, runs):
            assert_rows_count_once(tasks, plain, also)
        if len({(k, a["completed_by"]) for k, t in enumerate(tasks) for a in t}) == sum(
            map(len, tasks)
        ):  # a run measures test–retest agreement too
            assert quick == runs


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(annotations_with(st.sampled_from([[choice("x")], [choice("y")], []])))
def test_labels_that_serve_as_reference_too_are_counted_once(tasks: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = export(folder, tasks)
        try:
            quick = [
                measured_labels(path, Reading(options=o)).account.rows for o in ({}, REFERENCE)
            ]
        except (DataError, MetricsError):
            return
        file = campaign(folder, path)
        runs = [account_of_campaign(file, Store(str(folder / "store")))]
        runs.append(account_of_campaign(with_reference(file), Store(str(folder / "again"))))
        for plain, also in (quick, runs):
            assert_rows_count_once(tasks, plain, also)


def test_a_reference_that_is_also_an_annotator_is_counted_once(tmp_path: Path) -> None:
    def by(who: str, *words: int, **more: Any) -> dict[str, Any]:
        return {"completed_by": who, "result": [span(k) for k in words], **more}

    tasks = [
        [by("anna", 0, 1, 2, ground_truth=True), by("ben", 0, 1)],
        [by("anna", 0), by("ben", 3, 4, ground_truth=True)],
        [by("ben", 5, 6, ground_truth=True)],  # nobody to compare with
    ]
    path = export(tmp_path, tasks)
    quick = read_units([path], Reading(options=REFERENCE)).account().rows
    file = with_reference(campaign(tmp_path, path))
    assert account_of_campaign(file, Store(str(tmp_path / "store"))) == quick
    assert quick == RowAccount(
        10, measured=8, also_reference=5, reference_only=2, n_annotators=2, most_annotators=2
    )


def test_an_annotator_chosen_as_reference_is_counted_once(tmp_path: Path) -> None:
    """`[reference] annotator = "anna"`: her rows are measured and serve as reference."""
    rows = [("d1", "anna", 0, 3, "A"), ("d1", "anna", 4, 7, "A"), ("d1", "ben", 0, 3, "A")]
    path = write(
        tmp_path, "document,annotator,start,end,category", [*rows, ("d2", "anna", 0, 3, "A")]
    )
    file, store = campaign(tmp_path, path), Store(str(tmp_path / "store"))
    plain = account_of_campaign(file, store)
    chosen = account_of_campaign(file, store, {"units": "anna"})
    assert plain.excluded == {"single_annotator": 1}
    assert chosen == replace(plain, also_reference=2, reference_only=1, excluded={})
