"""The check of systems that judge: the parts of the report, from labels of exports or of a run.

The parts are computed as `agree`, `score`, `estimate` and `replace` compute them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.replacement.replacement_options import PanelOptions
from ...reports import results as page
from ...reports.results import GateOutcome
from ...reports.results.judges import Candidate, JudgeReport, JudgeVerdict
from ..inputs.assessment_options import EstimateOptions, ReplaceOptions
from ..prevalence.corpus_estimates import estimate_corpus
from ..prevalence.corpus_labels import corpus_labels, with_scale
from ..replacement.judged_layers import judge_systems_on_labels
from .bars import Bars, judge_by_bars
from .candidate_agreement import (
    OF_MANY,
    candidate_agreement,
    human_ratings,
    rating_agreement_of_candidates,
)
from .judge_scores import differences, evaluate_scores, scores_by_system
from .judged_labels import JudgedLabels, rating_values
from .slices import values_by_slice


def judge_report(judged: JudgedLabels) -> tuple[JudgeReport, list[CodedWarning]]:
    """Compute everything but the verdicts, and the warnings on the scores."""
    evaluation = evaluate_scores(judged)
    found = JudgeReport(
        layer=judged.layer.name,
        annotators=list(judged.layer.humans),
        systems=list(judged.systems),
        agreement=_human_agreement(judged),
        candidates=candidate_agreement(
            judged.resampled,
            judged.systems,
            measures=judged.measures,
            distance=judged.distance,
            sampling=judged.sampling,
        ),
        human_ratings=_human_ratings(judged),
        ratings=_ratings(judged),
        reference=judged.reference_name,
        n_reference=int((judged.reference >= 0).sum()),
        n_items=judged.matrix.n_items,
        n_unlabelled_by_humans=judged.n_unlabelled_by_humans,
        scores=scores_by_system(judged, evaluation),
        differences=differences(judged, evaluation),
        corrected=_corrected(judged),
        replacement=_replacement(judged),
        slices=values_by_slice(judged, judged.given.slices) if judged.given.slices else [],
        verdicts=[],
    )
    warnings = [
        notice
        for system, one in evaluation.systems.items()
        for notice in one.documents.notices(system)
    ]
    return found, warnings


def with_verdicts(found: JudgeReport, bars: Bars | None) -> JudgeReport:
    """Add the verdict on each system: by the bars, else by whether it may replace an annotator.

    Raises DataError for a bar on a value that is not computed.
    """
    values, n_labelled = list(_values(found)), found.n_items - found.n_unlabelled_by_humans
    verdicts = [
        _verdict_by_replacement(found.replacement, system)
        if bars is None
        else judge_by_bars(bars.bars, values, system, n_labelled)
        for system in found.systems
    ]
    stated = {} if bars is None else {"bars_file": bars.file, "bars_hash": bars.digest}
    return found.model_copy(update={"verdicts": verdicts, **stated})


def _human_agreement(judged: JudgedLabels) -> list[Estimate]:
    """Return the agreement of the humans, as `accordeur agree` has it; [] with one human."""
    measured = judged.given.measured
    if measured is None:
        return []
    many = measured.n_annotators > 2
    measures = [OF_MANY.get(one, one) if many else one for one in judged.measures]
    found = evaluate_matrix(
        measured, measures=measures, distance=judged.distance, sampling=judged.sampling
    )
    return add_reading_settings(found, judged.given.reading)


def _ratings(judged: JudgedLabels) -> list[Candidate]:
    numbers = rating_values(judged.layer.tagset)
    if numbers is None:
        return []
    return rating_agreement_of_candidates(
        judged.resampled, judged.systems, numbers, judged.sampling
    )


def _human_ratings(judged: JudgedLabels) -> list[Estimate]:
    numbers = rating_values(judged.layer.tagset)
    return [] if numbers is None else human_ratings(judged.resampled, numbers, judged.sampling)


def _corrected(judged: JudgedLabels) -> page.CorpusEstimates | None:
    """Return shares of the corpus, if the items that humans labelled are a random part."""
    if not judged.options.audit_is_random:
        return None
    options = EstimateOptions(
        confidence_level=judged.sampling.confidence_level,
        audit_is_random=True,
        drawn_by=judged.options.drawn_by,
    )
    matrix = judged.resampled
    own = corpus_labels(matrix, judged.systems, options.target, ordered=with_scale(judged.layer))
    return estimate_corpus(matrix, own, options, random_by="declared", layer="")


def _replacement(judged: JudgedLabels) -> page.Replacement:
    """Return the alt-test, the panel's verdict, and the checks that the data allow."""
    own = {field.name: getattr(judged.options, field.name) for field in fields(PanelOptions)}
    sampling = judged.sampling
    options = ReplaceOptions(**own, replicates=sampling.replicates, seed=sampling.seed)
    return judge_systems_on_labels(
        judged.matrix,
        judged.given.later,
        replace(judged.layer, distance="nominal", distances=None),
        options,
        presence=judged.presence,
        batches=judged.given.batches,
        lengths=judged.given.lengths,
        with_documents=judged.given.names_documents,
    )


def _values(found: JudgeReport) -> Iterator[tuple[str, str, Estimate]]:
    """Yield every value that a bar can be on: its system, category or "", and value."""
    for candidate in (*found.candidates, *found.ratings):
        yield from ((candidate.system, "", one.mean) for one in candidate.measures)
    for scores in found.scores:
        yield from ((scores.system, "", one) for one in (*scores.values, *scores.confidence))
        for part in scores.categories:
            yield from ((scores.system, part.category, one) for one in part.values)
    if found.corrected is not None:
        yield from found.corrected.values()
    for judged in found.replacement.systems:
        yield from ((judged.system, "", one) for one in (*judged.values, *judged.checks))


def _verdict_by_replacement(found: page.Replacement, system: str) -> JudgeVerdict:
    """Return the verdict without bars: whether the system may replace an annotator."""
    outcomes = {
        "may": GateOutcome.passed,
        "may_not": GateOutcome.failed,
        "undecided": GateOutcome.undecided,
    }
    [verdict] = (one.verdict for one in found.systems if one.system == system)
    return JudgeVerdict(system=system, outcome=outcomes[verdict], by="replacement")
