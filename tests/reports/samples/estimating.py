"""What a corpus contains by a system and an audit, for the tests of the page."""

from __future__ import annotations

from accordeur.metrics.estimate import Estimate
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.metrics.signature import How
from accordeur.reports import results as r
from tests.reports.samples.parts import HUMANS


def estimates() -> r.CorpusEstimates:
    """One category with a saving, one without, one that is too rare for a value; drift."""
    few = Reason(ReasonCode.FEW_OF_RARER_CLASS, n=2, fewest=3)
    return r.CorpusEstimates(
        layer="stance",
        random_by="recorded",
        target="majority",
        annotators=list(HUMANS),
        agreement=Estimate(
            "krippendorff_alpha", 0.71, interval=(0.62, 0.79), n_items=240, n_annotators=3,
            how=How(measure="krippendorff_alpha"),
        ),
        wanted_width=0.05,
        systems=[
            r.SystemEstimates(
                system="tagger",
                n_items=12_000,
                n_audited=240,
                n_unlabelled=14,
                shares=[
                    r.CategoryShare(
                        category="neutral", n_hits=150, naive=0.7, humans=0.625,
                        humans_interval=(0.56, 0.686), value=0.634, interval=(0.59, 0.677),
                        saving=0.41, worth=405, n_needed=1_390,
                    ),
                    r.CategoryShare(
                        category="for", n_hits=88, naive=0.297, humans=0.367,
                        humans_interval=(0.306, 0.431), value=0.352, interval=(0.3, 0.41),
                        n_needed=1_420,
                    ),
                    r.CategoryShare(
                        category="against", n_hits=2, naive=0.003, humans=0.008,
                        humans_interval=(0.001, 0.03), interval=(0.001, 0.028), reason=few,
                        n_needed=610,
                    ),
                ],
                accuracy=r.Corrected(value=0.83, interval=(0.777, 0.875)),
                drift=[
                    r.JudgeDrift(
                        kind="batch",
                        p_value=0.012,
                        parts=[_part("pilot", 0.69, 0.6), _part("main", 0.71, 0.66)],
                    )
                ],
            )
        ],
    )  # fmt: skip


def _part(name: str, naive: float, corrected: float) -> r.PartShares:
    share = r.Corrected(naive=naive, value=corrected, interval=(corrected - 0.07, corrected + 0.07))
    return r.PartShares(name=name, n_items=6_000, n_audited=120, shares={"neutral": share})
