"""`accordeur judge`: systems that judge, checked against the humans who label the same items.

The parts are computed as `agree`, `score`, `estimate` and `replace` compute them, from one reading
of the exports.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path

from ...data.readers.tables.given import Given
from ...metrics.agreement.distances import category_values
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.rating_pairs import MOST_VALUES
from ...metrics.arrays import Floats
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.replacement.replacement_options import PanelOptions
from ...reports import results as page
from ...reports.results import GateOutcome
from ...reports.results.judges import (
    Candidate,
    JudgeReport,
    JudgeVerdict,
)
from ..inputs.assessment_options import EstimateOptions, JudgeOptions, ReplaceOptions
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportSummary
from ..prevalence.corpus_estimates import estimate_corpus
from ..prevalence.corpus_labels import corpus_labels, with_scale
from ..replacement.judge_checks import read_lengths
from ..replacement.judged_layers import batches_of_layer, judge_systems_on_labels, later_labels
from ..scores.evaluation import Evaluation
from .bars import judge_by_bars, read_bars
from .candidate_agreement import (
    NOMINAL,
    OF_MANY,
    ORDERED,
    candidate_agreement,
    human_ratings,
    rating_agreement_of_candidates,
)
from .judge_scores import differences, evaluate_scores, scores_by_system
from .judged_labels import PANEL, JudgedLabels, read_judged_labels

FEWEST_RATINGS = 3  # different numbers; two are categories


def judge_exports(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: JudgeOptions,
) -> ExportSummary[JudgeReport]:
    """Check systems against the humans of an export of labels.

    systems  names; none: those that the export or `reading` has as systems

    Raises DataError for a system without labels, if there is no system or no human, for items with
    several labels, for an unknown reference, and for a bar on a value that is not computed.
    """
    bars = None if options.bars is None else read_bars(Path(options.bars))
    judged = read_judged_labels(paths, systems, reading, options)
    evaluation = evaluate_scores(judged)
    found = JudgeReport(
        annotators=list(judged.layer.humans),
        systems=list(judged.systems),
        agreement=_human_agreement(judged),
        candidates=_candidates(judged),
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
        verdicts=[],
        bars_file="" if bars is None else bars.file,
        bars_hash="" if bars is None else bars.digest,
    )
    values = list(_values(found))
    verdicts = [
        _verdict_by_replacement(found.replacement, system)
        if bars is None
        else judge_by_bars(bars.bars, values, system)
        for system in found.systems
    ]
    account = judged.labels.account(judged.labels.rows(), fewest=1)
    return ExportSummary(
        found.model_copy(update={"verdicts": verdicts}),
        account.rows,
        account.rejected,
        [*judged.labels.warnings(), *_warnings(evaluation)],
    )


def _measures(options: JudgeOptions) -> tuple[str, ...]:
    is_nominal = options.distance.name == "nominal" and options.distance.table is None
    return NOMINAL if is_nominal else ORDERED


def _human_agreement(judged: JudgedLabels) -> list[Estimate]:
    """Return the agreement of the humans, as `accordeur agree` has it; [] with one human."""
    if len(judged.layer.humans) < 2:
        return []
    measured = judged.labels.measured()
    many = measured.matrix.n_annotators > 2
    measures = [OF_MANY.get(one, one) if many else one for one in _measures(judged.options)]
    found = evaluate_matrix(
        measured.matrix, measures=measures, distance=judged.distance, sampling=judged.options
    )
    return add_reading_settings(found, judged.labels.settings)


def _candidates(judged: JudgedLabels) -> list[Candidate]:
    return candidate_agreement(
        judged.of_documents(judged.matrix),
        judged.systems,
        measures=_measures(judged.options),
        distance=judged.distance,
        sampling=judged.options,
    )


def _numbers(judged: JudgedLabels) -> Floats | None:
    """The numbers of the categories; None if they are no ratings, or too many."""
    if not FEWEST_RATINGS <= len(judged.layer.tagset) <= MOST_VALUES:
        return None
    return category_values(judged.layer.tagset)


def _ratings(judged: JudgedLabels) -> list[Candidate]:
    numbers = _numbers(judged)
    if numbers is None:
        return []
    matrix = judged.of_documents(judged.matrix)
    return rating_agreement_of_candidates(matrix, judged.systems, numbers, judged.options)


def _human_ratings(judged: JudgedLabels) -> list[Estimate]:
    numbers = _numbers(judged)
    if numbers is None:
        return []
    return human_ratings(judged.of_documents(judged.matrix), numbers, judged.options)


def _corrected(judged: JudgedLabels) -> page.CorpusEstimates | None:
    """Return shares of the corpus, if the items that humans labelled are a random part."""
    if not judged.options.audit_is_random:
        return None
    options = EstimateOptions(
        confidence_level=judged.options.confidence_level,
        audit_is_random=True,
        drawn_by=judged.options.drawn_by,
    )
    matrix = judged.of_documents(judged.matrix)
    own = corpus_labels(matrix, judged.systems, options.target, ordered=with_scale(judged.layer))
    return estimate_corpus(matrix, own, options, random_by="declared", layer="")


def _replacement(judged: JudgedLabels) -> page.Replacement:
    """Return the alt-test, the panel's verdict, and the checks that the data allow."""
    own = {field.name: getattr(judged.options, field.name) for field in fields(PanelOptions)}
    options = ReplaceOptions(**own, replicates=judged.options.replicates, seed=judged.options.seed)
    store, key = judged.labels.shard.store, judged.labels.shard.key
    stored = replace(judged.layer, systems=tuple(one for one in judged.systems if one != PANEL))
    lengths = judged.options.lengths
    return judge_systems_on_labels(
        judged.matrix,
        later_labels(store, key, stored),
        judged.layer,
        options,
        presence=judged.presence,
        batches=batches_of_layer(store, [key], stored),
        lengths={} if lengths is None else read_lengths(Path(lengths)),
        with_documents=judged.labels.names_documents,
    )


def _warnings(evaluation: Evaluation) -> list[CodedWarning]:
    return [
        notice
        for system, one in evaluation.systems.items()
        for notice in one.documents.notices(system)
    ]


def _values(found: JudgeReport) -> Iterator[tuple[str, str, Estimate]]:
    """Yield every value that a bar can be on: its system, category or "", and value."""
    for candidate in found.candidates:
        yield from ((candidate.system, "", one.mean) for one in candidate.measures)
    for candidate in found.ratings:
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
