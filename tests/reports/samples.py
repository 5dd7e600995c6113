"""Results documents made by hand for the tests of the page: typical, pathological, empty, large.

The figures are plausible, not computed: what is tested here is how they are shown.
"""

from __future__ import annotations

import math
import random
from itertools import combinations

from reports import results as r

VERSION = "version:0.1.0"
HUMANS = ["Ana", "Bruno", "Chloé"]
STANCES = ["against", "neutral", "for", "unclear"]
ENTITIES = ["person", "place", "organisation"]

TEXTS = {
    "harbour-01": (
        "The harbour of Sète reopened on Monday after a week of gales, and Marie Lambert, who has "
        "run the fish auction for Criée Atlantique since 2009, was there before dawn. Three boats "
        "from Marseille had already unloaded. The port authority expects a normal week."
    ),
    "harbour-02": (
        "Nobody at the Institute for Coastal Studies believed the first reading. Paul Deschamps "
        "drove to Agde to look at the gauge himself; the mayor of Agde came along."
    ),
    "council-03": (
        "The council of Lyon voted to close the ring road on Sundays. Green Rhône, which had "
        "asked for it since spring, called the vote a start."
    ),
    "council-04": "Samira Haddad will speak for the Rhône delegation in Geneva on Thursday.",
}
SPANS = {
    "harbour-01": [
        ("Sète", 1),
        ("Marie Lambert", 0),
        ("Criée Atlantique", 2),
        ("Marseille", 1),
        ("port authority", 2),
    ],
    "harbour-02": [
        ("Institute for Coastal Studies", 2),
        ("Paul Deschamps", 0),
        ("Agde", 1),
        ("mayor of Agde", 0),
    ],
    "council-03": [("council of Lyon", 2), ("Lyon", 1), ("Green Rhône", 2)],
    "council-04": [("Samira Haddad", 0), ("Rhône", 1), ("Geneva", 1)],
}


def value(
    measure: str,
    number: float,
    *,
    observed: float = math.nan,
    expected: float = math.nan,
    half: float = 0.05,
    reason: str = "",
    n_items: int = 240,
    n_annotators: int = 3,
    settings: str = "distance:nominal|missing:pairwise",
) -> r.Value:
    undefined = math.isnan(number)
    interval = (math.nan, math.nan) if undefined or half == 0 else (number - half, number + half)
    return r.Value(
        measure=measure,
        value=number,
        reason=reason or ("single category used" if undefined else ""),
        observed=observed,
        expected=expected,
        interval=interval,
        n_items=n_items,
        n_annotators=n_annotators,
        signature=f"{measure}|{settings}|seed:7|input:3f9ac2d10b44|{VERSION}",
    )


def run(**changes: object) -> r.Run:
    fields: dict[str, object] = {
        "version": "0.1.0",
        "input_hash": "3f9ac2d10b44",
        "config_hash": "77ab01c2de90",
        "seed": 7,
        "command": "accordeur run campaign.toml --seed 7",
        "started": "2026-03-02T06:00:00Z",
        "versions": {"python": "3.11.9", "numpy": "2.4.6", "prefect": "3.8.8"},
        "inputs": {
            "exports/ana/harbour-01.ann": "9c1185a5c5e9fc54612808977ee8f548b2258d31",
            "exports/labels.csv": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f2",
        },
        "stages": [
            r.Stage(name="ingest", seconds=1.2, n_tasks=3),
            r.Stage(name="agreement", seconds=4.0, n_tasks=2, n_reused=1),
        ],
    }
    return r.Run.model_validate(fields | changes)


def _dissimilarity(u: r.AlignedUnit, v: r.AlignedUnit) -> float:
    spread = abs(u.start - v.start) + abs(u.end - v.end)
    position = (spread / ((u.end - u.start) + (v.end - v.start))) ** 2
    return position + (u.category != v.category)


def alignment(
    document: str,
    text: str,
    spans: list[tuple[str, int]],
    annotators: list[str],
    tagset: list[str],
    *,
    seed: int,
) -> r.Alignment:
    """Annotators who shift, drop and recategorise the spans; each span is a unitary alignment."""
    chance = random.Random(seed)
    units: list[r.AlignedUnit] = []
    tuples: list[r.UnitaryAlignment] = []
    after = 0
    for surface, category in spans:
        start = text.find(surface, after)
        start = text.find(surface) if start < 0 else start
        after = start
        members: list[int] = []
        for annotator in annotators:
            if chance.random() < 0.15:
                continue
            shift = 4 if chance.random() < 0.2 and start >= 4 else 0
            swapped = chance.random() < 0.15
            code = (category + 1) % len(tagset) if swapped else category
            begin, end = start - shift, start + len(surface)
            members.append(len(units))
            units.append(
                r.AlignedUnit(
                    annotator=annotator,
                    start=begin,
                    end=end,
                    category=tagset[code],
                    unit=f"T{len(units) + 1}",
                    text=text[begin:end],
                )
            )
        if members:
            n = len(annotators)
            pairs = n * (n - 1) / 2
            cost = sum(_dissimilarity(units[i], units[j]) for i, j in combinations(members, 2))
            missing = pairs - len(members) * (len(members) - 1) / 2
            disorder = (cost + missing) / pairs
            tuples.append(r.UnitaryAlignment(units=members, disorder=disorder))
    disorder = sum(t.disorder for t in tuples) / max(len(units) / len(annotators), 1)
    return r.Alignment(
        document=document,
        length=len(text),
        text=text,
        annotators=annotators,
        units=units,
        alignments=tuples,
        disorder=disorder,
    )


def _named(measure: str, numbers: dict[str, float], **settings: object) -> list[r.Named]:
    return [
        r.Named(name=name, value=value(measure, number, half=0.08, n_items=80))
        for name, number in numbers.items()
    ]


def _item_agreement() -> r.ItemAgreement:
    alpha = "krippendorff_alpha"
    return r.ItemAgreement(
        layer="stance",
        tagset=STANCES,
        annotators=HUMANS,
        n_items=240,
        n_unpaired=6,
        n_duplicates=1,
        values=[
            value(alpha, 0.6412, observed=0.787, expected=0.4064),
            value("percent_agreement", 0.787),
            value("bennett_s", 0.716, observed=0.787, expected=0.25),
            value("fleiss_kappa", 0.6407, observed=0.787, expected=0.4072),
            value("conger_kappa", 0.6431, observed=0.787, expected=0.4031),
            value("gwet_ac1", 0.7344, observed=0.787, expected=0.198),
            value("krippendorff_alpha", 0.713, half=0.06, settings="distance:ordinal"),
        ],
        per_category=[
            *_named(alpha, {"against": 0.742, "neutral": 0.561, "for": 0.688}),
            r.Named(
                name="unclear", value=value(alpha, math.nan, reason="category never used", half=0)
            ),
        ],
        per_pair=_named(
            alpha, {"Ana × Bruno": 0.701, "Ana × Chloé": 0.653, "Bruno × Chloé": 0.569}
        ),
        leave_one_out=_named(alpha, {"Ana": 0.569, "Bruno": 0.653, "Chloé": 0.701}),
        per_document=_named(alpha, {f"document-{d:02}": 0.3 + 0.05 * d for d in range(1, 12)})
        + [r.Named(name="document-12", value=value(alpha, math.nan, n_items=4))],
        confusions=[
            r.Confusion(
                row_annotator="Ana",
                column_annotator="Bruno",
                matrix=[[61, 9, 2, 0], [7, 70, 8, 0], [1, 11, 62, 0], [0, 0, 0, 0]],
            ),
            r.Confusion(
                row_annotator="Bruno",
                column_annotator="Chloé",
                matrix=[[58, 8, 3, 0], [12, 66, 12, 0], [4, 14, 54, 0], [0, 0, 0, 0]],
            ),
        ],
        proposed_distances={
            "d_alpha": [
                [0, 0.79, 0.97, 1],
                [0.79, 0, 0.82, 1],
                [0.97, 0.82, 0, 1],
                [1, 1, 1, 0],
            ]
        },
        findings=[
            r.Finding(
                rule="unused_category",
                title="A category of the tagset was never used",
                text="Nobody used “unclear”; S counts it among its 4 categories.",
                advice="Take it out of the tagset, or say in the guideline when it applies.",
                figures={"category": "unclear", "S with it": 0.716, "S without it": 0.681},
            ),
            r.Finding(
                rule="confused_categories",
                title="Two categories are often exchanged",
                text="“neutral” and “for” were exchanged in 43 of 240 pairs of labels.",
                advice="Discuss the items listed below and give the guideline a test for them.",
                figures={"exchanged": 43, "pairs": 240},
                severity="warning",
            ),
        ],
        intra=_named(alpha, {"Ana": 0.88, "Chloé": 0.79}),
        universes=[
            r.Universe(
                name="all tokens",
                n_items=18985,
                values=[
                    value("fleiss_kappa", 0.801199, observed=0.996116, expected=0.980464, half=0),
                    value("bennett_s", 0.994174, observed=0.996116, half=0),
                ],
                confusion=r.Confusion(
                    row_annotator="Ana",
                    column_annotator="Bruno",
                    matrix=[[71, 13, 23], [8, 69, 15], [7, 8, 18840]],
                ),
            ),
            r.Universe(
                name="candidates only",
                n_items=1096,
                values=[
                    value("fleiss_kappa", 0.775568, observed=0.936481, half=0),
                    value("bennett_s", 0.904721, observed=0.936481, half=0),
                ],
            ),
        ],
    )


def _unit_agreement() -> r.UnitAgreement:
    chance = random.Random(3)
    samples = [chance.gauss(1.42, 0.05) for _ in range(300)]
    gamma = "gamma"
    unit_settings = "dissimilarity:positional|alpha:1|beta:1|delta:1|chance:random2"
    pictures = [
        alignment(name, TEXTS[name], SPANS[name], HUMANS, ENTITIES, seed=seed)
        for seed, name in enumerate(TEXTS, 11)
    ]
    pictures.sort(key=lambda a: -a.disorder)
    return r.UnitAgreement(
        layer="entities",
        tagset=ENTITIES,
        annotators=HUMANS,
        n_units=131,
        n_documents=12,
        values=[
            value(gamma, 0.724, observed=0.392, expected=1.42, n_items=131, settings=unit_settings),
            value("gamma_cat", 0.811, n_items=118, settings=unit_settings),
            value("holistic", 0.693, observed=0.41, expected=1.336, settings=unit_settings),
            value("alpha_u", 0.655, n_items=131, settings="variant:2016"),
        ],
        chance=[
            r.ChanceProcess(
                process="random2",
                n_samples=300,
                mean=1.42,
                standard_deviation=0.05,
                precision=0.004,
                samples=samples,
                chosen=True,
            ),
            r.ChanceProcess(
                process="shuffle",
                n_samples=64,
                mean=1.51,
                standard_deviation=0.06,
                precision=0.0098,
                samples=[s + 0.09 for s in samples[:64]],
            ),
            r.ChanceProcess(
                process="statistical",
                n_samples=0,
                mean=math.nan,
                reason="fewer than two documents with units",
            ),
        ],
        observed_disorder=0.392,
        per_category=_named(gamma, {"person": 0.81, "place": 0.77, "organisation": 0.55}),
        per_pair=_named(gamma, {"Ana × Bruno": 0.76, "Ana × Chloé": 0.72, "Bruno × Chloé": 0.69}),
        leave_one_out=_named(gamma, {"Ana": 0.69, "Bruno": 0.72, "Chloé": 0.76}),
        per_document=_named(gamma, {a.document: 1 - a.disorder / 1.42 for a in pictures}),
        alignments=pictures,
    )


def _validity() -> r.Validity:
    def scores(system: str, shift: float) -> r.SystemScores:
        named = {"precision": 0.81, "recall": 0.74, "f1": 0.773, "slot_error_rate": 0.36}
        return r.SystemScores(
            system=system,
            layer="entities",
            kind="units",
            values=[
                value(m, v + shift, n_items=120, settings="match:exact|average:micro")
                for m, v in named.items()
            ],
            per_category=_named("f1", {"person": 0.84 + shift, "organisation": 0.61 + shift}),
            errors={"boundary": 9, "category": 7, "missing": 14, "spurious": 6},
        )

    return r.Validity(
        reference="adjudicated",
        systems=[scores("tagger-A", 0.0), scores("tagger-B", -0.06)],
        comparisons=[
            r.SystemComparison(
                layer="entities",
                measure="f1",
                first="tagger-A",
                second="tagger-B",
                difference=0.06,
                interval=(0.011, 0.108),
                p_value=0.012,
                p_corrected=0.024,
            )
        ],
        human_range=[scores("Bruno", 0.08), scores("Ana", 0.11)],
        baselines=[
            r.SystemScores(
                system="reference against itself by chance",
                layer="entities",
                kind="units",
                values=[value("expected_agreement", 0.41, half=0)],
            )
        ],
    )


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
                passed=False,
            ),
            r.Gate(
                measure="gamma",
                layer="entities",
                threshold=0.6,
                value=0.674,
                passed=True,
                on="lower bound",
            ),
            r.Gate(measure="coverage", operator=">=", threshold=0.9, value=0.944, passed=True),
        ],
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
            expectations=[
                r.Expectation(
                    name="start_before_end",
                    table="units",
                    passed=False,
                    n_rows=134,
                    n_unexpected=2,
                    examples=["12, 12"],
                    description="Each unit starts before it ends",
                ),
                r.Expectation(
                    name="known_category",
                    table="labels",
                    passed=False,
                    n_rows=736,
                    n_unexpected=1,
                    examples=["agianst"],
                    description="Each label belongs to the tagset",
                ),
                r.Expectation(
                    name="known_annotator",
                    table="assignments",
                    passed=True,
                    n_rows=36,
                    description="Each annotator has a role",
                ),
            ],
            rejected=[
                r.RejectedRow(
                    source="exports/ana/harbour-01.ann",
                    where="line 3",
                    rule="start_before_end",
                    value="12, 12",
                    table="units",
                    message="`end` (12) is not after `start` (12)",
                    document="harbour-01",
                    annotator="Ana",
                    link="../exports/ana/harbour-01.ann",
                ),
                r.RejectedRow(
                    source="exports/bruno/council-03.ann",
                    where="line 8",
                    rule="start_before_end",
                    value="40, 31",
                    table="units",
                    message="`end` (31) is before `start` (40)",
                    document="council-03",
                    annotator="Bruno",
                ),
                r.RejectedRow(
                    source="exports/labels.csv",
                    where="line 211",
                    rule="known_category",
                    value="agianst",
                    table="labels",
                    document="document-09",
                    message="“agianst” is not in the tagset",
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
        items=[_item_agreement()],
        units=[_unit_agreement()],
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
                measure="gamma",
                degradation=name,
                magnitudes=[i / 10 for i in range(11)],
                means=[1 - rate * i / 10 for i in range(11)],
                intervals=[
                    (1 - rate * i / 10 - 0.03, min(1, 1 - rate * i / 10 + 0.03)) for i in range(11)
                ],
                signature=f"reading_grid|degradation:{name}|seed:7|{VERSION}",
            )
            for name, rate in [("shift", 0.8), ("omission", 1.0), ("category", 0.7)]
        ],
        readings=[
            r.Reading(
                measure="gamma",
                value=0.724,
                sentences=[
                    "On units like yours, γ = 0.72 is also what leaving out 28 % of the units gives."
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
                warnings=["Three annotators: one changed label moves the majority."],
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
        validity=[_validity()],
        disagreements=[
            r.Disagreement(
                document="harbour-01",
                layer="entities",
                where="211–225",
                cost=1.33,
                said={"Ana": "organisation", "Bruno": "", "Chloé": "person"},
                context="The port authority expects a normal week.",
            ),
            r.Disagreement(
                document="document-04",
                layer="stance",
                where="item 17",
                cost=1.0,
                said={"Ana": "for", "Bruno": "against", "Chloé": "neutral"},
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
            )
            for i, v in enumerate([0.61, 0.66, 0.63, 0.67, 0.65, 0.69])
        ],
        alerts=["The agreement of Bruno with the others fell in the last batch (0.57)."],
    )


def pathological() -> r.Results:
    """Names that break pages, 300 categories, one document, nothing agreed, nothing defined."""
    wicked = '<script>alert("x")</script>'
    quoted = 'O\'Brien "Bob" & sons 🎻 </td>'
    tagset = [wicked, "a" * 120, "עברית", *(f"category {i:03}" for i in range(297))]
    undefined = value("krippendorff_alpha", math.nan, reason="no item with two labels", half=0)
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
                passed=False,
                reason="no item with two labels",
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
                    where="line 1",
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
                findings=[
                    r.Finding(
                        rule="new",
                        title=wicked,
                        text=quoted,
                        advice="",
                        figures={wicked: quoted, "x": math.nan},
                    )
                ],
            )
        ],
        units=[
            r.UnitAgreement(
                layer="spans",
                tagset=[wicked],
                annotators=[quoted, wicked],
                n_units=0,
                n_documents=1,
                values=[value("gamma", math.nan, reason="no unit at all", half=0)],
                chance=[
                    r.ChanceProcess(
                        process="random2",
                        n_samples=0,
                        mean=math.nan,
                        reason="fewer documents than annotators",
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
                        values=[value("f1", math.nan, reason="no unit in the reference")],
                    )
                ],
            )
        ],
        disagreements=[
            r.Disagreement(
                document=wicked,
                layer=wicked,
                where=quoted,
                cost=math.inf,
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


def large(n_documents: int = 1000, n_annotators: int = 5, n_pictures: int = 60) -> r.Results:
    """A campaign of a thousand documents: what a flow hands over, capped where it caps."""
    chance = random.Random(1)
    annotators = [f"annotator-{a}" for a in range(n_annotators)]
    names = [f"document-{d:05}" for d in range(n_documents)]
    words = ["coast", "harbour", "of", "the", "Lambert", "Marseille", "gales", "quay", "port"]
    pictures = []
    for d in range(n_pictures):
        chosen = [chance.choice(words) for _ in range(240)]
        text = " ".join(chosen)
        spans = sorted(
            ((word, chance.randrange(3)) for word in chance.choices(chosen, k=25)),
            key=lambda span: text.find(span[0]),
        )
        pictures.append(alignment(names[d], text, spans, annotators, ENTITIES, seed=d))
    alpha = "krippendorff_alpha"
    pairs = [f"{a} × {b}" for a, b in combinations(annotators, 2)]
    per_document = [
        r.Named(name=name, value=value(alpha, chance.uniform(-0.1, 1))) for name in names
    ]
    rejected = [
        r.RejectedRow(
            source=f"exports/{name}.ann",
            where="line 3",
            rule="start_before_end",
            value="12, 12",
            message="`end` (12) is not after `start` (12)",
            document=name,
            table="units",
        )
        for name in names[:500]
    ]
    states = ["finished", "finished", "finished", "finished_empty", "unfinished", "not_assigned"]
    base = typical()
    return base.model_copy(
        update={
            "coverage": r.Coverage(
                documents=names[:300],
                annotators=annotators,
                n_documents=n_documents,
                states=[[chance.choice(states) for _ in annotators] for _ in names[:300]],
                counts={
                    "finished": 4000,
                    "unfinished": 300,
                    "finished_empty": 400,
                    "not_assigned": 300,
                },
            ),
            "validation": base.validation.model_copy(
                update={
                    "rows_in": 900_000,
                    "rows_accepted": 899_500,
                    "rows_rejected": 500,
                    "rejected": rejected,
                }
            )
            if base.validation
            else None,
            "items": [
                base.items[0].model_copy(
                    update={
                        "annotators": annotators,
                        "n_items": 100_000,
                        "per_document": per_document,
                        "per_pair": [
                            r.Named(name=p, value=value(alpha, chance.uniform(0.4, 0.8)))
                            for p in pairs
                        ],
                        "confusions": [
                            base.items[0]
                            .confusions[0]
                            .model_copy(
                                update={
                                    "row_annotator": p.split(" × ")[0],
                                    "column_annotator": p.split(" × ")[1],
                                }
                            )
                            for p in pairs
                        ],
                    }
                )
            ],
            "units": [
                base.units[0].model_copy(
                    update={
                        "annotators": annotators,
                        "n_documents": n_documents,
                        "n_units": 125_000,
                        "per_document": [
                            n.model_copy(update={"value": value("gamma", 0.5)})
                            for n in per_document
                        ],
                        "alignments": pictures,
                    }
                )
            ],
            "distributions": [
                base.distributions[0].model_copy(
                    update={
                        "annotators": annotators,
                        "counts": [[900] * n_annotators] * 4,
                        "documents": names,
                        "document_counts": [[chance.randrange(40) for _ in STANCES] for _ in names],
                    }
                )
            ],
            "disagreements": [
                r.Disagreement(
                    document=chance.choice(names),
                    layer="stance",
                    where=f"item {i}",
                    cost=1 - i / 500,
                    said={a: chance.choice(STANCES) for a in annotators},
                    context=" ".join(chance.choices(words, k=40)),
                )
                for i in range(500)
            ],
        }
    )
