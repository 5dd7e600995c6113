"""A layer's reference, built in the open: its labels or units, what it covers, what is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from prefect import task

from data.store import Store, settings_hash
from metrics.agreement.label_matrix import LabelMatrix
from metrics.errors import MetricsError
from metrics.reference.adjudication import Case, Decision, adjudicate_labels, revise
from metrics.reference.dawid_skene import dawid_skene
from metrics.reference.glad import glad
from metrics.reference.mace import mace
from metrics.reference.minimax_entropy import minimax_entropy
from metrics.reference.result import SINGLE_ANNOTATOR, Reference
from metrics.reference.votes import majority, unanimity
from metrics.signature import VERSION
from metrics.unitizing.reasons import UNLABELLED_NAME
from reports import results as page
from reports.notices import notice
from tasks.cases import ITEM_SIGN, cases_of_labels, human_labels
from tasks.estimates import notice_of
from tasks.layers import LayerSpec
from tasks.units.alignment import DissimilaritySpec

MODELS = {"dawid_skene": dawid_skene, "glad": glad, "minimax_entropy": minimax_entropy}
_MOST_LISTED = 500


@dataclass(frozen=True, slots=True)
class ReferenceSettings:
    """How the reference is made, as plain values.

    decisions  (layer, decision) of the adjudication, in the order they were recorded
    privacy    the campaign keeps no text: nothing is released in formats that need it
    """

    rule: str = "majority"
    ties: str = "abstain"
    support: int | None = None
    bounds: str = "median"
    annotator: str | None = None
    decisions: tuple[tuple[str, Decision], ...] = ()
    seed: int = 0
    privacy: bool = False

    @property
    def name(self) -> str:
        """What systems are scored against, in the report."""
        return self.annotator or f"built: {self.rule.replace('_', ' ')}"

    def of_layer(self, layer: str) -> list[Decision]:
        return [decision for name, decision in self.decisions if name == layer]


@dataclass(slots=True)
class Built:
    """A layer's reference before it is written.

    rows       labels: document, item, label, confidence; units: document, start, end, category,
               support, confidence
    documents  those it speaks of
    """

    summary: page.ReferenceSummary
    rows: list[dict[str, Any]]
    documents: list[str]


LABEL_ROWS = pa.schema(
    [
        ("document", pa.string()),
        ("item", pa.string()),
        ("annotator", pa.string()),
        ("label", pa.string()),
        ("confidence", pa.float64()),
    ]
)
UNIT_ROWS = pa.schema(
    [
        ("document", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("category", pa.string()),
        ("support", pa.int64()),
        ("confidence", pa.float64()),
    ]
)
DOCUMENT_ROWS = pa.schema([("document", pa.string())])


def build_reference(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec | None,
    settings: ReferenceSettings,
    folder: str,
) -> str:
    """Build, write and release the reference of a layer; the path of its summary (JSON).

    The summary has `reference` (for the page) and `place` (Parquet that scoring reads); what is
    released goes below `folder`. Raises MetricsError for a rule that the layer does not allow.
    """
    from tasks.release import release
    from tasks.validity.reference_units import units_reference

    store = Store(store_url)
    if settings.annotator is not None and settings.annotator not in layer.humans:
        raise MetricsError(
            f"reference.annotator: {settings.annotator!r} is no human annotator of layer "
            f"{layer.name!r} ({', '.join(layer.humans) or 'nobody'}); a system cannot be the "
            "reference, and a curation has the role 'reference'"
        )
    built = (
        labels_reference(human_labels(store, keys, layer), layer, settings)
        if layer.is_labels
        else units_reference(store, keys, layer, dissimilarity or DissimilaritySpec(), settings)
    )
    key = settings_hash(list(keys), asdict(layer), asdict(settings), VERSION)
    place = f"references/{key}"
    schema = LABEL_ROWS if layer.is_labels else UNIT_ROWS
    table = pa.Table.from_pylist(built.rows, schema)
    documents = pa.table({"document": pa.array(built.documents, pa.string())}, DOCUMENT_ROWS)
    store.write_table(f"{place}/reference.parquet", table)
    store.write_table(f"{place}/documents.parquet", documents)
    release(store, keys, layer, built, settings, folder)
    return store.write_json(
        f"summaries/reference-{key}.json",
        {"reference": built.summary.model_dump(mode="json"), "place": place},
    )


def labels_reference(matrix: LabelMatrix, layer: LayerSpec, settings: ReferenceSettings) -> Built:
    """The reference of a layer of labels, with the decisions that apply."""
    chosen = matrix
    if settings.annotator is not None:
        column = matrix.annotators.index(settings.annotator)
        chosen = LabelMatrix(
            matrix.codes[:, column : column + 1],
            matrix.tagset,
            (settings.annotator,),
            documents=matrix.documents,
            items=matrix.items,
        )
    reference = by_rule(chosen, settings, ordered=is_ordered(layer))
    single = settings.annotator is not None  # taken as it is: no decision changes it
    cases = () if single else cases_of_labels(matrix, layer)
    decisions, stale = applicable(cases, [] if single else settings.of_layer(layer.name))
    decided = {decision.case for decision in decisions}
    if settings.rule == "adjudicated":
        n_ties = 0
        reference, _ = adjudicate_labels(reference, cases, decisions)
    elif decided:
        n_ties = _ties_left(reference, cases, decided)
        kept = replace(reference, detail=dict(reference.detail))
        reference, _ = adjudicate_labels(
            kept, [case for case in cases if case.case in decided], decisions
        )
        reference = replace(reference, warnings=kept.warnings)
    else:
        n_ties = reference.n_ties
    rows = []
    names = [name.split(ITEM_SIGN, 1) for name in matrix.items]
    for i in np.nonzero(~reference.unresolved)[0].tolist():
        document, item = names[i]
        rows.append(
            {
                "document": document,
                "item": item,
                "annotator": settings.name,
                "label": matrix.tagset[int(reference.codes[i])],
                "confidence": float(reference.confidence[i]),
            }
        )
    unresolved = np.nonzero(reference.unresolved)[0].tolist()
    summary = page.ReferenceSummary(
        layer=layer.name,
        rule=settings.rule,
        annotators=list(reference.annotators),
        n_items=reference.n_items,
        n_resolved=reference.n_resolved,
        n_ties=n_ties,
        n_unresolved=reference.n_unresolved,
        unresolved=[", ".join(names[i]) for i in unresolved[:_MOST_LISTED]],
        warnings=[*(notice_of(one) for one in reference.warnings), *stale],
        history=history(cases, decisions),
        is_single_annotator=reference.is_single_annotator,
    )
    return Built(summary, rows, list(dict.fromkeys(document for document, _ in names)))


def by_rule(matrix: LabelMatrix, settings: ReferenceSettings, *, ordered: bool) -> Reference:
    """The reference of labels by the rule; `adjudicated` and `annotator` begin from the majority.

    Raises MetricsError for ties that the categories do not allow, or too few labels for a model.
    """
    if settings.rule == "unanimity":
        return unanimity(matrix)
    if settings.rule == "mace":
        return mace(matrix, seed=settings.seed).reference
    if settings.rule in MODELS:
        return MODELS[settings.rule](matrix).reference
    return majority(
        matrix,
        ties=settings.ties,  # type: ignore[arg-type]  # checked by the campaign file
        ordered=ordered,
        seed=settings.seed,
    )


def is_ordered(layer: LayerSpec) -> bool:
    return layer.distance in ("ordinal", "interval", "ratio")


def applicable(
    cases: Sequence[Case], decisions: Sequence[Decision]
) -> tuple[list[Decision], list[page.Notice]]:
    """The decisions on cases that still exist, and a warning of the others."""
    known = {case.case for case in cases}
    kept = [decision for decision in decisions if decision.case in known]
    n_stale = len(decisions) - len(kept)
    if not n_stale:
        return kept, []
    return kept, [notice("stale_decisions", n=n_stale)]


def history(cases: Sequence[Case], decisions: Sequence[Decision]) -> list[dict[str, str]]:
    """Every decision with who, when and why, in order of time."""
    of = {case.case: case for case in cases}
    return [
        {
            "document": of[decision.case].document,
            "item": of[decision.case].where,
            "decision": described(decision),
            "by": decision.who,
            "when": decision.when,
            "why": decision.why,
        }
        for decision in revise(cases, decisions).history
    ]


def described(decision: Decision) -> str:
    if not decision.keep:
        return "(nothing)"
    bounds = "" if np.isnan(decision.start) else f" {decision.start:g}–{decision.end:g}"
    return f"{decision.category or UNLABELLED_NAME}{bounds}"


def _ties_left(reference: Reference, cases: Sequence[Case], decided: set[str]) -> int:
    """Ties that nobody decided on: an undecided case whose commonest labels are as common."""
    n = 0
    for case in cases:
        given = [said.category for said in case.said.values()]
        counts = sorted((given.count(category) for category in set(given)), reverse=True)
        n += case.case not in decided and len(counts) > 1 and counts[0] == counts[1]
    return n


def curation_summary(store_url: str, keys: Sequence[str], layer: LayerSpec, reference: str) -> str:
    """What a curation (an annotator with the role reference) covers; the path of its summary."""
    from tasks.layers import continua_of, label_rows, matrix_of

    store = Store(store_url)
    if layer.is_labels:
        columns = [reference, *layer.humans]
        rows = pa.concat_tables([label_rows(store, key, layer, columns) for key in keys])
        matrix = matrix_of(rows, layer, columns, "reference")
        n_items, n_resolved = matrix.n_items, int((matrix.codes[:, 0] >= 0).sum())
        open_ = [matrix.items[i] for i in np.nonzero(matrix.codes[:, 0] < 0)[0].tolist()]
        unresolved = [", ".join(name.split(ITEM_SIGN, 1)) for name in open_]
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
        unresolved=unresolved[:_MOST_LISTED],
        warnings=warnings,
    )
    key = settings_hash(list(keys), asdict(layer), reference, VERSION)
    return store.write_json(
        f"summaries/curation-{key}.json", {"reference": summary.model_dump(mode="json")}
    )


def single_annotator_warning(settings: ReferenceSettings) -> list[page.Notice]:
    return [notice_of(SINGLE_ANNOTATOR)] if settings.annotator is not None else []


@task(name="build reference", task_run_name="build reference {layer.name}")
def build_reference_task(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec | None,
    settings: ReferenceSettings,
    folder: str,
) -> str:
    return build_reference(store_url, keys, layer, dissimilarity, settings, folder)
