"""`accordeur calibrate`: curves and distances as the library has them, TOML, and the page."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.flows.campaign.file.measure_keys import Units
from accordeur.flows.campaign.file.sources import Layer
from accordeur.flows.cli import app
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.units.category_proposal import propose_category_distances
from accordeur.metrics.units.gamma import gamma
from accordeur.tasks.calibration.calibrate import calibrate, material_of_exports, values_tried
from accordeur.tasks.calibration.calibration_page import write_page
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.unit_options import CalibrationOptions
from accordeur.tasks.units.units_of_exports import read_units
from tests.flows.command_line import warnings_in
from tests.reports.html_check import checked, english_in

FAST = ("--precision", "0.1", "--replicates", "100", "--factors", "0.5,2")
ASKED = CalibrationOptions(precision=0.1, replicates=100)


def units(path: Path, *, categories: str = "xyz", documents: int = 6, shift: int = 6) -> Path:
    """Two people; the second takes every fourth x for a y."""
    rng = np.random.default_rng(0)
    rows = ["document,annotator,start,end,category"]
    for d in range(documents):
        for u in range(12):
            category = categories[u % len(categories)]
            for who in ("anna", "ben"):
                start = 14 * u + int(rng.integers(0, shift + 1))
                confused = who == "ben" and category == "x" and (u + d) % 4 == 0
                rows.append(f"d{d},{who},{start},{start + 12},{'y' if confused else category}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def run(*arguments: str | Path) -> str:
    done = CliRunner().invoke(
        app, ["calibrate", *map(str, arguments), *FAST], env={"COLUMNS": "120"}
    )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def printed(*arguments: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def test_curves_are_gammas_of_the_settings_tried(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv")
    found = printed(path)
    continua = read_units([path]).continua
    assert {key: [p["value"] for p in points] for key, points in found["curves"].items()} == {
        "alpha": [0.5, 1, 2],
        "beta": [0, 0.5, 1, 2],
    }
    for weight, points in found["curves"].items():
        for point in points:
            tried = Dissimilarity(**{weight: point["value"]})
            by_hand = gamma(continua, tried, precision=0.1, replicates=100).corpus
            assert point["gamma"]["value"] == pytest.approx(by_hand.value)
            assert point["gamma"]["interval"] == pytest.approx(by_hand.interval)
            assert point["gamma"]["signature"] == by_hand.signature
    present = found["curves"]["alpha"][1]
    assert present["gamma"] == found["present"]["gamma"]
    assert present["kept_pairs"] == {"value": 1, "interval": [1, 1]}
    assert found["present"]["n_documents"] == 6
    said = run(path)
    assert "1*" in said
    assert "A higher γ is not a reason for a setting" in said


def test_the_settings_that_matter() -> None:
    """Δ∅ is a unit in 2015's; 2011's depend on alpha over Δ∅; one category has no distances."""
    assert values_tried(Dissimilarity(), (0.5, 2)) == {"alpha": [0.5, 1, 2], "beta": [0, 0.5, 1, 2]}
    assert values_tried(Dissimilarity.sporadic(beta=0), (0.5,)) == {
        "delta_empty": [2, 4],
        "beta": [0, 0.5],
    }
    assert values_tried(Dissimilarity(alpha=3), (2,), several=False) == {"alpha": [3, 6]}


def test_gamma_of_2011_depends_on_alpha_over_delta_empty(tmp_path: Path) -> None:
    continua = read_units([units(tmp_path / "units.csv")]).continua
    values = [
        gamma(continua, dissimilarity, precision=0.1).corpus.value
        for dissimilarity in (
            Dissimilarity.sporadic(delta_empty=8),
            Dissimilarity.sporadic(alpha=0.5),
        )
    ]
    assert values[0] == pytest.approx(values[1])


def test_the_toml_is_of_a_campaign_file(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv")
    found = printed(path, "--position", "sporadic", "--delta-empty", "3", "--form", "product")
    continua = read_units([path]).continua
    metric = Dissimilarity.sporadic(delta_empty=3)
    proposal = propose_category_distances(continua, metric, form="product", n_replicates=100)
    [seen] = found["distances"]["seen"]
    [expected] = proposal.seen
    assert (seen["first"], seen["second"], seen["at_present"]) == ("x", "y", 1)
    assert seen["distance"] == pytest.approx(expected.distance)
    assert seen["distance"] < 0.9
    assert seen["interval"] == pytest.approx(expected.interval)
    assert "form:d_kappa_omega|aligned_by:sporadic/" in found["distances"]["signature"]
    read = tomllib.loads(found["toml"])
    section = TypeAdapter(Units).validate_python(read["units"])
    assert (section.position, section.delta_empty) == ("sporadic", 3)
    [layer] = read["layers"].values()
    accepted = Layer.model_validate(layer)
    assert accepted.categories == ("x", "y", "z")
    assert accepted.distances == {"x": {"y": round(expected.distance, 2)}}
    assert "# your name of the layer" in found["toml"]


def test_names_of_any_kind_stand_in_toml(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv")
    text = path.read_text(encoding="utf-8").replace(",x\n", ',"x ""1"".é"\n')
    path.write_text(text, encoding="utf-8")
    read = tomllib.loads(printed(path)["toml"])
    [layer] = read["layers"].values()
    assert Layer.model_validate(layer).distances.keys() == {'x "1".é'}


def test_a_category_that_is_probably_misspelt_is_not_proposed(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv")
    text = path.read_text(encoding="utf-8").replace(",x\n", ",Person\n").replace(",y\n", ",Rare\n")
    path.write_text(text.replace(",Person\n", ",Persn\n", 1), encoding="utf-8")
    toml = printed(path)["toml"]
    assert '# left out, used once and probably misspelt: "Persn" for "Person"' in toml
    [layer] = tomllib.loads(toml)["layers"].values()
    assert layer["categories"] == ["Person", "Rare", "z"]
    assert "Persn" not in {*layer["distance"], *layer["distance"].get("Person", {})}


def test_one_category_has_no_distances(tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    text = units(path, categories="z").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    found = printed(path)
    assert found["distances"] is None
    assert list(found["curves"]) == ["alpha"]
    assert tomllib.loads(found["toml"]).keys() == {"units"}
    assert "distances" not in run(path)


def test_rows_set_aside_and_remarks_are_told(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv")
    path.write_text(path.read_text(encoding="utf-8") + "d0,anna,7,7,x\nd9,anna,1,5,x\n")
    found = printed(path)
    assert [row["rule"] for row in found["rejected"]] == ["zero_length"]
    assert any("1 document with only one annotator" in one for one in warnings_in(found))
    assert "1 row rejected" in run(path)


def test_bad_input_is_one_sentence(tmp_path: Path) -> None:
    path = units(tmp_path / "units.csv")
    with pytest.raises(DataError, match="either exports with units or a campaign"):
        run()
    with pytest.raises(DataError, match="either exports with units or a campaign"):
        run(path, "--campaign", path)
    with pytest.raises(DataError, match="remove the options"):
        run("--campaign", "campaign.toml", "--alpha", "3")
    with pytest.raises(DataError, match=r"--to .*give a file in an existing folder"):
        run(path, "--to", tmp_path / "no" / "page.html")
    for factors, message in (("0,1", "give positive numbers"), ("a", "such as 0.5,1,2")):
        done = CliRunner().invoke(app, ["calibrate", str(path), "--factors", factors])
        assert message in str(done.exception)
    material = material_of_exports([path], Reading(), ASKED)
    with pytest.raises(MetricsError, match="give positive numbers"):
        calibrate(material, replace(ASKED, factors=()))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_is_whole_in_both_languages(tmp_path: Path, language: Literal["en", "fr"]) -> None:
    path, page = units(tmp_path / "units.csv"), tmp_path / "page.html"
    path.write_text(path.read_text(encoding="utf-8") + "d0,anna,7,7,x\n", encoding="utf-8")
    said = run(path, "--beta", "2", "--to", page, "--language", language)
    assert said.rstrip().endswith("page.html")
    html = page.read_text(encoding="utf-8")
    check = checked(html)
    assert check.faults == []
    assert max(check.identifiers.values()) == 1
    assert set(check.references) <= set(check.identifiers)
    assert "accordeur calibrate units.csv --beta 2 --precision" in html
    assert "zero_length" in html
    assert "[layers.units.distance]" in html
    assert "1 (current)" in html or language == "fr"
    if language == "fr":
        assert english_in(html, names=["units.csv"]) == []


def test_an_undefined_gamma_is_told_on_the_page(tmp_path: Path) -> None:
    """Where all agree and by chance too: nothing divides."""
    path = tmp_path / "units.csv"
    path.write_text("document,annotator,start,end\nd,a,0,10\nd,b,0,10\n", encoding="utf-8")
    found = calibrate(material_of_exports([path], Reading(), ASKED), ASKED)
    write_page(tmp_path / "page.html", found, "accordeur calibrate")
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")


CAMPAIGN = """
[campaign]
name = "Vowels"
[[sources]]
path = "units.csv"
layer_names = { "" = "vowels" }
[layers.vowels]
categories = ["x", "y", "z"]
distance = { x = { z = 0.25 } }
[units]
alpha = 2
[chance]
processes = ["statistical"]
precision = 0.2
[reading_grid]
trials = 0
[intervals]
replicates = 20
[engine]
workers = 1
"""


@pytest.mark.services
def test_a_campaign_is_looked_at_as_its_last_run_measured_it(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    path = units(tmp_path / "units.csv")
    path.write_text(path.read_text(encoding="utf-8") + "d0,anna,7,7,x\n", encoding="utf-8")
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(CAMPAIGN, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"--campaign: campaign\.toml has not been run"):
        run("--campaign", campaign)
    run_campaign(campaign)
    with pytest.raises(DataError, match=r"--layer: no layer of units 'tones'; .* has vowels"):
        run("--campaign", campaign, "--layer", "tones")
    found = printed("--campaign", campaign, "--to", tmp_path / "page.html")
    assert found["present"]["alpha"] == 2
    assert "|alpha:2|" in found["present"]["gamma"]["signature"]
    assert "|categories:matrix " in found["present"]["gamma"]["signature"]
    assert "|processes:statistical|" in found["present"]["gamma"]["signature"]
    [seen] = found["distances"]["seen"]
    assert (seen["first"], seen["second"], seen["at_present"]) == ("x", "y", 1)
    assert "[layers.vowels.distance]" in found["toml"]
    assert "# as found" not in found["toml"]
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Vowels: vowels" in html
    assert "zero_length" in html
