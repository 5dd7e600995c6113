"""Names that break pages, 300 categories, one document, nothing defined; and nothing at all."""

from __future__ import annotations

import math

from accordeur.metrics.coded_warning import Finding
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.reports import results as r
from tests.reports.samples.parts import (
    value,
)


def pathological() -> r.Results:
    """Names that break pages, 300 categories, one document, nothing agreed, nothing defined."""
    wicked = '<script>alert("x")</script>'
    quoted = 'O\'Brien "Bob" & sons 🎻 </td>'
    tagset = [wicked, "a" * 120, "עברית", *(f"category {i:03}" for i in range(297))]
    undefined = value(
        "krippendorff_alpha", math.nan, reason=Reason(ReasonCode.NO_PAIRED_ITEM), half=0
    )
    return r.Results(
        campaign=r.Campaign(name=f"{wicked} & co", tagset=tagset, description="</style><b>"),
        run=r.Run(version="0.1.0", input_hash="0" * 12, command="accordeur run 'a b'.toml"),
        annotators=[r.Annotator(name=quoted, role="human"), r.Annotator(name=wicked, role="human")],
        gates=[
            r.Gate(
                measure="krippendorff_alpha",
                layer=wicked,
                threshold=0.8,
                value=math.nan,
                outcome=r.GateOutcome.failed,
                fails_run=True,
                reason=Reason(ReasonCode.NO_PAIRED_ITEM),
            )
        ],
        coverage=r.Coverage(
            documents=[wicked],
            annotators=[quoted, wicked],
            states=[["finished", "finished_empty"]],
            n_documents=1,
            counts={"finished": 1, "finished_empty": 1},
        ),
        validation=r.Validation(
            rows_in=1,
            rows_accepted=0,
            rows_rejected=1,
            rejected=[
                r.RejectedRow(
                    source=f"{wicked}.ann",
                    location="line 1",
                    rule="r",
                    value=wicked,
                    message=quoted,
                    link="javascript:alert(1)",
                )
            ],
        ),
        distributions=[
            r.Distribution(
                layer=wicked,
                kind="items",
                tagset=tagset,
                annotators=[quoted, wicked],
                counts=[[i % 7, (i * 3) % 5] for i in range(300)],
                documents=[wicked],
                document_counts=[[i % 7 for i in range(300)]],
            ),
        ],
        items=[
            r.ItemAgreement(
                layer=wicked,
                tagset=tagset,
                annotators=[quoted, wicked],
                n_items=1,
                values=[
                    undefined,
                    value("unheard_of_measure", -1.0, half=0),
                    value("percent_agreement", 1.0, half=0),
                    value("scott_pi", math.nan),
                ],
                per_category=[r.Named(name=c, value=undefined) for c in tagset],
                per_pair=[r.Named(name=f"{quoted} × {wicked}", value=undefined)],
                per_document=[r.Named(name=wicked, value=undefined)],
                confusions=[
                    r.Confusion(
                        row_annotator=quoted,
                        column_annotator=wicked,
                        matrix=[[float((i * j) % 3 == 1) for j in range(300)] for i in range(300)],
                    )
                ],
                findings=[Finding(wicked, {wicked: quoted, "x": math.nan}, read_text=quoted)],
            )
        ],
        units=[
            r.UnitAgreement(
                layer="spans",
                tagset=[wicked],
                annotators=[quoted, wicked],
                n_units=0,
                n_documents=1,
                values=[value("gamma", math.nan, reason=Reason(ReasonCode.NO_UNIT), half=0)],
                chance=[
                    r.ChanceProcess(
                        process="random2",
                        n_samples=0,
                        mean=math.nan,
                        reason=Reason(ReasonCode.ONE_ANNOTATOR),
                    )
                ],
                alignments=[
                    r.Alignment(
                        document=wicked,
                        length=0,
                        annotators=[quoted, wicked],
                        units=[],
                        alignments=[],
                        disorder=math.nan,
                    ),
                    r.Alignment(
                        document="nested 🎻",
                        length=40,
                        text="🎻 a\nb\t<i>c</i> " * 4,
                        annotators=[quoted, wicked, "idle"],
                        units=[
                            r.AlignedUnit(annotator=quoted, start=0, end=40, category=wicked),
                            r.AlignedUnit(annotator=quoted, start=2, end=9, category=""),
                            r.AlignedUnit(
                                annotator=wicked, start=2, end=3, category="beyond the tagset"
                            ),
                        ],
                        alignments=[
                            r.UnitaryAlignment(units=[0], disorder=1.0),
                            r.UnitaryAlignment(units=[1, 2], disorder=0.7),
                        ],
                        disorder=0.9,
                        optimal=False,
                        gap=0.02,
                    ),
                ],
            )
        ],
        resampling=[
            r.Resampling(
                layer=wicked,
                ties="abstain",
                n_annotators=2,
                n_items=0,
                points=[
                    r.ModificationPoint(k=1, modification_rate=math.nan, reason="no item labelled")
                ],
            )
        ],
        grids=[r.GridCurve(measure="gamma", degradation="unknown", magnitudes=[], means=[])],
        references=[
            r.ReferenceSummary(
                layer=wicked,
                rule="unanimity",
                annotators=[quoted],
                n_items=0,
                n_resolved=0,
                is_single_annotator=True,
            )
        ],
        validity=[
            r.Validity(
                reference=quoted,
                systems=[
                    r.SystemScores(
                        system=wicked,
                        layer="spans",
                        kind="units",
                        values=[value("f1", math.nan, reason=Reason(ReasonCode.NO_REFERENCE_UNIT))],
                    )
                ],
            )
        ],
        disagreements=[
            r.Disagreement(
                document=wicked,
                layer=wicked,
                where=quoted,
                cost=math.nan,
                said={quoted: wicked, wicked: ""},
                context=wicked,
            )
        ],
        history=[
            r.RunPoint(run=wicked, measure="krippendorff_alpha", layer=wicked, value=math.nan)
        ],
        alerts=[wicked],
    )


def empty() -> r.Results:
    """A campaign of which nothing is known yet."""
    return r.Results(campaign=r.Campaign(name="Empty"), run=r.Run(version="0.1.0", input_hash=""))
