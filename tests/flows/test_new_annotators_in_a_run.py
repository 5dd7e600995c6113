"""Intervals for new annotators and k-rater reliability in a run: the commands' numbers, shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.toml_file import ConfigError
from tests.flows.command_line import accordeur
from tests.flows.outcomes import results_of

CAMPAIGN = '[campaign]\nname = "Pool"\n[[sources]]\npath = "labels.csv"\n'
PEOPLE = {"ann": 0.9, "ben": 0.8, "cat": 0.7, "dan": 0.55}  # probability of being right


def exports(folder: Path) -> tuple[Path, Path]:
    rng = np.random.default_rng(8)
    labels = ["document,item,annotator,label"]
    units = ["document,annotator,start,end,category"]
    for d in range(8):
        for i in range(6):
            truth, start = rng.integers(3), 20 * i + int(rng.integers(8))
            for name, right in PEOPLE.items():
                label = "xyz"[truth if rng.random() < right else rng.integers(3)]
                labels.append(f"d{d},q{d}-{i},{name},{label}")
                if rng.random() < right:
                    units.append(f"d{d},{name},{start},{start + 9 + rng.integers(3)},{label}")
    for name, rows in (("labels.csv", labels), ("units.csv", units)):
        (folder / name).write_text("\n".join(rows), encoding="utf-8")
    return folder / "labels.csv", folder / "units.csv"


@pytest.mark.long
@pytest.mark.services
def test_a_run_has_the_commands_intervals_and_reliability(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    labels, units = exports(tmp_path)
    path = tmp_path / "campaign.toml"
    text = (
        f'{CAMPAIGN}[[sources]]\npath = "units.csv"\n[reading_grid]\ntrials = 0\n'
        '[items]\nmeasures = ["krippendorff_alpha"]\n[units]\nmeasures = ["gamma", "gamma_cat"]\n'
        '[intervals]\ninterval = "annotators"\n[resampling]\nreliability = "fleiss_kappa"\n'
        "[engine]\nworkers = 1\n"
    )
    path.write_text(text, "utf-8")
    outcome, _ = run_campaign(path)
    results = results_of(outcome)
    alpha = ("agree", labels, "--measure", "krippendorff_alpha")
    of_command = {
        one["measure"]: one
        for arguments in (alpha, ("gamma", units))
        for one in json.loads(accordeur(*arguments, "--interval", "annotators", "--json").stdout)[
            "results"
        ]
    }
    [items], [of_units] = results["items"], results["units"]
    for found in (*items["values"], *of_units["values"]):
        asked = of_command[found["measure"]]
        assert found["interval"] == pytest.approx(asked["interval"], abs=1e-9)
        assert "documents and annotators" in found["signature"]
    reliability = ("resample", labels, "--reliability", "fleiss_kappa", "--json")
    curve = [
        one["value"]
        for one in json.loads(accordeur(*reliability).stdout)["results"]
        if one["measure"] == "k_rater_reliability"
    ]
    [study] = results["resampling"]
    assert [one["value"] for one in study["reliability"]] == pytest.approx(curve, abs=1e-9)
    shown = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "95% CI for new annotators [" in shown
    assert "κ of k annotators together" in shown


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ('[intervals]\ninterval = "analytic"\n', "campaigns have no analytic interval"),
        ('[resampling]\nreliability = "krippendorf"\n', "krippendorff_alpha"),
        ('[resampling]\nreliability = "gamma"\n', "a measure on units"),
    ],
)
def test_what_a_campaign_does_not_compute_is_refused(tmp_path: Path, section: str, words: str):
    path = tmp_path / "campaign.toml"
    path.write_text(CAMPAIGN + section, encoding="utf-8")
    with pytest.raises(ConfigError, match=words):
        load_campaign(path)


def test_a_quick_look_at_units_names_what_its_intervals_are_for(tmp_path: Path) -> None:
    _, units = exports(tmp_path)
    done = accordeur("gamma", units, "--measure", "u_alpha", "--interval", "annotators")
    assert "95% CI, new annotators" in " ".join(done.stdout.split())
    refused = accordeur("gamma", units, "--interval", "analytic")
    assert "units have no analytic interval" in refused.stderr
    two = accordeur(
        "gamma", units, "--interval", "annotators", "--option", "exclude_annotators=cat,dan"
    )
    assert "an interval for new annotators needs 3 annotators" in " ".join(two.stdout.split())
