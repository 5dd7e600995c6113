"""Three humans, a system and a reference, twelve documents, items and units."""

from __future__ import annotations

from accordeur.data.row_account import RowAccount
from accordeur.metrics.coded_warning import CodedWarning
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.reports import results as r
from tests.reports.samples.estimating import estimates
from tests.reports.samples.layers import (
    actions,
    item_agreement,
    relation_agreement,
    unit_agreement,
    validity,
)
from tests.reports.samples.parts import (
    ENTITIES,
    HUMANS,
    STANCES,
    TEXTS,
    VERSION,
    run,
)
from tests.reports.samples.replacing import replacement


def typical() -> r.Results:
    """Three humans, a system and a reference, twelve documents, items and units."""
    states = [["finished", "finished", "finished"] for _ in range(12)]
    states[3][1], states[5][2], states[7][0] = "unfinished", "not_assigned", "finished_empty"
    documents = [*TEXTS, *(f"document-{d:02}" for d in range(5, 13))]
    return r.Results(
        campaign=r.Campaign(
            name="Coastal news, spring campaign",
            description="Stance of each paragraph and named entities in local news.",
            language="en",
            guideline="v1.3",
            licence="CC BY 4.0",
            contact="corpus@example.org",
            statement={
                "Curation rationale": "Local news chosen for its variety of places and people.",
                "Annotator demographic": "Three trained annotators, students in linguistics.",
            },
            tagset=STANCES,
            notes=[
                r.Note(date="2026-01-12", text="v1.2, pilot"),
                r.Note(date="2026-02-13", text="Chloé, Bruno"),
            ],
            tagsets={"stance": STANCES, "entities": ENTITIES},
        ),
        run=run(),
        annotators=[
            *(
                r.Annotator(name=n, role="human", n_documents=11, n_units=44, n_labels=232)
                for n in HUMANS
            ),
            r.Annotator(name="tagger-A", role="system", n_documents=12, n_units=40),
            r.Annotator(name="adjudicated", role="reference", n_documents=12, n_units=43),
        ],
        gates=[
            r.Gate(
                measure="krippendorff_alpha",
                layer="stance",
                threshold=0.667,
                value=0.6412,
                interval=(0.587, 0.655),
                outcome=r.GateOutcome.failed,
                fails_run=True,
            ),
            r.Gate(
                measure="gamma",
                layer="entities",
                threshold=0.6,
                value=0.674,
                outcome=r.GateOutcome.passed,
                fails_run=False,
                on="lower bound",
            ),
            r.Gate(
                measure="coverage",
                operator=">=",
                threshold=0.9,
                value=0.944,
                outcome=r.GateOutcome.passed,
                fails_run=False,
            ),
        ],
        actions=actions(),
        coverage=r.Coverage(
            documents=documents,
            annotators=HUMANS,
            states=states,
            n_documents=12,
            counts={"finished": 33, "unfinished": 1, "not_assigned": 1, "finished_empty": 1},
        ),
        batches=[
            r.Batch(
                name="pilot", guideline="v1.2", n_documents=4, first="2026-01-12", last="2026-01-16"
            ),
            r.Batch(
                name="main", guideline="v1.3", n_documents=8, first="2026-02-02", last="2026-02-20"
            ),
        ],
        validation=r.Validation(
            rows_in=870,
            rows_accepted=867,
            rows_rejected=3,
            account=RowAccount(
                n_read=734,
                measured=600,
                reference_only=60,
                system=40,
                excluded={"single_annotator": 20, "draft": 11},
                rejected={"start_before_end": 2, "unit_occurs_once": 1},
                n_annotators=3,
                most_annotators=2,
            ),
            expectations=[
                r.Expectation(
                    name="start_before_end",
                    table="units",
                    passed=False,
                    n_rows=134,
                    n_unexpected=2,
                    examples=["12, 12"],
                    description="start < end",
                ),
                r.Expectation(
                    name="label_in_tagset",
                    table="labels",
                    layer="stance",
                    passed=False,
                    n_rows=736,
                    n_unexpected=1,
                    examples=["agianst"],
                    description="labels are among the layer's categories (layer stance)",
                ),
                r.Expectation(
                    name="annotator_known",
                    table="assignments",
                    passed=True,
                    n_rows=36,
                    description="annotators are declared",
                ),
            ],
            rejected=[
                r.RejectedRow(
                    source="exports/ana/harbour-01.ann",
                    location="line 3",
                    rule="start_before_end",
                    value="12, 12",
                    table_name="units",
                    message="start is not before end (12, 12): correct the offsets",
                    document="harbour-01",
                    annotator="Ana",
                    link="../exports/ana/harbour-01.ann",
                ),
                r.RejectedRow(
                    source="exports/bruno/council-03.ann",
                    location="line 8",
                    rule="start_before_end",
                    value="40, 31",
                    table_name="units",
                    message="start is not before end (40, 31): correct the offsets",
                    document="council-03",
                    annotator="Bruno",
                ),
                r.RejectedRow(
                    source="exports/labels.csv",
                    location="line 211",
                    rule="label_in_tagset",
                    value="agianst",
                    table_name="labels",
                    document="document-09",
                    message="label not among the layer's categories (agianst): correct the "
                    "annotation",
                    annotator="Chloé",
                ),
            ],
        ),
        distributions=[
            r.Distribution(
                layer="stance",
                kind="items",
                tagset=STANCES,
                annotators=HUMANS,
                counts=[[72, 69, 74], [85, 91, 80], [75, 72, 78], [0, 0, 0]],
                documents=[f"document-{d:02}" for d in range(1, 13)],
                document_counts=[[10 + d, 25 - d, 20 - d, 0] for d in range(12)],
                batches=["pilot", "main"],
                batch_counts=[[60, 92, 70, 0], [155, 164, 155, 0]],
            ),
            r.Distribution(
                layer="entities",
                kind="units",
                tagset=ENTITIES,
                annotators=HUMANS,
                counts=[[15, 14, 15], [18, 17, 16], [13, 9, 14]],
            ),
        ],
        items=[item_agreement()],
        units=[unit_agreement()],
        relations=[relation_agreement()],
        resampling=[
            r.Resampling(
                layer="stance",
                ties="random",
                n_annotators=3,
                n_items=240,
                points=[
                    r.ModificationPoint(k=k, modification_rate=m, interval=(m * 0.8, m * 1.2))
                    for k, m in [(1, 0.142), (2, 0.071), (3, 0.0)]
                ],
                signature=f"modification_rate|ties:random|input:3f9ac2d10b44|{VERSION}",
            )
        ],
        grids=[
            r.GridCurve(
                layer="entities",
                measure="gamma",
                degradation=name,
                magnitudes=[i / 10 for i in range(11)],
                means=[1 - rate * i / 10 for i in range(11)],
                intervals=[
                    (1 - rate * i / 10 - 0.03, min(1, 1 - rate * i / 10 + 0.03)) for i in range(11)
                ],
                trials=30,
                reading=r.GridReading(
                    value=0.724,
                    magnitude=0.276 / rate,
                    interval=(0.246 / rate, 0.306 / rate),
                )
                if rate > 0.3
                else r.GridReading(
                    value=0.724,
                    magnitude=float("nan"),
                    interval=(0.97, 1.0),
                    reason=Reason(ReasonCode.BELOW_CURVE, magnitude=1.0, lowest=0.75),
                ),
                signature=f"reading_grid|degradation:{name}|seed:7|{VERSION}",
            )
            for name, rate in [
                ("shift", 0.8),
                ("omission", 1.0),
                ("category", 0.7),
                ("split", 0.25),
            ]
        ],
        readings=[
            r.Reading(
                layer="stance",
                measure="krippendorff_alpha",
                value=0.6412,
                sentences=[
                    CodedWarning(
                        "enough_on_average",
                        {"layer": "stance", "target": 0.05, "reference": 25, "mean": 9, "most": 12},
                    ),
                    CodedWarning("coarse_difficulty", {"n": 3}),
                ],
            )
        ],
        reading_tables=[
            r.ReadingTable(
                layer="stance",
                measure="krippendorff_alpha",
                value=0.6412,
                n_reference=25,
                trials=200,
                points=[
                    r.ModificationPoint(k=k, modification_rate=m, interval=(m * 0.7, m * 1.4))
                    for k, m in [(3, 0.118), (5, 0.081), (9, 0.047), (15, 0.021)]
                ],
            )
        ],
        references=[
            r.ReferenceSummary(
                layer="stance",
                rule="majority",
                annotators=HUMANS,
                n_items=240,
                n_resolved=229,
                n_ties=11,
                n_unresolved=11,
                unresolved=[f"document-{d:02}, item {d}" for d in range(1, 12)],
                warnings=[CodedWarning("ties_by_rule", {"n": 11, "rule": "random"})],
                history=[
                    {
                        "item": "document-01, item 4",
                        "decision": "for",
                        "by": "Ana",
                        "when": "2026-02-24",
                        "why": "the second sentence settles it",
                    }
                ],
            )
        ],
        validity=[validity()],
        replacement=[replacement()],
        estimates=[estimates()],
        repairs=[
            r.Repair(layer=layer, first=first, second=second, count=count, out_of=out_of)
            for layer, first, second, count, out_of in (
                ("stance", "neutral", "for", 45, 343),
                ("stance", "against", "neutral", 36, 346),
                ("stance", "against", "for", 10, 326),
                ("entities", "organisation", "place", 6, 25),
                ("entities", "organisation", "person", 2, 19),
                ("entities", "person", "place", 1, 23),
            )
        ],
        disagreements=[
            r.Disagreement(
                document="harbour-01",
                layer="entities",
                where="211–225",
                cost=1.33,
                said={"Ana": "organisation 211–225", "Bruno": "", "Chloé": "person 215–225"},
                categories={"Ana": "organisation", "Bruno": "", "Chloé": "person"},
                case="entities|harbour-01|Ana=211-225:organisation;Chloé=215-225:person",
                batch="pilot",
                context="The port authority expects a normal week.",
                marked=(4, 18),
            ),
            r.Disagreement(
                document="document-04",
                layer="stance",
                where="item 17",
                cost=1.0,
                said={"Ana": "for", "Bruno": "against", "Chloé": "neutral"},
                case="stance|document-04|item 17",
                batch="main",
                context="They said the quay would be ready, and it was, almost.",
            ),
        ],
        history=[
            r.RunPoint(
                run=f"2026-02-{3 + 4 * i:02}",
                measure="krippendorff_alpha",
                layer="stance",
                value=v,
                interval=(v - 0.05, v + 0.05),
                started=f"2026-02-{3 + 4 * i:02}T09:00:00+00:00",
                guideline="v1.2" if i < 4 else "v1.3",
            )
            for i, v in enumerate([0.61, 0.66, 0.63, 0.67, 0.65, 0.69])
        ],
        drift=[
            r.Drift(
                layer="stance",
                measure="krippendorff_alpha",
                since="2026-02-23",
                difference=-0.049,
                interval=(-0.071, -0.027),
                n_documents=12,
                fell=True,
                n_runs=6,
                slope=0.003,
                slope_interval=(-0.008, 0.014),
            )
        ],
        alerts=[CodedWarning("rows_rejected", {"n": 3, "rows": 870})],
    )
