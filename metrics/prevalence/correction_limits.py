"""When an audit gives no corrected estimate, or only an interval, as seen in the audit itself."""

from __future__ import annotations

import numpy as np

from ..reason import Reason, ReasonCode
from .audit_counts import AuditCounts, AuditTable

FEWEST_AUDITED = 20
FEWEST_DOCUMENTS = 10
FEWEST_FOR_VALUE = 3  # audited items of the rarer human class
FEWEST_FOR_SAVING = 5
UNLIKE = 0.001  # p-value below which an audit does not look like a sample of the corpus


def why_no_correction(table: AuditTable, *, drawn_by: str, n_documents: int = 0) -> Reason | None:
    """Return why the audit as a whole cannot correct the system's labels, or None."""
    n = table.n_audited
    if n < FEWEST_AUDITED and n < table.n_items:
        return Reason(ReasonCode.FEW_AUDITED, n=n, fewest=FEWEST_AUDITED)
    if drawn_by == "document":
        if n_documents < FEWEST_DOCUMENTS and n < table.n_items:
            return Reason(ReasonCode.FEW_AUDITED_DOCUMENTS, n=n_documents, fewest=FEWEST_DOCUMENTS)
        return None
    if drawn_by == "item" and (p := audit_sample_p_value(table)) < UNLIKE:
        return Reason(ReasonCode.AUDIT_UNLIKE_CORPUS, p=p)
    return None


def why_no_corrected_share(audit: AuditCounts) -> Reason | None:
    """Return why one share cannot be corrected, or None."""
    if bool(audit.has_unaudited_stratum):
        return Reason(ReasonCode.LABEL_WITHOUT_AUDIT)
    return None


def why_interval_only(audit: AuditCounts) -> Reason | None:
    """Return why a corrected share has an interval and no value, or None."""
    if float(audit.n_rarer_class) >= FEWEST_FOR_VALUE or bool(audit.n_audited >= audit.n_items):
        return None
    return Reason(
        ReasonCode.FEW_OF_RARER_CLASS, n=int(audit.n_rarer_class), fewest=FEWEST_FOR_VALUE
    )


def audit_sample_p_value(table: AuditTable) -> float:
    """p-value of the system's labels in the audit as a sample of its labels in the corpus.

    χ² of a sample without replacement; labels expected fewer than five times are counted together.
    An audit that was not drawn at random, or a system that has changed since, gives a small value;
    1 if there is nothing to compare.
    """
    from scipy.special import chdtrc

    n, n_items = table.n_audited, table.n_items
    if n == 0 or n >= n_items:
        return 1.0
    found, expected = table.audited.sum(axis=1), table.totals * (n / n_items)
    is_rare = expected < 5
    found = np.append(found[~is_rare], found[is_rare].sum())
    expected = np.append(expected[~is_rare], expected[is_rare].sum())
    found, expected = found[expected >= 5], expected[expected >= 5]
    if len(found) < 2:
        return 1.0
    statistic = ((found - expected) ** 2 / expected).sum() / (1 - n / n_items)
    return float(chdtrc(len(found) - 1, statistic))
