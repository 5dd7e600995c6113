"""The campaigns and studies whose numbers are frozen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from accordeur.flows.demo import write_demo
from tests.flows import relation_campaign
from tests.flows.small import labels_csv
from tests.flows.studies import GRID, MODELS, SUBSETS, SYNTHETIC, study_file

_REST = "[intervals]\nreplicates = 100\n[chance]\nprecision = 0.05\n[engine]\nworkers = 1\n"

WRITTEN: dict[str, Callable[[Path], Path]] = {
    "campaign-demo": write_demo,
    "campaign-relations": relation_campaign.write_campaign,
}
REAL = {
    "campaign-bratiaa": 'path = "{shared}/bratiaa_example/example-project"\nformat = "brat"\n',
    "campaign-hs-brexit": 'path = "{shared}/hs_brexit/HS-Brexit_long.csv"\n',
    "campaign-inception": 'path = "{shared}/inception_pos_project/*.zip"\nlayers = ["POS"]\n',
}
STUDIES = {
    "study-synthetic": SYNTHETIC,
    "study-subsets": SUBSETS,
    "study-reference-models": MODELS,
    "study-reading-grid": GRID,
}


def write_real(name: str, folder: Path, shared: Path) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "campaign.toml"
    source = REAL[name].format(shared=shared)
    path.write_text(f'[campaign]\nname = "{name}"\n[[sources]]\n{source}{_REST}', encoding="utf-8")
    return path


def write_study(name: str, folder: Path) -> Path:
    labels_csv(folder)
    return study_file(folder, STUDIES[name])
