"""The settings that the numbers of a layer of units are computed with."""

from __future__ import annotations

import pytest

from tasks.layers import LayerSpec
from tasks.units.alignment import DissimilaritySpec
from tasks.units.chance import ChanceSettings
from tasks.units.work import UnitSettings, UnitWork


@pytest.mark.parametrize(
    ("asked", "taken"), [((), None), (("shuffle", "random1"), ("shuffle", "random1"))]
)
def test_parts_and_further_measures_take_the_campaigns_chance(asked, taken) -> None:
    layer = LayerSpec("events", "units", ("x",), ("a", "b"))
    chance = ChanceSettings(processes=asked, precision=0.005, reconcile="tile", seed=3)
    work = UnitWork(layer, [], "corpora/c", DissimilaritySpec(), chance, UnitSettings())
    assert work.gamma_settings().processes == work.coarse_settings().processes == taken
    assert work.gamma_settings().precision == 0.005
    assert work.coarse_settings().precision == 0.02
    assert {one.reconcile for one in (work.gamma_settings(), work.coarse_settings())} == {"tile"}
