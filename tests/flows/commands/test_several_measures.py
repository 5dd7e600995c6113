"""`gamma --measure a,b`: several measures at once, as `agree --measure` takes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.command_line import accordeur
from tests.flows.small import write_small


def values_of(folder: Path, *options: str) -> dict[str, float]:
    done = accordeur("gamma", folder / "units.csv", "--replicates", "20", "--json", *options)
    assert done.returncode == 0, done.stderr
    return {one["measure"]: one["value"] for one in json.loads(done.stdout)["results"]}


def test_several_measures_on_units_are_printed_as_each_alone(tmp_path: Path) -> None:
    write_small(tmp_path)
    both = values_of(tmp_path, "--measure", "u_alpha, pairwise_f")
    first = values_of(tmp_path, "--measure", "u_alpha")
    second = values_of(tmp_path, "--measure", "pairwise_f")
    assert both == first | second
    assert [*both] == [*first, *second]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--measure", "u_alpha,gama"), "no measure 'gama'"),
        (("--measure", "gamma,gamma_k"), "measure it alone"),
        (("--measure", "gamma,pairwise_f", "--against", "units.csv"), "one measure at a time"),
    ],
)
def test_what_cannot_be_measured_together_is_refused(
    tmp_path: Path, options: tuple[str, ...], sentence: str
) -> None:
    write_small(tmp_path)
    done = accordeur("gamma", tmp_path / "units.csv", *options)
    assert done.returncode == 2
    assert sentence in done.stderr
