"""Shares, accuracies and means of a corpus, with intervals, from its labels alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
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
from ...metrics.intervals.binomial import Bounds, clopper_pearson
from ...metrics.options import Sampling
from ...metrics.prevalence.audit_counts import AuditCounts, AuditTable, audit_table
from ...metrics.prevalence.corrected_share import (
    corrected_share_interval,
    equivalent_item_audit,
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
        level=options.confidence_level,
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
    unknown = [one for one in options.only if one not in labels.tagset]
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
    return [_Audit.of(labels, name, options).estimates(before) for name in labels.systems]


def _level_of_shares(labels: CorpusLabels, options: PrevalenceOptions) -> float:
    """Return the level of each share's interval, by Bonferroni if they shall hold together."""
    n_shown = len(options.only) or len(labels.tagset)
    return (
        1 - (1 - options.confidence_level) / n_shown
        if options.simultaneous
        else options.confidence_level
    )


@dataclass(frozen=True, slots=True)
class _Audit:
    """The labels of one system beside those of the humans; `given`: its codes, (N,)."""

    labels: CorpusLabels
    system: str
    options: PrevalenceOptions
    given: Ints
    table: AuditTable

    @classmethod
    def of(cls, labels: CorpusLabels, system: str, options: PrevalenceOptions) -> _Audit:
        given = labels.systems[system]
        return cls(
            labels, system, options, given, audit_table(given, labels.human, len(labels.tagset))
        )

    @property
    def level(self) -> float:
        return _level_of_shares(self.labels, self.options)

    @property
    def shown(self) -> list[int]:
        """The categories whose shares are estimated."""
        wanted = self.options.only
        return [k for k, one in enumerate(self.labels.tagset) if not wanted or one in wanted]

    def estimates(self, before: CorpusLabels | None) -> page.SystemEstimates:
        shown = self.shown if "share" in self.options.measures else []
        refused = self.refusal()
        return page.SystemEstimates(
            system=self.system,
            n_items=self.table.n_items,
            n_audited=self.table.n_audited,
            n_unlabelled=int(self.table.totals[-1]),
            shares=[self.share(k, refused) for k in shown],
            accuracy=self.accuracy(refused) if "accuracy" in self.options.measures else None,
            mean=self.mean(refused) if "mean" in self.options.measures else None,
            changes=[] if before is None or not shown else self.changes(shown, before),
        )

    def refusal(self) -> Reason | None:
        """Return why the whole audit is refused, or None."""
        n_documents, labels = 0, self.labels
        if self.options.drawn_by == "document":
            assert labels.documents is not None
            audited = np.unique(labels.documents[labels.human >= 0])
            n_documents = len(audited)
            n_partly = _n_partly_audited(labels, audited)
            if n_partly:
                return Reason(ReasonCode.PARTLY_AUDITED_DOCUMENTS, n=n_partly)
        drawn_by = self.options.drawn_by
        return why_no_correction(self.table, drawn_by=drawn_by, n_documents=n_documents)

    def counts(self, k: int) -> AuditCounts:
        """Return the counts of one category, by how the audit was drawn."""
        if self.options.drawn_by == "label":
            return _case(self.table.by_label(), k)
        if self.options.drawn_by == "document":
            own = np.stack([self.given == k, self.given != k], axis=-1)
            return _documents(self.labels, own, self.labels.human == k, self.level)
        return self.random_items(k)

    def random_items(self, k: int) -> AuditCounts:
        """Return the counts of one category against the rest, of items drawn at random."""
        return _case(self.table.one_against_rest(), k)

    def share(self, k: int, refused: Reason | None) -> page.CategoryShare:
        counts, level, drawn_by = self.counts(k), self.level, self.options.drawn_by
        interval = stratified_share_interval if drawn_by == "label" else corrected_share_interval
        refused = refused or why_no_corrected_share(counts)
        by_label = drawn_by == "label"
        humans, humans_interval = (math.nan, NO_INTERVAL) if by_label else _humans(counts, level)
        share = partial(
            page.CategoryShare,
            category=self.labels.tagset[k],
            n_hits=int(self.table.human_label_counts[k]),
            naive=self.table.system_shares[k],
            humans=humans,
            humans_interval=humans_interval,
        )
        if refused is not None:
            return share(reason=refused)
        random_items, width = self.random_items(k), self.options.wanted_width
        reason = why_interval_only(random_items)
        of_items = drawn_by == "item"
        saved, worth = _saving(random_items) if of_items else (math.nan, None)
        return share(
            value=float(counts.share) if reason is None else math.nan,
            interval=_pair(interval(counts, level)),
            reason=reason,
            saving=saved,
            worth=worth,
            n_needed=int(audits_for_width(counts, width, interval, level))
            if width is not None and drawn_by != "document"
            else None,
            textbook=_textbook(random_items, level) if of_items and self.options.textbook else [],
        )

    def accuracy(self, refused: Reason | None) -> page.Corrected:
        """Accuracy of the system in the corpus; its own labels do not narrow the interval."""
        counts, level = self.table.correctness_by_label(), self.options.confidence_level
        if self.options.drawn_by == "label":
            refused = refused or why_no_corrected_share(counts)
        if refused is not None:
            return page.Corrected(reason=refused)
        if self.options.drawn_by == "label":
            bounds = stratified_share_interval(counts, level)
            return page.Corrected(value=float(counts.share), interval=_pair(bounds))
        counts = counts.as_one_stratum()
        if self.options.drawn_by == "document":
            whole = np.ones((self.labels.n_items, 1), dtype=np.bool_)
            counts = _documents(self.labels, whole, self.given == self.labels.human, level)
        value, interval = _humans(counts, level)
        return page.Corrected(value=value, interval=interval)

    def mean(self, refused: Reason | None) -> page.Corrected:
        values, labels = self.labels.system_values(self.system), self.labels
        if self.options.drawn_by != "item":
            return page.Corrected(reason=Reason(ReasonCode.NOT_FOR_DRAW))
        level = self.options.confidence_level
        found = corrected_mean(values, labels.human_mean, scale=labels.values, level=level)
        return page.Corrected(
            naive=found.naive,
            humans=found.humans,
            humans_interval=found.humans_interval,
            value=found.corrected if refused is None else math.nan,
            interval=found.interval if refused is None else NO_INTERVAL,
            reason=refused,
        )

    def changes(self, shown: Sequence[int], before: CorpusLabels) -> list[page.ShareChange]:
        """Compare the shares with those of an earlier batch, each corrected by its own audit."""
        since = _Audit.of(before, self.system, self.options)
        refused = self.refusal() or since.refusal()
        if self.options.drawn_by != "item":
            refused = Reason(ReasonCode.NOT_FOR_DRAW)
        found = []
        for k in shown:
            counts, earlier = self.random_items(k), since.random_items(k)
            reason = refused or why_no_corrected_share(counts) or why_no_corrected_share(earlier)
            change = partial(page.ShareChange, category=self.labels.tagset[k])
            found.append(
                change(
                    value=float(counts.share - earlier.share),
                    interval=_pair(share_difference_interval(counts, earlier, self.level)),
                )
                if reason is None
                else change(reason=reason)
            )
        return found


def _n_partly_audited(labels: CorpusLabels, audited: Ints) -> int:
    """Number of audited documents of which a tenth of the items or more were not audited."""
    assert labels.documents is not None
    n = int(labels.documents.max()) + 1
    sizes = np.bincount(labels.documents, minlength=n)
    seen = np.bincount(labels.documents[labels.human >= 0], minlength=n)
    return int((seen[audited] < 0.9 * sizes[audited]).sum())


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


def _accuracy_difference(
    labels: CorpusLabels, first: str, second: str, options: PrevalenceOptions
) -> page.AccuracyDifference:
    counts = paired_counts(labels.systems[first], labels.systems[second], labels.human)
    reason = _Audit.of(labels, first, options).refusal()
    if options.drawn_by != "item":
        reason = Reason(ReasonCode.NOT_FOR_DRAW)
    difference = partial(
        page.AccuracyDifference, first=first, second=second, n_discordant=int(counts.n_discordant)
    )
    if reason is not None:
        return difference(reason=reason)
    bounds = accuracy_difference_interval(counts, options.confidence_level)
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
