"""A store that an older version filled answers nothing: every stage is computed again.

`store-0.1.0.tar.xz` is a small campaign with the store that 0.1.0 left. It can be moved: 0.1.0
reuses every stage of the unpacked store.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.services


def test_every_stage_of_a_store_of_0_1_0_is_computed_again(
    corpora: Path, tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    with tarfile.open(corpora / "stores" / "store-0.1.0.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    facts, _ = run_campaign(tmp_path / "campaign.toml")
    reused = {one["stage"]: one["n_reused"] for one in facts["stages"] if one["n_reused"]}
    assert facts["stages"]
    assert not reused
