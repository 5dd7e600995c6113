"""Adjudication of the last run's disagreements: list them, and record decisions with a history.

In the store, `adjudication/last-run.json` describes the last run, so that its disagreements can be
listed, and each `adjudication/decisions-NNNN.json` keeps the decisions of one imported file. No
decision is ever deleted; the latest decision on a case applies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ....data.errors import DataError
from ....data.schema import Assignment, Label, Record, State, Unit
from ....data.store.sealed_json import read_sealed, write_sealed
from ....data.store.store import Store
from ....metrics.references.adjudication import Decision, match_decisions, require_valid_decision
from ....metrics.references.disagreement_cases import Case
from ....reports.language import Language
from ....reports.mistakes import MESSAGES, likelihood_text, reason_sentence
from ....tasks.layers import LayerSpec
from ....tasks.mistakes.mistake_tables import NO_TABLES, read_verdicts_and_audits_of_campaign
from ....tasks.mistakes.mistakes_of_run import can_have_queue, mistakes_of_layer
from ....tasks.options import MistakeOptions
from ....tasks.references.decided_cases import decided_cases, place_of
from ....tasks.references.disagreement_cases import decided_places, layer_cases
from ....tasks.references.release import documents_as_records
from ....tasks.units.alignment import DissimilaritySpec
from .decisions import (
    LAST_RUN,
    CaseKey,
    Decisions,
    decision_files,
    read_record,
    require_known_layers,
    write_decisions,
)


@dataclass(frozen=True, slots=True)
class LastRun:
    """Inputs of the last run: shards, layers, and dissimilarities of layers of units.

    without_cases  layers of relations and objects, which have no cases
    """

    keys: list[str]
    layers: list[LayerSpec]
    dissimilarities: dict[str, DissimilaritySpec]
    without_cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of importing decisions: number of new ones, and of decided cases; open cases."""

    n_new: int
    n_decided: int
    open: tuple[Case, ...]


def remember_run(
    store: Store,
    keys: Sequence[str],
    layers: Sequence[LayerSpec],
    dissimilarities: Mapping[str, DissimilaritySpec],
    without_cases: Sequence[str] = (),
) -> None:
    """Store what a run measured, for `accordeur adjudicate`."""
    content = {
        "keys": list(keys),
        "layers": [asdict(layer) for layer in layers],
        "dissimilarities": {name: asdict(spec) for name, spec in dissimilarities.items()},
        "without_cases": list(without_cases),
    }
    write_sealed(store, LAST_RUN, content)


def last_run(store: Store) -> LastRun:
    """Return the last run. Raises DataError if there is none."""
    run = read_last_run(store)
    if run is None:
        raise DataError(
            f"the store {store.url} holds no run, or its last run is damaged: disagreements and "
            "alignments come from the last run, so run the campaign first (accordeur run)"
        )
    return run


def read_last_run(store: Store) -> LastRun | None:
    """Return the last run; None if there is none or its record is damaged."""
    sealed = read_sealed(store, LAST_RUN)
    if sealed is None:
        return None
    content = sealed.content
    return LastRun(
        content["keys"],
        [_layer_of_json(one) for one in content["layers"]],
        {name: DissimilaritySpec(**one) for name, one in content["dissimilarities"].items()},
        tuple(content.get("without_cases", ())),  # not in those of version 0.2.0
    )


def _layer_of_json(content: dict[str, Any]) -> LayerSpec:
    lists = {name: tuple(one) for name, one in content.items() if isinstance(one, list)}
    table = content["distances"]
    distances = None if table is None else tuple(tuple(row) for row in table)
    return LayerSpec(**{**content, **lists, "distances": distances})


def all_cases(store: Store, run: LastRun) -> list[Case]:
    """Return all disagreements between humans, highest cost first, over all layers."""
    cases: list[Case] = []
    for layer in run.layers:
        if len(layer.humans) > 1:
            spec = run.dissimilarities.get(layer.name, DissimilaritySpec())
            cases += layer_cases(store, run.keys, layer, spec)
    cases.sort(key=lambda case: (-case.cost, case.layer, case.document, case.where))
    return cases


def decided_by_references(store: Store, run: LastRun, cases: Sequence[Case]) -> set[str]:
    """Return the keys of the cases that a reference among the annotators decides."""
    places = {
        layer.name: decided_places(store, run.keys, layer)
        for layer in run.layers
        if layer.references
    }
    return {
        case.case
        for case in cases
        if (case.document, case.where if math.isnan(case.bounds[0]) else "")
        in places.get(case.layer, ())
    }


def describe_probable_errors(
    store: Store, run: LastRun, options: MistakeOptions, shown_as: Callable[[str], str]
) -> dict[CaseKey, str]:
    """Describe the probable errors of each (layer, case), in order of probability.

    Raises DataError if no layer has the required three annotators, and for tables of verdicts or
    audited items that cannot be read.
    """
    layers = [layer for layer in run.layers if can_have_queue(layer)]
    if not layers:
        raise DataError(
            "--probable-errors needs a layer with three annotators or more: if only two differ, "
            "nothing shows which one is wrong"
        )
    say = Language("en", MESSAGES)
    found: dict[CaseKey, list[str]] = {}
    tables = read_verdicts_and_audits_of_campaign(options, layers, shown_as)
    queues = [
        mistakes_of_layer(
            store,
            run.keys,
            one,
            run.dissimilarities.get(one.name),
            options,
            tables=tables.get(one.name, NO_TABLES),
            most=None,
            with_references=False,  # the adjudication makes a reference of its own
        )
        for one in layers
    ]
    mistakes = [(queue, one) for queue in queues for one in queue.mistakes]
    for queue, one in sorted(mistakes, key=lambda pair: (pair[1].systematic, -pair[1].probability)):
        likely = likelihood_text(say, queue, one.probability, systematic=one.systematic)
        label = one.label or say("mistakes.nothing")
        words = f"{', '.join(one.annotators)}: {label} ({likely}). {reason_sentence(say, one)}"
        found.setdefault((queue.layer, one.case), []).append(words)
    return {key: " ".join(words) for key, words in found.items()}


def recorded_decisions(store: Store) -> Decisions:
    """Return all recorded decisions, in the order they were read."""
    found: Decisions = []
    for path in decision_files(store):
        found += [_decision_of_row(row) for row in read_record(store, path)]
    return found


def import_decisions(
    store: Store, decisions: Decisions, other_names: Mapping[str, str] = {}
) -> Outcome:
    """Check decisions against the last run's disagreements and record the new ones.

    other_names  annotator → name in the exports, which files of version 0.2.0 may contain

    Raises DataError for an unknown layer or case, MetricsError for a category outside the tagset,
    an end that is not after its start, or a decision without who or when; then nothing is recorded.
    """
    run = last_run(store)
    layers = {layer.name: layer for layer in run.layers}
    cases = all_cases(store, run)
    require_known_layers(decisions, layers)
    for name, decision in decisions:
        require_valid_decision(decision, layers[name].tagset, called=place_of(decision))
    found, lost = on_present_cases(cases, decisions, other_names)
    if lost:
        _, decision = lost[0]
        raise DataError(
            f"a decision by {decision.who!r} is on {place_of(decision)}, which is not in the "
            "list of disagreements of the last run: correct its case, or list them again"
        )
    match_decisions(cases, [decision for _, decision in found])
    before, _ = on_present_cases(cases, recorded_decisions(store), other_names)
    known = {decision_key(*one) for one in before}
    new = [one for one in found if decision_key(*one) not in known]
    if new:
        write_decisions(store, [_json_row(*one) for one in new])
    settled = {decision.case for _, decision in (*before, *new)}
    settled |= decided_by_references(store, run, cases)
    open_ = tuple(case for case in cases if case.case not in settled)
    return Outcome(len(new), len(cases) - len(open_), open_)


def on_present_cases(
    cases: Sequence[Case], decisions: Decisions, other_names: Mapping[str, str]
) -> tuple[Decisions, Decisions]:
    """Return the decisions under the keys of their cases, and those that are on none.

    other_names  annotator → name in the exports, which records of version 0.2.0 may contain
    """
    found: Decisions = []
    lost: Decisions = []
    for name in dict.fromkeys(layer for layer, _ in decisions):
        of_layer = [case for case in cases if case.layer == name]
        of_name = decided_cases(
            of_layer,
            [decision for layer, decision in decisions if layer == name],
            documents={case.document for case in of_layer},
            other_names=other_names,
        )
        found += [(name, decision) for decision in of_name.decisions]
        lost += [(name, decision) for _, decision in of_name.lost]
    return found, lost


def decision_key(layer: str, decision: Decision) -> tuple[str, ...]:
    """Return a key that is equal for two copies of the same decision."""
    return (layer, *(str(value) for value in asdict(decision).values()))


def _json_row(layer: str, decision: Decision) -> dict[str, Any]:
    row = {"layer": layer, **asdict(decision)}
    if math.isnan(decision.bounds[0]):
        row["bounds"] = None
    row["fragments"] = row["fragments"] or None
    return {
        key: None if isinstance(value, float) and math.isnan(value) else value
        for key, value in row.items()
    }


def _decision_of_row(row: Mapping[str, Any]) -> tuple[str, Decision]:
    values = {key: value for key, value in row.items() if value is not None and key != "layer"}
    if "bounds" in values:
        values["bounds"] = tuple(values["bounds"])
    if "fragments" in values:
        values["fragments"] = tuple((start, end) for start, end in values["fragments"])
    return row["layer"], Decision(**values)


def require_layers_of_categories(run: LastRun) -> None:
    """Raise DataError unless a category tells its layer of units, as a tool without layers needs.

    Else decisions could not be read back.
    """
    layers_of: dict[str, list[str]] = {}
    for layer in run.layers:
        for category in layer.tagset if not layer.is_labels and len(layer.humans) > 1 else ():
            layers_of.setdefault(category, []).append(layer.name)
    shared = next((one for one in layers_of.items() if len(one[1]) > 1), None)
    if shared is not None:
        raise DataError(
            f"brat has no layers, and the category {shared[0]!r} is in the layers "
            f"{' and '.join(shared[1])}, so that decisions could not be read back: use "
            "--to csv, label_studio or inception_xmi"
        )


def disagreement_records(
    store: Store, run: LastRun, cases: Sequence[Case], *, labels: bool
) -> tuple[list[Record], int]:
    """Return the annotations in disagreements as records for an annotation tool.

    labels  whether the tool supports labels of items

    Also returns the number of cases that the tool cannot show.
    """
    layers = {layer.name: layer for layer in run.layers}
    shown = [case for case in cases if labels or not layers[case.layer].is_labels]
    documents = list(dict.fromkeys(case.document for case in shown))
    records: list[Record] = list(documents_as_records(store, run.keys, documents))
    hands: dict[tuple[str, str], None] = {}
    for number, case in enumerate(shown, 1):
        for name, said in case.said.items():
            hands[case.document, name] = None
            if layers[case.layer].is_labels:
                labels_said = layers[case.layer].labels_in_category(said.category)
                records.append(Label(case.document, case.where, name, labels_said, case.layer))
            elif not math.isnan(said.start):
                notes = (("case", str(number)), ("cost", f"{case.cost:.4g}"))
                records.append(
                    Unit(
                        case.document,
                        name,
                        f"{name}-{number}",
                        int(said.start),
                        int(said.end),
                        said.category,
                        case.layer,
                        fragments=said.fragments,
                        attributes=notes,
                    )
                )
    records += [Assignment(document, name, state=State.FINISHED) for document, name in hands]
    return records, len(cases) - len(shown)
