"""Measures as objects: what they say of themselves, and one parser for every front end."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

import accordeur as acc
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.cli import app
from accordeur.interface import measure_names
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.measures import (
    COEFFICIENTS,
    GROUPS_OF_SCORES,
    ITEMS,
    MEASURES,
    OBJECTS,
    RATINGS,
    SCORES,
    UNITS,
)  # fmt: skip

FIRST, SECOND = [1, 2, 3, 3, 1, 2], [1, 2, 3, 2, 2, 2]
ROWS = [
    (item, who, label)
    for who, labels in (("ann", FIRST), ("ben", SECOND))
    for item, label in enumerate(labels)
]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_read_from_what_it_prints(name: str) -> None:
    found = acc.measures()[name]
    low, high = found.range
    assert acc.measure(str(found)) == found == name
    assert low < high
    assert found.direction
    assert found.words
    assert found.bibtex().count("@") == len(MEASURES[name].sources)
    assert pickle.loads(pickle.dumps(found)) == found
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("weighted_kappa(weights=quadratic)", "weighted_kappa(distance=quadratic_ranks)"),
        ("cohen_kappa( weights = linear )", "weighted_kappa(distance=linear_ranks)"),
        ("krippendorff_alpha(scale=ordinal)", "krippendorff_alpha(distance=ordinal)"),
        ("krippendorff_alpha(distance=circular/24)", "krippendorff_alpha(distance=circular/24)"),
        ("krippendorff_alpha(scale=nominal)", "krippendorff_alpha"),
        ("ICC(A,1)", "icc_2_1"),
        ("exact_f", "exact_f"),
    ],
)
def test_texts_of_measures(text: str, normal: str) -> None:
    assert acc.measure(text) == normal
    assert acc.measure(acc.measure(text)) == normal


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("krippendorf_alpha", "did you mean krippendorff_alpha"),
        ("krippendorff_alpha(skale=ordinal)", "did you mean scale"),
        ("krippendorff_alpha(scale=)", "one setting"),
        ("krippendorff_alpha(scale=ordinal, distance=masi)", "one setting"),
        ("gwet_ac1(distance=ordinal)", "gwet_ac1 has no distances"),
        ("krippendorff_alpha(weights=quadratic)", "distance=quadratic"),
        ("cohen_kappa(weights=cubic)", "linear or quadratic"),
    ],
)
def test_a_text_that_is_no_measure_says_why(text: str, said: str) -> None:
    with pytest.raises(MetricsError, match=said.replace("(", r"\(")):
        acc.measure(text)


@pytest.mark.parametrize("name", [one for one, of in COEFFICIENTS.items() if of.weighted])
@pytest.mark.parametrize("scale", ["ordinal", "interval"])
def test_a_measure_with_its_scale_is_the_function_with_the_scale(name: str, scale: str) -> None:
    measured = acc.measure(f"{name}(scale={scale})")(FIRST, SECOND, replicates=100)
    given = acc.coefficient(name, FIRST, SECOND, scale=scale, replicates=100)  # type: ignore[arg-type]
    assert measured.to_dict() == given.to_dict()
    assert acc.measure(measured.signature) == f"{name}(distance={scale})"
    assert measured.short_signature == acc.measure(measured.signature)
    (in_frame,) = acc.agreement(
        ROWS, item=0, annotator=1, label=2, measures=[acc.measure(f"{name}(scale={scale})")]
    )
    assert math.isclose(in_frame.value, measured.value, abs_tol=1e-12)


def test_kappa_with_weights_is_that_of_the_function() -> None:
    weighted = acc.measure("weighted_kappa(weights=quadratic)")
    assert weighted.__name__ == weighted  # scikit-learn names a scorer so
    assert weighted(FIRST, SECOND) == acc.cohen_kappa(FIRST, SECOND, weights="quadratic")


def test_the_command_line_reads_measures_alike(tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    table.write_text("item,annotator,label\n" + "".join(f"{i},{a},{c}\n" for i, a, c in ROWS))

    def measured(*options: str) -> object:
        done = CliRunner().invoke(app, ["agree", str(table), "--json", *options])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)["results"]

    together = "krippendorff_alpha(scale=ordinal),weighted_kappa(distance=ordinal)"
    apart = ("--measure", "krippendorff_alpha,weighted_kappa", "--scale", "ordinal")
    assert measured("--measure", together) == measured(*apart)
    two = "krippendorff_alpha(scale=ordinal),weighted_kappa(weights=linear)"
    done = CliRunner().invoke(app, ["agree", str(table), "--measure", two])
    assert isinstance(done.exception, MetricsError)
    assert "one distance at a time: ordinal and linear_ranks" in str(done.exception)


def test_a_campaign_names_the_key_of_the_distance(tmp_path: Path) -> None:
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        '[campaign]\nname = "c"\n[[sources]]\npath = "labels.csv"\n'
        '[items]\nmeasures = ["krippendorff_alpha(scale=ordinal)"]\n'
    )
    with pytest.raises(ValueError, match='distance = "ordinal"'):
        load_campaign(campaign)


def test_a_measure_of_other_data_names_the_function_that_takes_them() -> None:
    with pytest.raises(MetricsError, match="gamma compares units"):
        acc.measure("gamma")(FIRST, SECOND)


def test_measures_are_a_table() -> None:
    table = acc.measures(on="units").to_frame().set_index("name")
    assert table.loc["gamma", "symbol"] == "γ"
    assert table.loc["gamma", "citation"] == acc.measure("gamma").citation
    assert "krippendorff_alpha" not in table.index
    assert acc.measures()["der"].direction == "lower"


def test_the_names_that_type_checkers_know_are_those_of_the_registry() -> None:
    assert get_args(measure_names.OnItems) == ITEMS
    assert {*get_args(measure_names.OnLabels)} == {*ITEMS, *RATINGS, *OBJECTS}
    assert get_args(measure_names.OnUnits) == UNITS
    assert get_args(measure_names.OfSystems) == (*SCORES, *GROUPS_OF_SCORES)
