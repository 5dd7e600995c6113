"""The layers of the typical sample: items, units, systems."""

from __future__ import annotations

import math
import random

from accordeur.metrics.coded_warning import Finding
from accordeur.metrics.effect_of_omission import EffectKind
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.metrics.results import ReferenceCoverage
from accordeur.reports import results as r
from tests.reports.samples.parts import (
    ENTITIES,
    HUMANS,
    SPANS,
    STANCES,
    TEXTS,
    alignment,
    named,
    value,
)

UNUSED = Reason(ReasonCode.UNUSED_CATEGORY)


def effects() -> list[r.Effect]:
    """On α of the stance: three annotators, two categories."""
    figures = [
        (EffectKind.annotator, ("Chloé",), 0.06, 0.03),
        (EffectKind.categories, ("neutral", "for"), 0.021, 0.04),
        (EffectKind.annotator, ("Bruno",), 0.012, 0.03),
        (EffectKind.annotator, ("Ana",), -0.072, 0.03),
    ]
    return [
        r.Effect(
            kind=kind,
            names=names,
            measure="krippendorff_alpha",
            value=0.6412 + difference,
            difference=difference,
            standard_error=half / 2.4,
            n_documents=12,
            interval=(difference - half, difference + half),
            n_candidates=len(figures),
        )
        for kind, names, difference, half in figures
    ]


def causes() -> list[r.Cause]:
    """Of the stance: an annotator, and two categories that are exchanged in a batch."""
    return [
        r.Cause(
            annotator="Chloé", share=0.18, interval=(0.09, 0.27), n=120, n_compared=464,
            n_rest=28, n_compared_rest=232,
        ),
        r.Cause(
            kind="category", categories=["neutral", "for"], part="batch", part_name="main",
            share=0.06, interval=(0.02, 0.1), n=31, n_compared=380,
        ),
    ]  # fmt: skip


def actions() -> list[r.Action]:
    """On α of the stance, which its gate wants to be .667."""
    lost = 1 - 0.6412
    return [
        r.Action(
            kind=r.ActionKind.cause,
            layer="stance",
            measure="krippendorff_alpha",
            cause=cause,
            gain=cause.share * lost,
            interval=(cause.interval[0] * lost, cause.interval[1] * lost),
            value=0.6412 + cause.share * lost,
            distance=max(0.0, 0.667 - 0.6412 - cause.share * lost),
        )
        for cause in causes()
    ]


def item_agreement() -> r.ItemAgreement:
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
            *named(alpha, {"against": 0.742, "neutral": 0.561, "for": 0.688}),
            r.Named(name="unclear", value=value(alpha, math.nan, reason=UNUSED, half=0)),
        ],
        per_pair=named(alpha, {"Ana – Bruno": 0.701, "Ana – Chloé": 0.653, "Bruno – Chloé": 0.569}),
        leave_one_out=named(alpha, {"Ana": 0.569, "Bruno": 0.653, "Chloé": 0.701}),
        per_document=[
            *(
                r.Named(
                    name=f"document-{d:02}",
                    value=value(alpha, 0.3 + 0.05 * d, half=0.08, n_items=12 + 5 * d % 17),
                )
                for d in range(1, 12)
            ),
            r.Named(name="document-12", value=value(alpha, math.nan, n_items=4)),
        ],
        coincidences=[
            [187, 24.5, 9.5, 0],
            [24.5, 201, 33, 0],
            [9.5, 33, 183, 0],
            [0, 0, 0, 0],
        ],
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
            Finding(
                "unused_categories",
                {
                    "n_declared": 4,
                    "n_used": 3,
                    "unused": "unclear",
                    "bennett_s": 0.716,
                    "bennett_s_used": 0.681,
                },
            ),
            Finding(
                "confused_categories",
                {
                    "first": "neutral",
                    "second": "for",
                    "second_given_first": 0.18,
                    "first_given_second": 0.21,
                    "d_alpha": 0.82,
                    "d_kappa_w": 0.7,
                },
                severity="warning",
            ),
        ],
        effects=effects(),
        causes_of=["krippendorff_alpha", "fleiss_kappa"],
        unexamined=["pairs", "hours", "positions"],
        causes=causes(),
        n_candidates=31,
        intra=named(alpha, {"Ana": 0.88, "Chloé": 0.79}),
        universes=[
            r.Universe(
                name="all tokens",
                n_items=18985,
                values=(
                    value("fleiss_kappa", 0.801199, observed=0.996116, expected=0.980464),
                    value("bennett_s", 0.994174, observed=0.996116, half=0),
                ),
                confusion=r.Confusion(
                    row_annotator="Ana",
                    column_annotator="Bruno",
                    matrix=[[71, 13, 23], [8, 69, 15], [7, 8, 18840]],
                ),
            ),
            r.Universe(
                name="candidates",
                n_items=1096,
                values=(
                    value("fleiss_kappa", 0.775568, observed=0.936481, half=0),
                    value("bennett_s", 0.904721, observed=0.936481, half=0),
                ),
            ),
        ],
    )


def unit_agreement() -> r.UnitAgreement:
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
                reason=Reason(ReasonCode.NO_CHANCE_UNIT),
            ),
        ],
        observed_disorder=0.392,
        per_category=named(gamma, {"person": 0.81, "place": 0.77, "organisation": 0.55}),
        per_pair=named(gamma, {"Ana – Bruno": 0.76, "Ana – Chloé": 0.72, "Bruno – Chloé": 0.69}),
        leave_one_out=named(gamma, {"Ana": 0.69, "Bruno": 0.72, "Chloé": 0.76}),
        per_document=[
            r.Named(
                name=one.document,
                value=value(gamma, 1 - one.disorder / 1.42, half=0.08, n_items=len(one.units)),
            )
            for one in pictures
        ],
        alignments=pictures,
    )


def validity() -> r.Validity:
    def scores(system: str, shift: float, without: str = "") -> r.SystemScores:
        rates = {
            "exact_precision": 0.81,
            "exact_recall": 0.74,
            "exact_f": 0.773,
            "slot_error_rate": 0.36,
        }
        return r.SystemScores(
            system=system,
            layer="entities",
            kind="units",
            without=without,
            values=[
                value(m, v + shift, n_items=120, settings="match:exact|average:micro")
                for m, v in rates.items()
            ],
            per_category=named("exact_f", {"person": 0.84 + shift, "organisation": 0.61 + shift}),
            errors={"boundary": 9, "category": 7, "missing": 14, "spurious": 6},
        )

    return r.Validity(
        reference="adjudicated",
        layer="entities",
        kind="units",
        coverage=ReferenceCoverage(120, 126, 14),
        systems=[scores("tagger-A", 0.0), scores("tagger-B", -0.06)],
        comparisons=[
            r.SystemComparison(
                layer="entities",
                measure="exact_f",
                first="tagger-A",
                second="tagger-B",
                difference=0.06,
                interval=(0.011, 0.108),
                p_value=0.012,
                p_corrected=0.024,
            )
        ],
        humans=[scores("Bruno", 0.1), scores("Ana", 0.14)],
        human_range=[scores("Bruno", 0.08, "Bruno"), scores("Ana", 0.11, "Ana")],
        baselines=[
            r.SystemScores(
                system="reference by itself",
                layer="entities",
                kind="units",
                values=[value("reference_by_itself", 0.41, half=0)],
            )
        ],
    )


def relation_agreement() -> r.RelationAgreement:
    alpha, f = "krippendorff_alpha", "mutual_f"
    return r.RelationAgreement(
        layer="entities",
        tagset=["lives in", "works for", ""],
        annotators=HUMANS,
        n_documents=12,
        n_relations=64,
        n_left_out=3,
        n_repeated=1,
        values=[
            r.Named(name="presence", value=value(alpha, 0.574, observed=0.972, expected=0.934)),
            r.Named(name="category", value=value(alpha, 0.551, observed=0.97, expected=0.933)),
            r.Named(name="typing", value=value(alpha, 0.81, observed=0.9, expected=0.474)),
            r.Named(name="presence_f", value=value(f, 0.588, n_items=51)),
            r.Named(name="category_f", value=value(f, 0.561, n_items=53)),
        ],
        per_category=named(f, {"lives in": 0.62, "works for": 0.48, "": 0.5}),
        per_pair=named(f, {"Ana – Bruno": 0.6, "Ana – Chloé": 0.55, "Bruno – Chloé": 0.53}),
        chain_categories=["Equiv"],
        n_mentions=23,
        n_chains=17,
        chains=[
            value(alpha, 0.702, settings="distance:passonneau2004", n_items=23),
            value(alpha, 0.655, settings="distance:masi", n_items=23),
            *(
                value(measure, number, n_items=23)
                for measure, number in (
                    ("muc", 0.733), ("b_cubed", 0.79), ("ceaf_m", 0.74), ("ceaf_e", 0.71),
                    ("blanc", 0.68),
                )
            ),
        ],
    )  # fmt: skip
