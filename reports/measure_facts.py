"""Facts about a measure for its reference page and `accordeur measures`.

They come from its declaration, the catalogues and `measures.toml` beside this module, which has
formulas, ranges, undefined cases, best values and the names in other packages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from ..metrics.measure import DataKind, Family, Measure
from ..metrics.measures import BASELINES, GENERALISED, MEASURES
from .language import Language

_DETAILS = Path(__file__).parent / "measures.toml"
_AGREEMENT = {
    DataKind.ITEMS: "Agreement on items",
    DataKind.OBJECTS: "Agreement on objects",
    DataKind.UNITS: "Agreement on units",
    DataKind.RELATIONS: "Agreement on relations",
    DataKind.CHAINS: "Agreement on coreference chains",
    DataKind.RATINGS: "Reliability of ratings",
    DataKind.PAIRS_OF_RATINGS: "Differences of ratings",
    DataKind.TWO_GROUPS: "Agreement of two groups of annotators",
}
_SCORES = {
    DataKind.ITEMS: "Scores of labels",
    DataKind.DISTRIBUTIONS: "Scores against distributions of labels",
    DataKind.UNITS: "Scores of units",
    DataKind.CHAINS: "Scores of coreference chains",
    DataKind.SEGMENTS: "Scores of segmentations",
    DataKind.TURNS: "Scores of speakers' turns",
}
_FAMILIES = {
    Family.STABILITY: "Stability of a reference",
    Family.REFERENCE: "Error of a reference",
    Family.FORECAST: "Forecasts of reliability",
    Family.REPLACEMENT: "Replacement of an annotator",
    Family.CORPUS: "Estimates of a corpus",
    Family.RANKING: "Ranking of systems",
}
_MISSING = {
    "available": "all labels are used: a label alone on its item enters the expected agreement "
    "(Gwet 2014; setting missing:available), which `--complete` avoids",
    "paired": "labels alone on their item are not used (setting missing:paired)",
    "pairwise": "each pair of annotators is compared on the items that both labelled (setting "
    "missing:pairwise)",
    "complete": "only items that every annotator labelled are used (setting missing:complete)",
}


@cache
def details() -> Mapping[str, Mapping[str, str]]:
    """Return formula, range, undefined cases and peers by measure, as far as they are known.

    `better` is stated of signed measures, whose best value is neither the lowest nor the highest.
    """
    return tomllib.loads(_DETAILS.read_text(encoding="utf-8"))


def measure_groups() -> dict[str, list[Measure]]:
    """Return the measures under the titles of their lists; one with two purposes is in both."""
    known = MEASURES.values()
    groups = {
        title: [one for one in known if of in one.agreement] for of, title in _AGREEMENT.items()
    }
    groups |= {title: [one for one in known if of in one.scores] for of, title in _SCORES.items()}
    groups |= {
        title: [one for one in known if one.family is family] for family, title in _FAMILIES.items()
    }
    return groups


def formulas(one: Measure) -> list[str]:
    """Return its formula, one line per equation; [] for a measure without a formula here."""
    text = details().get(one.name, {}).get("formula", "")
    return text.split("; ") if text else []


def facts(one: Measure, say: Language) -> dict[str, str]:
    """Return what is known of a measure, by heading of its page."""
    detail = details().get(one.name, {})
    chance = f"measure.{one.name}.chance"
    found = {
        "Kind": str(one.family),
        "Compares": _listed(
            [f"annotators on {of}" for of in one.agreement]
            + [f"a system with a reference on {of}" for of in one.scores]
        ),
        "Range": detail.get("range", ""),
        "Better": _better(one),
        "Undefined when": detail.get("undefined", ""),
        "Missing labels": _missing(one),
        "In other packages": detail.get("peers", ""),
        "Variants": _listed(f"`{variant}_{one.name}`" for variant in one.variants),
        "Chance model": say(chance, process="") if say.knows(chance) else "",
    }
    return {heading: text for heading, text in found.items() if text}


def _missing(one: Measure) -> str:
    of_two, of_more = (_MISSING.get(one.missing(n), "") for n in (2, 3))
    if one.name in GENERALISED or of_two == of_more:
        return of_two
    return f"of two annotators, {of_two}; of more, {of_more}"


def _better(one: Measure) -> str:
    if better := details().get(one.name, {}).get("better"):
        return better
    if one.family is Family.CORPUS:
        return "no direction: a property of the corpus"
    if one.name in BASELINES:
        return "no direction: a baseline that a system should exceed"
    return "lower" if one.lower_is_better else "higher"


def example(one: Measure) -> str:
    """Return a command that computes the measure; "" if only campaigns or Python do."""
    if {DataKind.ITEMS, DataKind.RATINGS}.intersection(one.agreement):
        return f"accordeur agree labels.csv --measure {one.name}"
    if DataKind.OBJECTS in one.agreement:
        return f"accordeur agree transcripts.csv --distance word_error --measure {one.name}"
    if DataKind.UNITS in one.agreement:
        return f"accordeur gamma exports/ --measure {one.gives[0]}"
    if one.name == "modification_rate":
        return "accordeur resample labels.csv"
    if one.family is Family.REPLACEMENT:
        return "accordeur replace labels.csv --system gpt --expertise expert"
    if one.family is Family.RANKING:
        return "accordeur rank preferences.csv"
    if one.family is Family.CORPUS:
        return "accordeur estimate labels.csv --system gpt --audit-is-random"
    if one.scores == (DataKind.DISTRIBUTIONS,):
        return f"accordeur score --reference annotators.csv --system mine.csv --measure {one.name}"
    if one.scores:
        return f"accordeur score --reference gold --system mine --measure {one.name}"
    return ""


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
