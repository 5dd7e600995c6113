"""Reporting of a run: summaries to the results document, its page and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from prefect import task

from ...data.option_names import in_campaign_file
from ...data.readers.common.category_features import ReadAs
from ...data.schema import SCHEMAS
from ...data.store.in_memory import TABLES_FOLDER
from ...data.store.store import Store
from ...data.validation.expectations import Expectation, Severity
from ...data.validation.rule import Checked, Declared
from ...data.validation.rules import RULES
from ...metrics.coded_warning import CodedWarning, Figures
from ...metrics.plugins import plugin_versions
from ...metrics.signature import VERSION
from ...reports import results as page
from ...reports.language import Code
from ...reports.page.blocks import Section
from ...reports.privacy import without_text
from ...reports.release.requirements import missing_statement
from ...reports.render import AUDIT_PAGE, render, render_audit
from ...reports.results.campaign import point_kinds_of_deliveries
from ...reports.results.circumstances import FILE as CIRCUMSTANCES
from ...reports.results.circumstances import split_circumstances
from ...reports.summary import markdown_summary
from ..effects import bonferroni_corrected
from ..influences import FILE as INFLUENCES
from ..influences import influences_table, read_influences
from ..inputs.name_warnings import warnings_on_misnamed_humans, warnings_on_similar_names
from ..intake.accepted import write_accepted_of_campaign
from ..intake.shards import ShardFacts
from ..layer_results import measured_fields, read_results
from ..layers import LayerSpec
from ..node import Outcome
from ..queues_of_rounds import keep_cells_beside
from .account_of_run import account_of_run
from .actions import actions_of
from .coverage import annotators_of, batches_of, coverage_of, only_deliveries, with_batches
from .decided_disagreements import with_decisions
from .document_pages import write_document_pages
from .drift_between_runs import changes_since_earlier_runs, drift_warnings, earlier_influences
from .gates import GateSpec, gate_on_rejected_rows, judge_gates
from .pace import paces_of
from .relative_gates import gates_with_thresholds
from .reported_values import values_of, values_table
from .run_outcome import outcome_of_run
from .validation_result import FILE as VALIDATION_RESULT
from .validation_result import SUITES, gx_suites, gx_validation_result
from .validation_summary import validation_of_shards

_PACKAGES = (
    "prefect", "dask", "distributed", "great-expectations", "numpy", "numba", "pyarrow", "scipy",
)  # fmt: skip
_RULES = {rule.name for rule in RULES}
_MANY_REJECTED = 0.05  # share of rejected rows of which the first screen warns without a gate
_MISSING_NAMED = 4  # entries of a data statement in a warning; the audit page lists all


@dataclass(frozen=True, slots=True)
class ReportSpec:
    """Contents of the report that are not values, as plain values."""

    campaign: Mapping[str, Any]
    gates: tuple[GateSpec, ...] = ()
    period: str = "month"
    on_rejected: str = "continue"
    rejected_at_most: float | None = None
    language: Code = "en"
    seed: int = 0
    command: str = ""
    config_hash: str = ""
    rejected_shown: int = 500
    alignments_shown: int = 12
    document_pages: int = 20
    guidelines: Mapping[str, str] = field(default_factory=dict)  # by batch
    is_release: bool = False
    expectations: tuple[Expectation, ...] = ()  # from the campaign file
    declared: Declared = field(default_factory=Declared)  # as the rules saw it
    read_as: ReadAs = field(default_factory=ReadAs)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Facts about a run besides its summaries."""

    started: str
    input_hash: str
    inputs: Mapping[str, str]
    links: Mapping[str, str] = field(default_factory=dict)  # link on the page, by source file
    stages: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    history: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    since: page.Changes | None = None
    earlier: Mapping[str, str] = field(default_factory=dict)  # report folder by run
    notices: Sequence[CodedWarning] = field(default_factory=tuple)
    layers: Sequence[LayerSpec] = field(default_factory=tuple)  # measured layers
    expectations: Sequence[Checked] = ()  # of expectations on the whole campaign
    release: page.Release | None = None  # published content of a release audit
    gates: Sequence[page.Gate] = ()  # on values that the results do not contain
    apart: Sequence[Section] = ()  # of the page, on the same values


@in_campaign_file()
def assemble(
    store_url: str,
    shards: Sequence[ShardFacts],
    summaries: Sequence[str],
    tagsets: Mapping[str, Sequence[str]],
    roles: Mapping[str, str],
    spec: ReportSpec,
    facts: RunFacts,
    folder: str,
    *,
    fresh: bool = False,
) -> dict[str, Any]:
    """Write `report.html`, `results.json`, `run.json` and `summary.md` below `folder`.

    Returns what the flow needs: gates, row counts, the location of the report, and the outcomes of
    what was drawn.
    """
    store = Store(store_url)
    parts = [read_results(store, path, spec.read_as) for path in summaries]
    validation = validation_of_shards(
        store,
        shards,
        facts.expectations,
        on_rejected=spec.on_rejected,
        shown=spec.rejected_shown,
        links=facts.links,
    )
    relations = [one for part in parts for one in part.relations]
    references = [one for part in parts for one in part.references]
    chosen = {one.layer: one.annotators[0] for one in references if one.is_single_annotator}
    account = account_of_run(store, shards, facts.layers, relations, roles, chosen)
    validation = validation.model_copy(update={"account": account})  # the gate on rows reads it
    influences = influences_table(one for part in parts for one in part.influences)
    now = read_influences(influences)
    earlier = {} if spec.is_release else facts.earlier
    gates, silent = gates_with_thresholds(store, spec.gates, now, earlier)
    spec = replace(spec, gates=gates)
    results, warnings = _results(store, shards, parts, validation, tagsets, roles, spec, facts)
    if not spec.is_release:
        store.write_table(f"{folder}/{INFLUENCES}", influences)
        keep_cells_beside(store, f"{folder}/{TABLES_FOLDER}", facts.layers)
        drift = changes_since_earlier_runs(now, earlier_influences(store, facts.earlier))
        alerts = [*drift_warnings(drift), *silent, *results.alerts]
        results = results.model_copy(update={"drift": drift, "alerts": alerts})
        warnings = [*drift_warnings(drift), *silent, *warnings]
    results = results.model_copy(update={"actions": actions_of(results)})
    if results.campaign.privacy:
        results = without_text(results)
    drawn = _write(store, results, spec, folder, facts.apart, fresh=fresh)
    if results.validation is not None and not spec.is_release:
        checked = gx_validation_result(
            results.validation.expectations, spec.expectations, spec.declared
        )
        store.write_json(f"{folder}/{VALIDATION_RESULT}", checked)
        store.write_json(f"{folder}/{SUITES}", gx_suites(checked))
    return outcome_of_run(results, warnings, account, store.location(f"{folder}/report.html")) | {
        "folder": folder,
        "drawn": drawn,
    }


assemble_task = task(name="report")(assemble)


def write_tables(
    store_url: str,
    shards: Sequence[ShardFacts],
    roles: Mapping[str, str],
    folder: str,
    *,
    campaign: str,
    is_release: bool,
) -> None:
    """Write the accepted and rejected rows of the campaign below `folder`."""
    # The bundle of an audit is published, so it contains no annotations.
    published = ("rejected", "assignments") if is_release else SCHEMAS
    write_accepted_of_campaign(
        Store(store_url),
        f"{folder}/{TABLES_FOLDER}",
        shards,
        published,
        roles,
        campaign=campaign,
    )


tables_task = task(name="write tables")(write_tables)


def _results(
    store: Store,
    shards: Sequence[ShardFacts],
    parts: Sequence[page.LayerResults],
    validation: page.Validation,
    tagsets: Mapping[str, Sequence[str]],
    roles: Mapping[str, str],
    spec: ReportSpec,
    facts: RunFacts,
) -> tuple[page.Results, list[CodedWarning]]:
    """Return the results document of the layers' summaries, and the warnings that a run prints."""
    campaign = page.Campaign(
        **spec.campaign, tagsets={name: list(tagset) for name, tagset in tagsets.items()}
    )
    annotators = annotators_of(store, shards, roles)
    release = facts.release
    if release is not None:
        release = release.model_copy(update={"missing": missing_statement(campaign)})
    *coverages, coverage = coverage_of(store, shards)
    measured = measured_fields(parts)
    for kind in ("items", "units"):
        measured[kind] = [bonferroni_corrected(one) for one in measured[kind]]
    keys = [shard.key for shard in shards]
    found = with_batches(store, shards, measured["disagreements"])
    references = measured["references"]
    measured["disagreements"] = with_decisions(store, keys, facts.layers, references, found)
    warnings = [
        *_document_warnings(shards),
        *(
            CodedWarning("not_as_expected", {"expectation": one.description, "table": one.table})
            for one in facts.expectations
            if not one.passed and one.severity != Severity.INFO
        ),
        *(one for part in parts for one in part.alerts),
        *(
            one
            for layer, tagset in tagsets.items()
            for one in warnings_on_similar_names("categories", tagset, layer=layer)
        ),
        *warnings_on_similar_names("annotators", (one.name for one in annotators)),
        *warnings_on_misnamed_humans(one.name for one in annotators if one.role == "human"),
        *_run_warnings(spec, validation, measured["units"]),
    ]
    batches = batches_of(
        store, shards, roles, guideline=campaign.guideline, guidelines=spec.guidelines
    )
    points = _main_or_gated(parts, spec.gates)
    results = page.Results(
        campaign=campaign,
        run=_run_facts(spec, facts),
        release=release,
        annotators=annotators,
        gates=[
            *judge_gates(
                spec.gates,
                values_of(page.Measured(**measured)),
                points,
                point_kinds_of_deliveries(batches),
                only_deliveries(store, shards, roles, spec.period),
            ),
            *facts.gates,
            *_gates_on_rows(spec, validation),
        ],
        coverage=coverage,
        coverages=coverages,
        batches=batches,
        paces=paces_of(store, keys, roles, spec.seed),
        validation=validation,
        history=[
            *(page.RunPoint(**point) for point in facts.history),
            *points,
        ],
        alerts=[
            *facts.notices,
            *warnings,
            *_warnings_stated_apart(validation, release),
        ],
        **measured,
    )
    return results, warnings


def _main_or_gated(
    parts: Sequence[page.LayerResults], gates: Sequence[GateSpec]
) -> list[page.RunPoint]:
    """Return the batches and periods of the main value of each part, and of values with gates."""
    chosen = {gate.measure for gate in gates}
    chosen |= {one.values[0].measure for part in parts for one in part.units if one.values}
    return [
        one
        for part in parts
        for one in part.points
        if part.relations or one.measure in {*chosen, part.points[0].measure}
    ]


def _run_facts(spec: ReportSpec, facts: RunFacts) -> page.Run:
    return page.Run(
        version=VERSION,
        input_hash=facts.input_hash,
        config_hash=spec.config_hash,
        seed=spec.seed,
        command=spec.command,
        started=facts.started,
        versions={name: version(name) for name in _PACKAGES} | plugin_versions(),
        inputs=dict(facts.inputs),
        stages=[page.Stage(**stage) for stage in facts.stages],
        changes=facts.since,
    )


def _document_warnings(shards: Sequence[ShardFacts]) -> list[CodedWarning]:
    n_refused = sum(shard.n_all_refused for shard in shards)
    n_unlike = sum(shard.n_counted_unlike for shard in shards)
    refused = [CodedWarning("all_refused", {"n": n_refused})] if n_refused else []
    return refused + ([CodedWarning("counted_unlike", {"n": n_unlike})] if n_unlike else [])


def _write(
    store: Store,
    results: page.Results,
    spec: ReportSpec,
    folder: str,
    apart: Sequence[Section],
    *,
    fresh: bool,
) -> list[Outcome]:
    """Write the page, document pages, results, and the table of values; return what was drawn."""
    results, drawn = write_document_pages(
        store,
        results,
        folder,
        most=spec.document_pages,
        drawn=spec.alignments_shown,
        language=spec.language,
        fresh=fresh,
    )
    html = render(results, language=spec.language, apart=apart)
    store.write_bytes(f"{folder}/report.html", html.encode())
    if spec.is_release:
        html = render_audit(results, language=spec.language)
        store.write_bytes(f"{folder}/{AUDIT_PAGE}", html.encode())
    store.write_bytes(f"{folder}/summary.md", markdown_summary(results).encode())
    lasting, circumstances = split_circumstances(results)
    store.write_bytes(f"{folder}/results.json", lasting.model_dump_json(indent=1).encode())
    store.write_bytes(f"{folder}/{CIRCUMSTANCES}", circumstances.model_dump_json(indent=1).encode())
    store.write_table(f"{folder}/values.parquet", values_table(results))
    return drawn


def _gates_on_rows(spec: ReportSpec, validation: page.Validation) -> list[page.Gate]:
    at_most = spec.rejected_at_most
    return [] if at_most is None else [gate_on_rejected_rows(at_most, validation)]


def _warnings_stated_apart(
    validation: page.Validation, release: page.Release | None
) -> list[CodedWarning]:
    """Warn of what the commands print in lines of their own: rejected rows, missing entries."""
    found = []
    if release is not None and release.missing:
        names = [
            *release.missing[:_MISSING_NAMED],
            *["…"] * (len(release.missing) > _MISSING_NAMED),
        ]
        found.append(CodedWarning("statement_incomplete", {"names": ", ".join(names)}))
    if validation.n_rejected:
        found.append(CodedWarning("rows_rejected", {"n": validation.n_rejected}))
    return found


def _run_warnings(
    spec: ReportSpec, validation: page.Validation, units: Sequence[page.UnitAgreement]
) -> list[CodedWarning]:
    found = []
    if validation.rejected_share > _MANY_REJECTED and spec.rejected_at_most is None:
        rule = validation.commonest_rule
        figures: Figures = {
            "n": validation.n_rejected,
            "total": validation.n_read,
            "share": validation.rejected_share,
            "rule": rule,
        }
        words = ("warning.many_rows_rejected", f"problem.{rule}")
        found.append(CodedWarning("many_rows_rejected", figures, words if rule in _RULES else ()))
    found += [
        CodedWarning("chance_imprecise", {"layer": part.layer, "precision": process.precision})
        for part in units
        for process in part.chance
        if process.chosen and process.precision > 0.05
    ]
    return found
