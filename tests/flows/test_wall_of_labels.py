"""Rows of systems and references change no value of agreement on labels."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.schema import Role
from accordeur.tasks.agreement.agree import agree, resample
from accordeur.tasks.agreement.two_groups import compare_two_groups
from accordeur.tasks.inputs.label_options import LabelOptions, ResampleOptions
from accordeur.tasks.inputs.part_kind import PartKind
from accordeur.tasks.inputs.reading_options import Reading
from tests.flows.outcomes import results_of
from tests.flows.test_run_and_quick_look_agree import campaign

Run = Callable[..., tuple[dict[str, Any], Any]]

HEADER = "document,item,annotator,label"
MEASURES = (
    "krippendorff_alpha", "fleiss_kappa", "percent_agreement", "bennett_s", "gwet_ac1",
)  # fmt: skip
SECTIONS = ("items", "distributions", "resampling", "disagreements")
SYSTEM = '[validation]\nundeclared_annotators = "accept"\n[annotators.sys]\nrole = "system"\n'
ROLES = {"sys": Role.SYSTEM, "gold": Role.REFERENCE}


def human_rows(people: Sequence[str] = ("anna", "ben", "chloe")) -> list[str]:
    rng = random.Random(5)
    rows = []
    for d in range(6):
        for i in range(10):
            truth = rng.choice("ab")
            for who in people:
                if rng.random() > 0.1:
                    label = truth if rng.random() > 0.25 else rng.choice("ab")
                    rows.append(f"d{d},i{i},{who},{label}")
    return rows


def other_rows() -> list[str]:
    """Other labels on the same items, on other items and in other documents."""
    rng = random.Random(6)
    places = [*(f"d{d},i{i}" for d in range(6) for i in range(12)), "e1,x", "a,x", "z9,y"]
    return [f"{place},{who},{rng.choice('abcdef')}" for place in places for who in ROLES]


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    """The rows of the humans, and these between rows of a system and a reference."""
    alone, beside = tmp_path / "alone" / "labels.csv", tmp_path / "beside" / "labels.csv"
    rows, others = human_rows(), other_rows()
    for path, own in ((alone, rows), (beside, [*others[:50], *rows, *others[50:]])):
        path.parent.mkdir()
        path.write_text("\n".join([HEADER, *own]) + "\n", encoding="utf-8")
    return alone, beside


def of_quick_look(found: Any) -> dict[str, Any]:
    """Everything but the account, which counts the rows of the others."""
    shown = found.as_json()
    del shown["rows"]
    return shown


@pytest.mark.parametrize("interval", ["bootstrap", "analytic", "annotators"])
@pytest.mark.parametrize("by", [None, *PartKind])
def test_of_agree(tables: tuple[Path, Path], interval: str, by: PartKind | None) -> None:
    asked = LabelOptions(measures=MEASURES, interval=interval, replicates=50)  # type: ignore[arg-type]
    found = [agree(path, Reading(roles=ROLES), asked, by=by) for path in tables]
    assert of_quick_look(found[0]) == of_quick_look(found[1])
    assert found[1].rows.system == found[1].rows.reference_only == len(other_rows()) // 2


def test_of_the_other_quick_looks(tables: tuple[Path, Path]) -> None:
    reading = Reading(roles=ROLES)
    complete = LabelOptions(measures=MEASURES, complete=True, replicates=50)
    for look in (
        lambda path: agree(path, reading, complete),
        lambda path: resample(path, reading, ResampleOptions(replicates=50)),
        lambda path: compare_two_groups(
            path, [["anna"], ["ben", "chloe"]], reading, LabelOptions(replicates=50)
        ),
    ):
        first, second = map(look, tables)
        assert of_quick_look(first) == of_quick_look(second)


@pytest.mark.services
def test_of_a_campaign(tables: tuple[Path, Path], run_campaign: Run) -> None:
    measures = ", ".join(f'"{name}"' for name in MEASURES)
    more = f"[items]\nmeasures = [{measures}]\n"
    source = 'path = "labels.csv"\nformat = "table"\nlayer_names = { "" = "labels" }'
    roles = f'{SYSTEM}[annotators.gold]\nrole = "reference"\n'
    own_layer = '[[sources]]\npath = "other.csv"\nlayer_names = { "" = "other" }\n'
    alone, beside = tables
    (beside.parent / "other.csv").write_text(f"{HEADER}\nd0,i0,sys,q\n", encoding="utf-8")
    first, _ = run_campaign(campaign(alone.parent, source, more))
    second, _ = run_campaign(campaign(beside.parent, source, own_layer + more + roles))
    of_first, of_second = results_of(first), results_of(second)
    for section in SECTIONS:
        assert of_layer(of_first, section) == of_layer(of_second, section), section


def of_layer(results: dict[str, Any], section: str) -> list[Any]:
    """The section of the layer, without what a reference decided: no value of agreement."""
    return [
        {key: value for key, value in one.items() if key != "decided"}
        for one in results[section]
        if one.get("layer") == "labels"
    ]


@pytest.mark.services
def test_values_of_two_humans_beside_a_system_with_more_categories(
    tmp_path: Path, run_campaign: Run
) -> None:
    """Of 60 items, both annotators give a or b, and agree on 48."""
    rows = [HEADER]
    for i in range(60):
        first = "ab"[i % 2]
        second = first if i % 5 else "ba"[i % 2]
        rows += [f"d{i % 6},i{i},anna,{first}", f"d{i % 6},i{i},ben,{second}"]
        rows += [f"d{i % 6},i{i},sys,{'abcdef'[i % 6]}"]
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    source = 'path = "labels.csv"\nformat = "table"\nlayer_names = { "" = "labels" }'
    more = '[items]\nmeasures = ["bennett_s", "gwet_ac1"]\n' + SYSTEM
    outcome, _ = run_campaign(campaign(tmp_path, source, more))
    results = results_of(outcome)
    [items] = results["items"]
    values = {one["measure"]: one["value"] for one in items["values"]}
    asked = LabelOptions(measures=("bennett_s", "gwet_ac1"))
    quick = agree(tmp_path / "labels.csv", Reading(roles={"sys": Role.SYSTEM}), asked).estimates
    assert values["bennett_s"] == quick[0].value == pytest.approx(2 * 48 / 60 - 1)
    assert values["gwet_ac1"] == quick[1].value == pytest.approx(0.6, abs=5e-3)
    assert items["tagset"] == ["a", "b"]
    assert "n_declared" not in json.dumps(items["findings"])


@pytest.mark.services
def test_a_layer_is_complete_without_an_annotator_of_another_layer(
    tmp_path: Path, run_campaign: Run
) -> None:
    """Chloe labelled the layer stance only, in the same source."""
    rows = ["document,item,annotator,label,layer"]
    for i in range(20):
        rows += [f"d{i % 4},i{i},{who},{'xy'[(i // n) % 2]},topic" for who, n in PEOPLE]
        rows += [f"d{i % 4},i{i},{who},{'xy'[i % 2]},stance" for who in ("anna", "chloe")]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    outcome, _ = run_campaign(
        campaign(tmp_path, 'path = "labels.csv"', "[items]\ncomplete = true\n")
    )
    items = {one["layer"]: one for one in results_of(outcome)["items"]}
    quick = agree(path, Reading(layer="topic"), LabelOptions(complete=True))
    alpha = next(one for one in quick.estimates if one.measure == "krippendorff_alpha")
    of_run = {one["measure"]: one["value"] for one in items["topic"]["values"]}
    assert items["topic"]["annotators"] == ["anna", "ben"]
    assert of_run["krippendorff_alpha"] == alpha.value


PEOPLE = (("anna", 1), ("ben", 2))
