"""A campaign run and the quick looks on the same files: one number for one question."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from accordeur.metrics.agreement.distance_table import DistanceTable
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.measures import FOUND
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.distance_options import ChosenDistance
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.part_kind import PartKind
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.unit_options import GammaOptions
from accordeur.tasks.units.gamma_of_exports import gamma
from tests.flows.outcomes import results_of
from tests.flows.small import NO_GRID

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]
REPLICATES = 200
OF_UNITS = (
    "gamma", "soft_gamma", "holistic", "alpha_u", "u_alpha", "gamma_cat_empty_pairs", "pairwise_f",
)  # fmt: skip
OF_PAIRWISE_F: dict[str, Any] = {"min_overlap": 0.6, "tolerance": 3}


def campaign(folder: Path, source: str, more: str = "") -> Path:
    path = folder / "campaign.toml"
    path.write_text(
        f'[campaign]\nname = "One number"\n[[sources]]\n{source}\n{more}\n'
        f"{NO_GRID}[intervals]\nreplicates = {REPLICATES}\n[engine]\nworkers = 1\n",
        encoding="utf-8",
    )
    return path


def differences(run: Sequence[dict[str, Any]], quick: Sequence[Estimate]) -> list[str]:
    """Value, components, counts and interval by measure, to 1e-12."""
    of_quick = {one.measure: one for one in quick}
    found = []
    for value in run:
        other = of_quick[value["measure"]]
        pairs = {
            "value": (value["value"], other.value),
            "observed": (value["observed"], other.observed),
            "expected": (value["expected"], other.expected),
            "n_items": (value["n_items"], other.n_items),
            "n_annotators": (value["n_annotators"], other.n_annotators),
            "lower": (value["interval"][0], other.interval[0]),
            "upper": (value["interval"][1], other.interval[1]),
        }
        found += [
            f"{value['measure']}: {name} {of_run} in a run, {of_look} in a quick look"
            for name, (of_run, of_look) in pairs.items()
            if not equal(of_run, of_look)
        ]
    return found


def equal(first: float | None, second: float) -> bool:
    if first is None or math.isnan(second):
        return first is None and math.isnan(second)
    return math.isclose(first, second, rel_tol=0, abs_tol=1e-12)


def label_rows(n_documents: int, n_items: int) -> list[str]:
    """Items in the order of a shuffled table, with labels missing."""
    rng = random.Random(3)
    rows = []
    for d in range(n_documents):
        for i in range(n_items):
            truth = rng.choice("123")
            for who in ("anna", "ben", "chloe"):
                if rng.random() > 0.1:
                    label = truth if rng.random() > 0.3 else rng.choice("123")
                    rows.append(f"d{d},i{i},{who},{label}")
    rng.shuffle(rows)
    return rows


@pytest.mark.parametrize(
    ("n_documents", "distance", "complete"),
    [(12, "ordinal", False), (12, "nominal", True), (1, "nominal", False)],
)
def test_agreement_on_labels_is_that_of_agree(
    tmp_path: Path, run_campaign: Run, n_documents: int, distance: str, complete: bool
) -> None:
    table = tmp_path / "labels.csv"
    rows = label_rows(n_documents, 60 // n_documents)
    table.write_text("\n".join(["document,item,annotator,label", *rows]) + "\n", encoding="utf-8")
    measures = ("krippendorff_alpha", "fleiss_kappa", "percent_agreement", "gwet_ac1")
    measures += ("gwet_ac2",) if distance == "ordinal" else ()
    listed = json.dumps(list(measures))
    outcome, _ = run_campaign(
        campaign(
            tmp_path,
            'path = "labels.csv"\nformat = "table"\nlayer_names = { "" = "labels" }',
            f"[items]\nmeasures = {listed}\ncomplete = {str(complete).lower()}\n"
            f'[layers.labels]\ndistance = "{distance}"',
        )
    )
    [items] = results_of(outcome)["items"]
    asked = LabelOptions(
        measures=measures,
        distance=ChosenDistance(distance),
        complete=complete,
        replicates=REPLICATES,
    )
    quick = agree(table, Reading(), asked)
    assert differences(items["values"], quick.estimates) == []
    assert results_of(outcome)["validation"]["account"] == quick.rows.as_json()


@pytest.mark.long
def test_a_table_of_distances_gives_the_values_of_a_run_that_declares_it(
    tmp_path: Path, run_campaign: Run
) -> None:
    (tmp_path / "labels.csv").write_text(
        "\n".join(["document,item,annotator,label", *label_rows(12, 5)]) + "\n", encoding="utf-8"
    )
    (tmp_path / "units.csv").write_text(
        "\n".join(["document,annotator,start,end,category", *unit_rows()]) + "\n", encoding="utf-8"
    )
    outcome, _ = run_campaign(
        campaign(
            tmp_path,
            'path = "labels.csv"\nformat = "table"\nlayer_names = { "" = "labels" }\n'
            '[[sources]]\npath = "units.csv"\nformat = "table"\nlayer_names = { "" = "units" }',
            '[items]\nmeasures = ["krippendorff_alpha", "gwet_ac2"]\n[chance]\nprecision = 0.05\n'
            '[layers.labels]\ncategories = ["1", "2", "3"]\ndistance = { 1 = { 2 = 0.25 } }\n'
            '[layers.units]\ncategories = ["X", "Y", "Z"]\ndistance = { X = { Z = 0.5 } }\n',
        )
    )
    run = results_of(outcome)
    asked = LabelOptions(
        measures=("krippendorff_alpha", "gwet_ac2"),
        distance=ChosenDistance(table=DistanceTable((("2", "1", 0.25),))),
        replicates=REPLICATES,
    )
    quick = agree(tmp_path / "labels.csv", Reading(categories=("1", "2", "3")), asked)
    assert differences(run["items"][0]["values"], quick.estimates) == []
    first, *_ = quick.estimates
    assert f"distance:{first.how.distance}|" in (run["items"][0]["values"][0]["signature"])
    of_units = GammaOptions(
        distance=ChosenDistance(table=DistanceTable((("X", "Z", 0.5),))),
        precision=0.05,
        replicates=REPLICATES,
    )
    found = gamma([tmp_path / "units.csv"], Reading(categories=("X", "Y", "Z")), of_units).estimates
    kept = {one.measure for one in found}
    values = [one for one in run["units"][0]["values"] if one["measure"] in kept]
    assert differences(values, found) == []


def unit_rows() -> list[str]:
    """Units of three annotators in eight documents, without overlaps of one's own."""
    rng = random.Random(4)
    rows = []
    for d in range(8):
        for who in ("anna", "ben", "chloe"):
            for u in range(5):
                if rng.random() > 0.15:
                    start = 20 * u + rng.randint(0, 4)
                    category = "XYZ"[u % 3] if rng.random() > 0.2 else rng.choice("XYZ")
                    rows.append(f"d{d},{who},{start},{start + rng.randint(6, 12)},{category}")
    rng.shuffle(rows)
    return rows


@pytest.mark.long
def test_agreement_on_units_is_that_of_gamma(tmp_path: Path, run_campaign: Run) -> None:
    table = tmp_path / "units.csv"
    table.write_text(
        "\n".join(["document,annotator,start,end,category", *unit_rows()]) + "\n",
        encoding="utf-8",
    )
    listed = json.dumps(["gamma_cat", *OF_UNITS])
    outcome, _ = run_campaign(
        campaign(
            tmp_path,
            'path = "units.csv"\nformat = "table"',
            f"[units]\nmeasures = {listed}\nmin_overlap = 0.6\ntolerance = 3\n"
            '[chance]\nprecision = 0.05\n[[gates]]\nmeasure = "pairwise_f"\nat_least = 0.4\n',
        )
    )
    results = results_of(outcome)
    [units] = results["units"]
    quick: list[Estimate] = []
    for measure in OF_UNITS:
        own = OF_PAIRWISE_F if measure == "pairwise_f" else {}
        asked = GammaOptions(measure=measure, precision=0.05, replicates=REPLICATES, **own)
        found = gamma([table], Reading(), asked)
        quick += found.estimates
        if measure == "gamma":
            assert [one.measure for one in found.explained] == [*FOUND]
            assert differences(units["explained"], found.explained) == []
    assert {value["measure"] for value in units["values"]} == {one.measure for one in quick}
    assert differences(units["values"], quick) == []

    values = {one["measure"]: one for one in units["values"]}
    assert "min_overlap:0.6" in values["pairwise_f_overlap"]["signature"]
    assert "tolerance:3" in values["pairwise_f"]["signature"]
    kinds = {"pair": "per_pair", "annotator": "leave_one_out", "category": "per_category"}
    for by, key in kinds.items():
        asked = GammaOptions(measure="pairwise_f", replicates=REPLICATES, **OF_PAIRWISE_F)
        found = gamma([table], Reading(), asked, PartKind(by))
        parts = [one for one in units[key] if one["value"]["measure"] == "pairwise_f"]
        assert [one["name"] for one in parts] == [name for name, _ in found.parts]
        for one, (_, estimate) in zip(parts, found.parts, strict=True):
            assert differences([one["value"]], [estimate]) == []
    [gate] = results["gates"]
    assert gate["measure"] == "pairwise_f"
    assert gate["value"] == values["pairwise_f"]["value"]


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("bluebirds/bluebirds_long.csv", {}),
        ("hs_brexit/HS-Brexit_long.csv", {}),
        (
            "snow2008/rte.standardized.tsv",
            {"item": "orig_id", "annotator": "!amt_worker_ids", "label": "response"},
        ),
    ],
)
def test_agreement_on_real_labels_is_that_of_agree(
    tmp_path: Path, shared_data: Path, run_campaign: Run, file: str, options: dict[str, str]
) -> None:
    table = shared_data / file
    given = ", ".join(f'{name} = "{column}"' for name, column in options.items())
    source = f'path = "{table}"\nformat = "table"\noptions = {{ {given} }}'
    outcome, _ = run_campaign(campaign(tmp_path, source))
    [items] = results_of(outcome)["items"]
    measures = tuple(value["measure"] for value in items["values"])
    asked = LabelOptions(measures=measures, replicates=REPLICATES)
    found = agree(table, Reading(options=options), asked)
    assert differences(items["values"], found.estimates) == []


@pytest.mark.long
@pytest.mark.shared
def test_agreement_on_real_units_is_that_of_gamma(
    tmp_path: Path, shared_data: Path, run_campaign: Run
) -> None:
    project = shared_data / "bratiaa_example" / "example-project"
    source = f'path = "{project}"\nformat = "brat"'
    outcome, _ = run_campaign(campaign(tmp_path, source, "[chance]\nprecision = 0.05\n"))
    [units] = results_of(outcome)["units"]
    asked = GammaOptions(precision=0.05, replicates=REPLICATES)
    found = gamma([project], Reading(format="brat"), asked)
    assert differences(units["values"], found.estimates) == []
