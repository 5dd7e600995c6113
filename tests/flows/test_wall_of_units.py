"""Rows of a system or a reference change no value of agreement on units."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import accordeur as acc
from accordeur.metrics.measures import UNITS
from accordeur.tasks.calibration.calibrate import calibrate, material_of_exports
from accordeur.tasks.inputs.distance_options import ChosenDistance
from accordeur.tasks.inputs.label_options import PlanOptions
from accordeur.tasks.inputs.part_kind import PartKind
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.results_of_exports import ExportResults
from accordeur.tasks.inputs.unit_options import CalibrationOptions, GammaOptions
from accordeur.tasks.planning.pilot import read_pilot
from accordeur.tasks.units.gamma_differences import gamma_against
from accordeur.tasks.units.gamma_of_exports import gamma
from tests.flows.outcomes import results_of
from tests.flows.small import NO_GRID

HEADER = "document,annotator,role,layer,start,end,category"
FAST: dict[str, Any] = {"precision": 0.3, "max_samples": 60, "replicates": 30}


def human_rows() -> list[str]:
    """Units of three annotators with the categories 1 and 2, without overlaps of one's own."""
    rng = random.Random(5)
    rows = []
    for d in range(6):
        for who in ("anna", "ben", "cleo"):
            for u in range(4):
                if rng.random() > 0.2:
                    start = 20 * u + rng.randint(0, 4)
                    category = rng.choice("12") if rng.random() < 0.3 else "12"[u % 2]
                    rows.append(f"d{d},{who},human,events,{start},{start + 9},{category}")
    return rows


def rows_of_others() -> list[str]:
    """A system and a reference with other categories, documents and layers, and a later pass."""
    rows = []
    for who, role in (("tagger", "system"), ("gold", "reference")):
        for d in (0, 3, 7):
            marked = ((12 * u, 12 * u + 7, u + 1) for u in range(9))
            rows += [f"d{d},{who},{role},events,{a},{b},{category}" for a, b, category in marked]
            rows.append(f"d{d},{who},{role},mood,0,5,happy")
    return rows


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The units of humans alone, and with those of a system and a reference."""
    folder = tmp_path_factory.mktemp("wall")
    paths = (folder / "humans.csv", folder / "all.csv")
    for path, rows in zip(paths, (human_rows(), human_rows() + rows_of_others()), strict=True):
        path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return paths


def said(found: ExportResults) -> list[Any]:
    """Everything that a result states about agreement."""
    return [
        *map(repr, found.estimates),
        *map(repr, found.explained),
        *((name, repr(value)) for name, value in found.parts),
        *map(repr, found.error_costs),
        *map(repr, found.warnings),
        (found.rows.measured, found.rows.n_annotators, found.rows.most_annotators),
    ]


CASES = [
    *(({"measure": measure}, None) for measure in UNITS if measure != "gamma"),
    ({"empty_pairs": True, "distance": "interval"}, None),
    ({"measure": "holistic", "distance": "ordinal"}, None),
    ({"distance": "interval", "interval": "annotators"}, None),
    *(({"distance": "interval"}, by) for by in PartKind),
    *(({"measure": "pairwise_f"}, by) for by in PartKind),
]


@pytest.mark.parametrize(("options", "by"), CASES, ids=str)
def test_no_value_of_a_quick_look_changes(
    exports: tuple[Path, Path], options: dict[str, Any], by: PartKind | None
) -> None:
    reading = Reading(
        layer="events", categories=("1", "2") if "ordinal" in options.values() else ()
    )
    if reading.categories:  # categories outside a declared tagset are rejected
        reading = replace(reading, categories=tuple("123456789"))
    chosen = ChosenDistance(options.get("distance", "nominal"))
    asked = GammaOptions(**{**FAST, **options, "distance": chosen})
    alone, with_others = (said(gamma([path], reading, asked, by)) for path in exports)
    assert with_others == alone


def test_no_value_of_python_changes(exports: tuple[Path, Path]) -> None:
    alone, with_others = (acc.gamma(str(path), scale="interval", **FAST) for path in exports)
    assert with_others.to_document()["results"] == alone.to_document()["results"]


@pytest.mark.long
def test_calibration_plans_and_differences_do_not_change(exports: tuple[Path, Path]) -> None:
    reading = Reading(layer="events")
    asked = CalibrationOptions(
        distance=ChosenDistance("interval"), **{**FAST, "factors": (0.5, 1.0)}
    )
    curves = [calibrate(material_of_exports([path], reading, asked), asked) for path in exports]
    assert repr(curves[0].curves) == repr(curves[1].curves)
    assert repr(curves[0].proposal) == repr(curves[1].proposal)

    plan = PlanOptions(measure="gamma", distance=ChosenDistance("interval"), annotators=(2,))
    pilots = [read_pilot(path, reading, plan) for path in exports]
    assert pilots[0].input_ == pilots[1].input_
    assert pilots[0].settings == pilots[1].settings
    assert repr(pilots[0].variance) == repr(pilots[1].variance)

    options = GammaOptions(distance=ChosenDistance("interval"), **FAST)
    both = [gamma_against([path], [exports[0]], reading, options) for path in exports]
    assert repr(both[0].compared) == repr(both[1].compared)


OF_AGREEMENT = (
    "tagset", "annotators", "n_units", "n_unpaired", "n_documents", "values", "chance",
    "observed_disorder", "error_costs", "explained", "per_document", "per_category", "per_pair",
    "leave_one_out", "findings", "causes", "effects", "intra",
)  # fmt: skip


@pytest.mark.services
def test_no_value_of_a_run_changes(
    exports: tuple[Path, Path],
    tmp_path: Path,
    run_campaign: Callable[..., tuple[dict[str, Any], Any]],
) -> None:
    def layer_of(path: Path, measures: Sequence[str]) -> dict[str, Any]:
        folder = tmp_path / path.stem
        folder.mkdir()
        listed = ", ".join(f'"{one}"' for one in measures)
        (folder / "campaign.toml").write_text(
            f'[campaign]\nname = "Wall"\n[[sources]]\npath = "{path}"\nformat = "table"\n'
            f'[layers.events]\ndistance = "interval"\n[units]\nmeasures = [{listed}]\n{NO_GRID}'
            "[chance]\nprecision = 0.3\nmax_samples = 60\n"
            "[intervals]\nreplicates = 30\n[engine]\nworkers = 1\n",
            encoding="utf-8",
        )
        outcome, _ = run_campaign(folder / "campaign.toml")
        [found] = [one for one in results_of(outcome)["units"] if one["layer"] == "events"]
        return {name: found[name] for name in OF_AGREEMENT}

    measures = ("gamma", "gamma_cat", "gamma_k", "u_alpha", "pairwise_f", "holistic")
    alone, with_others = (layer_of(path, measures) for path in exports)
    assert alone["tagset"] == ["1", "2"]
    for name, own in alone.items():
        assert with_others[name] == own, name
