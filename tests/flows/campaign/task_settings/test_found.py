"""What validation found, added up, and whom it may count."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.campaign.task_settings.layers_of_campaign import layer_contents
from accordeur.flows.demo import write_demo
from accordeur.metrics.errors import RoleError
from accordeur.tasks.intake.shards import ShardFacts


def test_a_system_is_not_one_more_annotator(tmp_path: Path) -> None:
    config = load_campaign(write_demo(tmp_path / "demo"))
    people = {
        **config.annotators,
        "tagger": config.annotators["tagger"].model_copy(update={"role": "human"}),
    }
    shard = ShardFacts(key="", roles={"tagger": ["system"]})
    with pytest.raises(RoleError, match=r"'tagger' is a system and cannot be counted.*α \.495"):
        layer_contents(config.model_copy(update={"annotators": people}), [shard])
