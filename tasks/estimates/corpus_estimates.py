"""Shares, accuracies and means of a corpus, with intervals, from its labels alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np

from ...data.option_names import option
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.arrays import Flags, Ints
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.estimate import NO_INTERVAL, Estimate
from ...metrics.options import Sampling
from ...metrics.prevalence.audit_counts import AuditCounts, AuditTable, audit_table
from ...metrics.prevalence.binomial import Bounds, clopper_pearson
from ...metrics.prevalence.corrected_share import (
    corrected_share_interval,
    exact_if_whole,
    stratified_share_interval,
)
from ...metrics.prevalence.correction_limits import (
    FEWEST_FOR_SAVING,
    why_interval_only,
    why_no_corrected_share,
    why_no_correction,
)
from ...metrics.prevalence.differences import (
    accuracy_difference_interval,
    paired_counts,
    share_difference_interval,
)
from ...metrics.prevalence.document_audits import equivalent_item_audit
from ...metrics.prevalence.prevalence_options import PrevalenceOptions
from ...metrics.prevalence.savings import audits_for_width, lower_correlation_limit, saved_share
from ...metrics.prevalence.scale_mean import corrected_mean
from ...metrics.prevalence.textbook import (
    FEWEST_ERRORS,
    has_enough_errors,
    prediction_powered,
    rogan_gladen,
)
from ...metrics.reason import Reason, ReasonCode
from ...reports import results as page
from .corpus_labels import CorpusLabels

LEAST_CLAIMED = 0.25  # saving of human labels, by its lower limit, from which it is claimed


def estimate_corpus(
    matrix: LabelMatrix,
    labels: CorpusLabels,
    options: PrevalenceOptions,
    before: CorpusLabels | None = None,
    *,
    random_by: str,
    layer: str = "",
) -> page.CorpusEstimates:
    """Estimate a corpus, with the agreement of the humans of its audit beside the estimates.

    matrix     labels of humans and systems, of which `labels` were made
    before     an earlier batch with an audit of its own and the same tagset, to compare with
    random_by  what says that the audit is random, unless it has all items: declared or recorded

    Raises MetricsError as `system_estimates` does.
    """
    return page.CorpusEstimates(
        layer=layer,
        level=options.level,
        level_of_shares=_level_of_shares(labels, options),
        simultaneous=options.simultaneous,
        drawn_by=options.drawn_by,
        random_by="whole" if labels.is_whole else random_by,
        target=labels.target,
        annotators=list(labels.annotators),
        n_unresolved=labels.n_unresolved,
        agreement=_agreement(matrix, labels),
        wanted_width=options.wanted_width,
        systems=system_estimates(labels, options, before),
        differences=[
            _accuracy_difference(labels, first, second, options)
            for first, second in combinations(labels.systems, 2)
            if "accuracy" in options.measures
        ],
    )


def estimate_warnings(found: page.CorpusEstimates) -> list[CodedWarning]:
    """Return warnings about items without a label of a system, or without one of the humans."""
    warnings = [
        CodedWarning("system_labels_missing", {"system": one.system, "n": one.n_unlabelled})
        for one in found.systems
        if one.n_unlabelled
    ]
    if found.n_unresolved:
        warnings.append(CodedWarning("audit_unresolved", {"n": found.n_unresolved}))
    return warnings


def system_estimates(
    labels: CorpusLabels, options: PrevalenceOptions, before: CorpusLabels | None = None
) -> list[page.SystemEstimates]:
    """Estimate what each system's labels, corrected by the audit, say of the corpus.

    Raises MetricsError for an unknown category, a mean of labels without values, and documents
    that the labels lack.
    """
    unknown = [one for one in options.categories if one not in labels.tagset]
    if unknown:
        raise MetricsError(
            f"category {unknown[0]!r} does not occur; there are {', '.join(labels.tagset)}"
        )
    if options.drawn_by == "document" and labels.documents is None:
        raise MetricsError(
            f"{option('drawn_by', 'document')}: the labels have no documents: name the column of "
            f"their documents ({option('document')}), or say how the items were drawn "
            f"({option('drawn_by')})"
        )
    level = _level_of_shares(labels, options)
    return [_of_system(labels, name, options, level, before) for name in labels.systems]


def _level_of_shares(labels: CorpusLabels, options: PrevalenceOptions) -> float:
    """Return the level of each share's interval, by Bonferroni if they shall hold together."""
    n_shown = len(options.categories) or len(labels.tagset)
    return 1 - (1 - options.level) / n_shown if options.simultaneous else options.level


def _of_system(
    labels: CorpusLabels,
    system: str,
    options: PrevalenceOptions,
    level: float,
    before: CorpusLabels | None,
) -> page.SystemEstimates:
    given = labels.systems[system]
    table = audit_table(given, labels.human, len(labels.tagset))
    refused = _refusal(labels, table, options)
    shown = [
        k
        for k, name in enumerate(labels.tagset)
        if not options.categories or name in options.categories
    ]
    shares = "share" in options.measures
    return page.SystemEstimates(
        system=system,
        n_items=table.n_items,
        n_audited=table.n_audited,
        n_unlabelled=int(table.totals[-1]),
        shares=[_share(labels, table, given, k, options, level, refused) for k in shown]
        if shares
        else [],
        accuracy=_accuracy(labels, table, given, options, refused)
        if "accuracy" in options.measures
        else None,
        mean=_mean(labels, system, options, refused) if "mean" in options.measures else None,
        changes=_changes(labels, before, system, shown, options, level) if shares else [],
    )


def _refusal(labels: CorpusLabels, table: AuditTable, options: PrevalenceOptions) -> Reason | None:
    """Return why the whole audit is refused, or None."""
    n_documents = 0
    if options.drawn_by == "document":
        assert labels.documents is not None
        audited = np.unique(labels.documents[labels.human >= 0])
        n_documents = len(audited)
        n_partly = _n_partly_audited(labels, audited)
        if n_partly:
            return Reason(ReasonCode.PARTLY_AUDITED_DOCUMENTS, n=n_partly)
    return why_no_correction(table, drawn_by=options.drawn_by, n_documents=n_documents)


def _n_partly_audited(labels: CorpusLabels, audited: Ints) -> int:
    """Number of audited documents of which a tenth of the items or more were not audited."""
    assert labels.documents is not None
    n = int(labels.documents.max()) + 1
    sizes = np.bincount(labels.documents, minlength=n)
    seen = np.bincount(labels.documents[labels.human >= 0], minlength=n)
    return int((seen[audited] < 0.9 * sizes[audited]).sum())


def _counts(
    labels: CorpusLabels,
    table: AuditTable,
    given: Ints,
    k: int,
    options: PrevalenceOptions,
    level: float,
) -> AuditCounts:
    """Return the counts of one category, by how the audit was drawn."""
    if options.drawn_by == "label":
        return _case(table.by_label(), k)
    if options.drawn_by == "document":
        own = np.stack([given == k, given != k], axis=-1)
        return _documents(labels, own, labels.human == k, level)
    return _case(table.one_against_rest(), k)


def _documents(labels: CorpusLabels, strata: Flags, is_hit: Flags, level: float) -> AuditCounts:
    """Count hits in audited documents; strata: bool (N, J)."""
    assert labels.documents is not None
    is_audited = labels.human >= 0
    _, home = np.unique(labels.documents[is_audited], return_inverse=True)
    n_documents, width = int(home.max()) + 1, strata.shape[1]
    cells = home * width + strata[is_audited].argmax(axis=1)
    sizes, hits = (
        np.bincount(cells, weights=each, minlength=n_documents * width).astype(np.float64)
        for each in (np.ones(len(cells)), is_hit[is_audited].astype(np.float64))
    )
    shape = (n_documents, width)
    n_items = np.asarray(float(labels.n_items))
    return equivalent_item_audit(
        strata.mean(axis=0), sizes.reshape(shape), hits.reshape(shape), n_items, level
    )


def _case(counts: AuditCounts, k: int) -> AuditCounts:
    return AuditCounts(
        counts.weights[k], counts.sizes[k], counts.hits[k], np.asarray(counts.n_items[k])
    )


def _share(
    labels: CorpusLabels,
    table: AuditTable,
    given: Ints,
    k: int,
    options: PrevalenceOptions,
    level: float,
    refused: Reason | None,
) -> page.CategoryShare:
    counts = _counts(labels, table, given, k, options, level)
    interval = (
        stratified_share_interval if options.drawn_by == "label" else corrected_share_interval
    )
    refused = refused or why_no_corrected_share(counts)
    by_label = options.drawn_by == "label"
    humans, humans_interval = (math.nan, NO_INTERVAL) if by_label else _humans(counts, level)
    share = partial(
        page.CategoryShare,
        category=labels.tagset[k],
        n_hits=int(table.human_label_counts[k]),
        naive=table.system_shares[k],
        humans=humans,
        humans_interval=humans_interval,
    )
    if refused is not None:
        return share(reason=refused)
    random_items = _case(table.one_against_rest(), k)
    reason = why_interval_only(random_items)
    of_items = options.drawn_by == "item"
    saved, worth = _saving(random_items) if of_items else (math.nan, None)
    return share(
        value=float(counts.share) if reason is None else math.nan,
        interval=_pair(interval(counts, level)),
        reason=reason,
        saving=saved,
        worth=worth,
        n_needed=int(audits_for_width(counts, options.wanted_width, interval, level))
        if options.wanted_width is not None and options.drawn_by != "document"
        else None,
        textbook=_textbook(random_items, level) if of_items and options.textbook else [],
    )


def _humans(counts: AuditCounts, level: float) -> tuple[float, tuple[float, float]]:
    """Share in the audit alone, with the interval of Clopper and Pearson; nan without items."""
    if not counts.n_audited:
        return math.nan, NO_INTERVAL
    alone = counts.as_one_stratum()
    bounds = exact_if_whole(alone, clopper_pearson(alone.n_hits, alone.n_audited, level))
    return float(alone.share), _pair(bounds)


def _saving(counts: AuditCounts) -> tuple[float, int | None]:
    """Saving of human labels by its lower limit, and their worth if it is a quarter or more."""
    if counts.n_rarer_class < FEWEST_FOR_SAVING or counts.n_audited >= counts.n_items:
        return math.nan, None
    share = float(saved_share(lower_correlation_limit(counts), counts.n_audited, counts.n_items))
    return share, int(counts.n_audited / (1 - share)) if share >= LEAST_CLAIMED else None


def _textbook(counts: AuditCounts, level: float) -> list[page.TextbookShare]:
    methods = ("rogan_gladen", "ppi", "ppi_plus_plus")
    if not has_enough_errors(counts):
        reason = Reason(ReasonCode.FEW_AUDITED_ERRORS, fewest=FEWEST_ERRORS)
        return [page.TextbookShare(method=name, reason=reason) for name in methods]
    found = (
        rogan_gladen(counts, level),
        prediction_powered(counts, level),
        prediction_powered(counts, level, tuned=True),
    )
    return [
        page.TextbookShare(method=name, value=float(one.share), interval=_pair(one.bounds))
        for name, one in zip(methods, found, strict=True)
    ]


def _accuracy(
    labels: CorpusLabels,
    table: AuditTable,
    given: Ints,
    options: PrevalenceOptions,
    refused: Reason | None,
) -> page.Corrected:
    """Accuracy of the system in the corpus; its own labels do not narrow the interval."""
    if options.drawn_by == "label":
        counts = table.correctness_by_label()
        reason = refused or why_no_corrected_share(counts)
        if reason is not None:
            return page.Corrected(reason=reason)
        bounds = stratified_share_interval(counts, options.level)
        return page.Corrected(value=float(counts.share), interval=_pair(bounds))
    if refused is not None:
        return page.Corrected(reason=refused)
    counts = table.correctness_by_label().as_one_stratum()
    if options.drawn_by == "document":
        whole = np.ones((labels.n_items, 1), dtype=np.bool_)
        counts = _documents(labels, whole, given == labels.human, options.level)
    value, interval = _humans(counts, options.level)
    return page.Corrected(value=value, interval=interval)


def _mean(
    labels: CorpusLabels, system: str, options: PrevalenceOptions, refused: Reason | None
) -> page.Corrected:
    values = labels.system_values(system)
    if options.drawn_by != "item":
        return page.Corrected(reason=Reason(ReasonCode.NOT_FOR_DRAW))
    found = corrected_mean(values, labels.human_mean, scale=labels.values, level=options.level)
    return page.Corrected(
        naive=found.naive,
        humans=found.humans,
        humans_interval=found.humans_interval,
        value=found.corrected if refused is None else math.nan,
        interval=found.interval if refused is None else NO_INTERVAL,
        reason=refused,
    )


def _changes(
    labels: CorpusLabels,
    before: CorpusLabels | None,
    system: str,
    shown: Sequence[int],
    options: PrevalenceOptions,
    level: float,
) -> list[page.ShareChange]:
    """Compare the shares with those of an earlier batch, each corrected by its own audit."""
    if before is None:
        return []
    tables = [
        audit_table(one.systems[system], one.human, len(labels.tagset)) for one in (labels, before)
    ]
    both = zip((labels, before), tables, strict=True)
    refused = next(filter(None, (_refusal(one, table, options) for one, table in both)), None)
    if options.drawn_by != "item":
        refused = Reason(ReasonCode.NOT_FOR_DRAW)
    found = []
    for k in shown:
        counts, earlier = (_case(one.one_against_rest(), k) for one in tables)
        reason = refused or why_no_corrected_share(counts) or why_no_corrected_share(earlier)
        change = partial(page.ShareChange, category=labels.tagset[k])
        found.append(
            change(
                value=float(counts.share - earlier.share),
                interval=_pair(share_difference_interval(counts, earlier, level)),
            )
            if reason is None
            else change(reason=reason)
        )
    return found


def _accuracy_difference(
    labels: CorpusLabels, first: str, second: str, options: PrevalenceOptions
) -> page.AccuracyDifference:
    counts = paired_counts(labels.systems[first], labels.systems[second], labels.human)
    table = audit_table(labels.systems[first], labels.human, len(labels.tagset))
    reason = _refusal(labels, table, options)
    if options.drawn_by != "item":
        reason = Reason(ReasonCode.NOT_FOR_DRAW)
    difference = partial(
        page.AccuracyDifference, first=first, second=second, n_discordant=int(counts.n_discordant)
    )
    if reason is not None:
        return difference(reason=reason)
    bounds = accuracy_difference_interval(counts, options.level)
    return difference(value=float(counts.difference), interval=_pair(bounds))


def _pair(bounds: Bounds) -> tuple[float, float]:
    return float(bounds.lower), float(bounds.upper)


def _agreement(matrix: LabelMatrix, labels: CorpusLabels) -> Estimate | None:
    """Compute Krippendorff's α of the humans alone, to report beside the estimates."""
    if len(labels.annotators) < 2:
        return None
    columns = [matrix.annotators.index(name) for name in labels.annotators]
    audit = matrix.select_annotators(columns)
    audit = audit.select_items(np.asarray((audit.codes >= 0).any(axis=1)))
    [found] = evaluate_matrix(
        audit, measures=["krippendorff_alpha"], sampling=Sampling(replicates=1000)
    )[:1]
    return found
