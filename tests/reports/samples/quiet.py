"""Campaigns with little to say: nobody disagreed on the one document; nobody marked anything."""

from __future__ import annotations

import math

from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.reports import results as r
from tests.reports.samples.parts import run, value

_TEXT = "Ana tuned the harp."
_PEOPLE = ["Ana", "Zoë 🎻"]


def agreed() -> r.Results:
    """One document, one category, no disagreement at all: α is 0/0, γ is 1."""
    alone = value(
        "krippendorff_alpha", math.nan, reason=Reason(ReasonCode.SINGLE_CATEGORY), n_items=3
    )
    units = [r.AlignedUnit(annotator=a, start=0, end=3, category="person") for a in _PEOPLE]
    whole = r.Alignment(
        document="harp",
        length=len(_TEXT),
        text=_TEXT,
        annotators=_PEOPLE,
        units=units,
        alignments=[r.UnitaryAlignment(units=[0, 1], disorder=0.0)],
        disorder=0.0,
    )
    return r.Results(
        campaign=r.Campaign(name="Agreed", language="en", tagset=["person"]),
        run=run(),
        annotators=[r.Annotator(name=a, role="human", n_documents=1) for a in _PEOPLE],
        gates=[
            r.Gate(
                measure="krippendorff_alpha",
                layer="mood",
                threshold=0.7,
                value=math.nan,
                outcome=r.GateOutcome.failed,
                fails_run=True,
                reason=Reason(ReasonCode.SINGLE_CATEGORY),
            ),
            r.Gate(
                measure="gamma",
                layer="names",
                threshold=0.5,
                value=1.0,
                outcome=r.GateOutcome.passed,
                fails_run=False,
            ),
        ],
        coverage=r.Coverage(
            documents=["harp"],
            annotators=_PEOPLE,
            states=[["finished", "finished"]],
            n_documents=1,
            counts={"finished": 2},
        ),
        validation=r.Validation(rows_in=8, rows_accepted=8, rows_rejected=0),
        distributions=[
            r.Distribution(
                layer="mood",
                kind="items",
                tagset=["calm", "loud"],
                annotators=_PEOPLE,
                counts=[[3, 3], [0, 0]],
                documents=["harp"],
                document_counts=[[6, 0]],
            )
        ],
        items=[
            r.ItemAgreement(
                layer="mood",
                tagset=["calm", "loud"],
                annotators=_PEOPLE,
                n_items=3,
                values=[alone, value("percent_agreement", 1.0, half=0, n_items=3)],
                per_pair=[r.Named(name=" – ".join(_PEOPLE), value=alone)],
                per_document=[r.Named(name="harp", value=alone)],
                confusions=[
                    r.Confusion(
                        row_annotator=_PEOPLE[0],
                        column_annotator=_PEOPLE[1],
                        matrix=[[3, 0], [0, 0]],
                    )
                ],
            )
        ],
        units=[
            r.UnitAgreement(
                layer="names",
                tagset=["person"],
                annotators=_PEOPLE,
                n_units=2,
                n_documents=1,
                values=[value("gamma", 1.0, observed=0.0, expected=0.9, half=0, n_items=2)],
                chance=[
                    r.ChanceProcess(
                        process="shuffle",
                        n_samples=40,
                        mean=0.9,
                        samples=[0.9] * 40,
                        chosen=True,
                    )
                ],
                observed_disorder=0.0,
                alignments=[whole],
            )
        ],
        resampling=[
            r.Resampling(
                layer="mood",
                ties="random",
                n_annotators=2,
                n_items=3,
                points=[r.ModificationPoint(k=k, modification_rate=0.0) for k in (1, 2)],
            )
        ],
    )


def bare() -> r.Results:
    """A layer of units that nobody used, and a layer of labels without two on any item."""
    reason = Reason(ReasonCode.NO_UNIT)
    return r.Results(
        campaign=r.Campaign(name="Bare", tagset=["person"]),
        run=run(),
        annotators=[r.Annotator(name=a, role="human") for a in _PEOPLE],
        items=[
            r.ItemAgreement(
                layer="mood",
                tagset=["calm"],
                annotators=_PEOPLE[:1],
                n_items=0,
                values=[
                    value("krippendorff_alpha", math.nan, reason=Reason(ReasonCode.NO_PAIRED_ITEM))
                ],
            )
        ],
        units=[
            r.UnitAgreement(
                layer="names",
                tagset=["person"],
                annotators=_PEOPLE,
                n_units=0,
                n_documents=1,
                values=[value("gamma", math.nan, reason=reason, n_items=0)],
                chance=[
                    r.ChanceProcess(process="random2", n_samples=0, mean=math.nan, reason=reason)
                ],
                alignments=[
                    r.Alignment(
                        document="empty",
                        length=0,
                        annotators=_PEOPLE,
                        units=[],
                        alignments=[],
                        disorder=math.nan,
                    )
                ],
            )
        ],
        distributions=[
            r.Distribution(
                layer="names",
                kind="units",
                tagset=["person"],
                annotators=_PEOPLE,
                counts=[[0, 0]],
            )
        ],
    )
