"""γ of a layer: the value, its documents, batches and periods, and the worst alignments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.annotator_sample import few_annotators_finding
from ...metrics.agreement.diagnosis.annotator_findings import annotator_without_shared_category
from ...metrics.agreement.diagnosis.diagnose import (
    atoms_against_gamma,
    few_documents_with_units,
    few_units,
)
from ...metrics.annotator_checks import no_overlap_finding
from ...metrics.chance.chance_samples import ExpectedDisorder
from ...metrics.chance.corpus import Corpus, continua_of_corpus
from ...metrics.chance.expected_disorder import mean_units_by_n_annotators
from ...metrics.chance.sample_plan import expected_disorder_of_samples
from ...metrics.coded_warning import CodedWarning, Finding
from ...metrics.estimate import Estimate
from ...metrics.influence import Influences
from ...metrics.reason import Reason, ReasonCode
from ...metrics.units.breakdown import FEWEST_UNITS
from ...metrics.units.disorder_by_cause import error_costs
from ...metrics.units.found_units import found_estimates, how_found
from ...metrics.units.gamma import evaluate_gamma
from ...metrics.units.gamma_from_counts import (
    gamma_influences,
    gamma_of_counts,
    gamma_values_of_documents,
)
from ...metrics.units.observed import Observed
from ...reports import results as page
from ...reports.costliest_disagreements import MOST_DISCUSSED
from ..batches_and_periods import points_of_groups, with_periods
from ..confused_categories import confused_pairs
from ..influences import MOST_DOCUMENTS, influences_of_layer
from ..inputs.data_warnings import warnings_on_unknown_lengths
from ..named_estimates import MOST_NAMED_DOCUMENTS, named_estimates
from .alignment import (
    read_category_use,
    read_confused_categories,
    read_disorder_by_cause,
    read_found_rows,
    read_observed,
)
from .atoms import atom_matrix
from .category_use import unit_distribution
from .effects_and_causes import causes_of_units, effects_of_omitted_batches
from .unit_work import UnitWork
from .values_besides_gamma import values_besides_gamma_of_documents
from .worst_documents import drawings_of_documents, unit_disagreements

_MOST_SAMPLES = 1000

# (process, number of annotators, rows of total, weight and gap)
Samples = Sequence[tuple[str, int, Sequence[Sequence[float]]]]


def gamma_of_layer(store: Store, work: UnitWork, samples: Samples) -> page.LayerResults:
    """Compute the results of the layer, except its parts (`tasks.units.values_besides_gamma`)."""
    layer, settings = work.layer, work.settings
    observed, corpus = read_observed(store, work.places), work.corpus(store)
    summary = page.UnitAgreement(
        layer=layer.name,
        tagset=list(layer.tagset),
        annotators=list(layer.humans),
        n_units=0 if corpus is None else corpus.n_units,
        n_unpaired=0 if observed is None else observed.n_unpaired_units,
        n_documents=0 if observed is None else observed.n_documents,
        values=[],
    )
    if observed is None or corpus is None:
        reason = Reason(ReasonCode.NO_FINISHED_DOCUMENT)
        undefined = Estimate("gamma", math.nan, reason=reason)
        return page.LayerResults(
            units=[summary.model_copy(update={"values": [undefined]})],
            alerts=_informative_documents(work),
        )
    expected = _expected(work, corpus, samples)
    documents = _document_table(store, work)
    value, per_document, chance = _gamma(work, observed, expected, corpus, documents)
    n_drawn = max(MOST_DISCUSSED, settings.alignments_kept)
    drawn = drawings_of_documents(
        store,
        layer,
        {one.key: one.place for one in work.shards},
        _worst_documents(documents, n_drawn),
    )
    summary = summary.model_copy(
        update={
            "values": [value],
            "chance": _chance_processes(expected),
            "observed_disorder": value.observed,
            "error_costs": list(error_costs(read_disorder_by_cause(store, work.places), value)),
            "explained": found_estimates(
                read_found_rows(store, work.places),
                work.gamma,
                how=how_found(value),
                new_annotators=work.is_for_new_annotators,
            ),
            "per_document": named_estimates(per_document),
            "n_part_documents": work.n_part_documents(corpus),
            "findings": _gamma_findings(store, work, value),
            "alignments": drawn[: settings.alignments_kept],
        }
    )
    points: list[page.RunPoint] = []
    influences: list[page.LayerInfluences] = []
    if expected is not None:
        names = np.array(documents["document"].to_pylist(), dtype=str)

        def of_documents(those: NDArray[np.int64]) -> Influences:
            of_chance = None if chance is None else chance[those]
            return gamma_influences(
                observed.select_documents(those), expected, of_chance, names[those]
            )

        effects = effects_of_omitted_batches(of_documents, documents, value.measure)
        summary = summary.model_copy(update={"effects": effects})
        if names.size <= MOST_DOCUMENTS:
            own = of_documents(np.arange(names.size))
            influences = influences_of_layer(layer.name, value.measure, own)
        causes = causes_of_units(store, work, corpus, observed, expected, documents)
        summary = summary.model_copy(update=causes)
        besides = values_besides_gamma_of_documents(store, work, corpus, value)
        points = list(
            points_of_groups(
                with_periods(documents, settings.period),
                documents["document"].combine_chunks(),
                layer.name,
                lambda those: [
                    gamma_of_counts(
                        observed.select_documents(those),
                        expected,
                        **work.gamma.arguments,
                        lone_unit=work.metric.delta_empty,
                    ),
                    *besides(those),
                ],
            )
        )
    usage = read_category_use(store, work.places)
    return page.LayerResults(
        units=[summary],
        disagreements=unit_disagreements(drawn[:MOST_DISCUSSED], layer),
        repairs=_repairs(store, work),
        distributions=[unit_distribution(layer, usage, documents)],
        points=points,
        influences=influences,
        alerts=[*_informative_documents(work), *_unknown_lengths(work, corpus)],
    )


def _repairs(store: Store, work: UnitWork) -> list[page.Repair]:
    pairs = read_confused_categories(store, work.places)
    return [] if pairs is None else confused_pairs(work.layer.name, work.layer.tagset, pairs)


def _unknown_lengths(work: UnitWork, corpus: Corpus) -> list[CodedWarning]:
    """Warn of each kind of measure that uses the lengths of documents if some are unknown."""
    n_unknown = int((~corpus.lengths_given).sum())
    found = [
        warning
        for measure in ("gamma", *work.settings.measures)
        for warning in warnings_on_unknown_lengths(
            n_unknown, measure, work.measure(measure).chance_models(corpus)
        )
    ]
    return list({warning.code: warning for warning in found}.values())


def _informative_documents(work: UnitWork) -> list[CodedWarning]:
    """That documents chosen because they are informative take no part, and how many."""
    n = sum(shard.facts["n_adaptive"] for shard in work.shards) if work.layer.adaptive else 0
    if not n:
        return []
    return [CodedWarning("adaptive_documents", {"layer": work.layer.name, "n": n})]


def _expected(work: UnitWork, corpus: Corpus, samples: Samples) -> ExpectedDisorder | None:
    if not samples:
        return None
    kept: dict[Any, Any] = {
        (process, n): np.array(rows, dtype=np.float64).reshape(-1, 3)
        for process, n, rows in samples
    }
    return expected_disorder_of_samples(
        kept, shares=mean_units_by_n_annotators(corpus), precision=work.gamma.precision
    )


def _document_table(store: Store, work: UnitWork) -> pa.Table:
    """Return document, disorder, batch and time of every document, in the order of the counts."""
    columns = ["document", "disorder", "batch", "time"]
    paths = [f"{place}/alignments.parquet" for place in work.places]
    return pa.concat_tables([store.read_table(path, columns=columns) for path in paths])


def _worst_documents(documents: pa.Table, most: int) -> list[str]:
    """Return the names of the `most` documents with the highest defined disorder."""
    known = documents.filter(pc.is_valid(documents["disorder"]))
    order = [("disorder", "descending"), ("document", "ascending")]
    found = pc.sort_indices(known, order).slice(0, most)
    return list(known["document"].take(found).to_pylist())


def _gamma(
    work: UnitWork,
    observed: Observed,
    expected: ExpectedDisorder | None,
    corpus: Corpus,
    documents: pa.Table,
) -> tuple[Estimate, list[tuple[str, Estimate]], NDArray[np.float64] | None]:
    """Return γ, the lowest γ of documents, and each document's part of the expected disorder."""
    if expected is None:
        reason = Reason(ReasonCode.NO_COMPARED_DOCUMENT)
        return Estimate("gamma", math.nan, reason=reason), [], None
    least = np.argsort(gamma_values_of_documents(observed, expected), kind="stable")[
        :MOST_NAMED_DOCUMENTS
    ]
    value, estimates, chance = evaluate_gamma(
        corpus, observed, expected, work.metric, work.gamma, documents=least.tolist()
    )
    continua = continua_of_corpus(corpus)
    [value] = work.measure("gamma").with_wanted_intervals([value], continua, expected)
    names = documents["document"].take(least).to_pylist()
    return value, list(zip(names, estimates, strict=True)), chance


def _chance_processes(
    expected: ExpectedDisorder | None,
) -> list[page.ChanceProcess]:
    if expected is None:
        return []
    found = []
    for process in dict.fromkeys(sample.process for sample in expected.samples):
        samples = [sample for sample in expected.samples if sample.process == process]
        disorders = np.concatenate([sample.disorders for sample in samples])
        found.append(
            page.ChanceProcess(
                process=process,
                n_samples=sum(sample.n for sample in samples),
                mean=expected.value_under_process(process),
                standard_deviation=float(disorders.std(ddof=1)) if disorders.size > 1 else math.nan,
                precision=max(sample.precision for sample in samples),
                samples=disorders[:_MOST_SAMPLES].tolist(),
                chosen=process == expected.process,
            )
        )
    return found


def _gamma_findings(store: Store, work: UnitWork, gamma: Estimate) -> list[Finding]:
    """Return findings: few units, or an outlier annotator, few documents, and κ on atoms."""
    continua = work.sampled_continua(store)
    warnings = (few_units(gamma, FEWEST_UNITS), no_overlap_finding(continua))
    serious = [one.as_serious() for one in warnings if one is not None]
    sampled = few_annotators_finding(gamma)
    serious += [sampled] if sampled else []
    if warnings[0] is not None:
        return serious
    atoms = atom_matrix(continua, work.layer.humans)
    layer = work.layer
    given = np.zeros((len(layer.humans), len(layer.tagset) + 1), dtype=np.int64)
    for of_people, _ in read_category_use(store, work.places):
        given += of_people
    found = [
        annotator_without_shared_category(given[:, :-1], layer.humans, layer.tagset),
        few_documents_with_units(gamma),
        atoms_against_gamma(atoms, gamma) if atoms.n_items else None,
    ]
    return [*serious, *(one for one in found if one is not None)]
