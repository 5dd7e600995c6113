"""Any character may stand in a label, and renaming labels changes no value."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.tasks.agreement.agree import agree, resample
from accordeur.tasks.inputs.distance_options import ChosenDistance
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.results_of_exports import ExportResults
from accordeur.tasks.inputs.unit_options import GammaOptions
from accordeur.tasks.units.gamma_of_exports import gamma
from tests.flows.outcomes import results_of
from tests.flows.small import NO_GRID

RELAXED = settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
PLAIN = ("A", "B", "C", "D")
HOSTILE = st.text(alphabet="+|\\,;\n\0\"'∅ aC😀e\u0301", min_size=1, max_size=6).filter(str.strip)
HOSTILE_LABELS = st.sets(HOSTILE, min_size=4, max_size=4).map(sorted)
WORST = ("+", "A\\+ B", "C + D", "C++")  # in alphabetical order, as are the plain ones


def write_labels(path: Path, names: Sequence[str]) -> Path:
    """Items of three annotators, most with one label, some with two."""
    rows = []
    for item, annotator in product(range(12), range(3)):
        k = (item * (annotator + 2) + annotator // 2) % 4
        chosen = {k} if (item + annotator) % 3 else {k, (k + 1) % 4}
        label = [names[each] for each in sorted(chosen)]
        who = {"annotator": f"a{annotator}", "layer": "topic"}
        rows.append({"item": f"i{item}", **who, "label": label})
    return _json_lines(path, rows)


def write_units(path: Path, names: Sequence[str]) -> Path:
    rows = []
    for unit, annotator in product(range(8), range(2)):
        start = 20 * unit + annotator * (unit % 3)
        category = names[(unit * (annotator + 1)) % 4]
        place = {"start": str(start), "end": str(start + 9), "category": category}
        who = {"annotator": f"a{annotator}", "layer": "span"}
        rows.append({"document": "d", **who, **place})
    return _json_lines(path, rows)


def _json_lines(path: Path, rows: Sequence[object]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


def values(found: ExportResults) -> list[float]:
    return [v for one in found.estimates for v in (one.value, *(one.interval or ()))]


Measured = Callable[[Path], ExportResults]
OF_LABELS: tuple[Measured, ...] = (
    *(
        lambda path, distance=distance: agree(
            path, options=LabelOptions(distance=ChosenDistance(distance), replicates=20)
        )
        for distance in ("nominal", "jaccard", "masi")
    ),
    resample,
)


def _gamma(path: Path) -> ExportResults:
    return gamma([path], options=GammaOptions(precision=0.2, replicates=0))


@pytest.fixture
def of_plain_labels(tmp_path: Path) -> list[list[float]]:
    plain = write_labels(tmp_path / "plain.jsonl", PLAIN)
    return [values(measured(plain)) for measured in OF_LABELS]


@pytest.fixture
def of_plain_units(tmp_path: Path) -> list[float]:
    return values(_gamma(write_units(tmp_path / "plain.jsonl", PLAIN)))


@RELAXED
@given(labels=HOSTILE_LABELS)
def test_renamed_labels_have_the_same_agreement(
    tmp_path: Path, of_plain_labels: list[list[float]], labels: list[str]
) -> None:
    renamed = write_labels(tmp_path / "renamed.jsonl", labels)
    for measured, expected in zip(OF_LABELS, of_plain_labels, strict=True):
        assert values(measured(renamed)) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        assert not all(map(math.isnan, expected))


@RELAXED
@given(labels=HOSTILE_LABELS)
def test_renamed_categories_have_the_same_gamma(
    tmp_path: Path, of_plain_units: list[float], labels: list[str]
) -> None:
    renamed = write_units(tmp_path / "renamed.jsonl", labels)
    assert values(_gamma(renamed)) == pytest.approx(of_plain_units, abs=1e-12, nan_ok=True)


@pytest.mark.long
def test_a_run_measures_renamed_labels_alike(tmp_path: Path, run_campaign) -> None:
    found = [
        _measured(results_of(run_campaign(_campaign(tmp_path / name, names))[0]))
        for name, names in (("plain", PLAIN), ("renamed", WORST))
    ]
    assert found[1] == pytest.approx(found[0], abs=1e-12, nan_ok=True)
    quick = agree(
        tmp_path / "renamed" / "labels.jsonl", options=LabelOptions(distance=ChosenDistance("masi"))
    )
    of_quick = {one.measure: one.value for one in quick.estimates}
    assert found[1]["krippendorff_alpha"] == pytest.approx(of_quick["krippendorff_alpha"])


def _measured(results: dict[str, Any]) -> dict[str, float]:
    """Every value of both layers, by category and by pair too."""
    found = {}
    for layer in (*results["items"], *results["units"]):
        for part in ("values", "per_category", "per_pair"):
            for number, one in enumerate(layer.get(part, ())):
                value = one.get("value", one)
                value = value["value"] if isinstance(value, dict) else value
                found[layer["layer"], part, number] = math.nan if value is None else value
        for one in layer["values"]:
            found[one["measure"]] = math.nan if one["value"] is None else one["value"]
    return found


def _campaign(folder: Path, names: Sequence[str]) -> Path:
    folder.mkdir()
    write_labels(folder / "labels.jsonl", names)
    write_units(folder / "units.jsonl", names)
    campaign = folder / "campaign.toml"
    sources = "".join(
        f'[[sources]]\npath = "{table}.jsonl"\nformat = "table"\n' for table in ("labels", "units")
    )
    campaign.write_text(
        f"""
[campaign]
name = "Renamed"
{sources}
[layers.topic]
distance = "masi"
[intervals]
replicates = 20
[chance]
precision = 0.2
{NO_GRID}[engine]
workers = 1
""",
        encoding="utf-8",
    )
    return campaign
