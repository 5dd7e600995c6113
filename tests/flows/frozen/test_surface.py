"""No option and no key is lost or renamed unnoticed."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.flows.frozen.surface import surface

KEPT = Path(__file__).parent / "surface.json"


def test_options_and_keys_are_those_that_are_kept() -> None:
    found = surface()
    if os.environ.get("ACCORDEUR_FREEZE"):
        KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert json.loads(KEPT.read_text(encoding="utf-8")) == found
