"""Pieces of the samples: values, runs, alignments of annotators who shift and swap."""

from __future__ import annotations

import math
import random
from itertools import combinations

from accordeur.metrics.estimate import Estimate
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.metrics.signature import How
from accordeur.reports import results as r

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
    reason: Reason | None = None,
    n_items: int = 240,
    n_annotators: int = 3,
    settings: str = "distance:nominal|missing:pairwise",
) -> Estimate:
    undefined = math.isnan(number)
    interval = (math.nan, math.nan) if undefined or half == 0 else (number - half, number + half)
    return Estimate(
        measure=measure,
        value=number,
        reason=reason or (Reason(ReasonCode.SINGLE_CATEGORY) if undefined else None),
        observed=observed,
        expected=expected,
        interval=interval,
        n_items=n_items,
        n_annotators=n_annotators,
        how=How.read(f"{measure}|{settings}|seed:7|input:3f9ac2d10b44|{VERSION}"),
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


def named(measure: str, numbers: dict[str, float]) -> list[r.Named]:
    return [
        r.Named(name=name, value=value(measure, number, half=0.08, n_items=80))
        for name, number in numbers.items()
    ]
