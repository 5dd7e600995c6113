"""One question on labels, asked as a command, in Python and in a campaign: one answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accordeur as acc
from tests.flows.in_process import found, texts
from tests.flows.small import NO_GRID
from tests.flows.stages_in_process import measured_in_process
from tests.flows.three_ways import assert_same

CORPORA: dict[str, tuple[str, str | None]] = {
    "argilla, single labels": ("formats/argilla_flat.json", None),
    "label studio": ("formats/label_studio.json", "topic"),
    "demonstration": ("../../flows/demo_campaign/exports/sentiment.csv", None),
    "table, long": ("formats/tables/long.csv", None),
    "table of Brégeon": ("formats/tables/bregeon.csv", None),
}
MEASURES = ("krippendorff_alpha", "gwet_ac1", "bennett_s")


@pytest.mark.parametrize("name", CORPORA)
def test_each_corpus(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    inside, layer = CORPORA[name]
    source = corpora / inside
    listed = ", ".join(f'"{one}"' for one in MEASURES)
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        f'[campaign]\nname = "Three ways"\n[[sources]]\npath = "{source}"\n{NO_GRID}'
        f"[intervals]\nreplicates = 200\n[items]\nmeasures = [{listed}]\n",
        encoding="utf-8",
    )
    run = measured_in_process(campaign, monkeypatch)
    [of_run] = [one for one in run.results["items"] if layer in (None, one["layer"])]

    asked = [text for one in MEASURES for text in ("--measure", one)]
    asked += [] if layer is None else ["--layer", layer]
    command = found("agree", source, *asked, "--replicates", "200")
    options: dict[str, Any] = {} if layer is None else {"layer": layer}
    python = acc.agreement(str(source), measures=MEASURES, replicates=200, **options)

    assert_same(command["results"], [one for one in of_run["values"] if one["measure"] in MEASURES])
    assert_same(command["results"], [one.to_dict() for one in python])
    assert python.rows.as_json() == command["rows"]
    assert len(python.warnings) == len(texts(command))  # names of options differ
    if not command["rows"]["excluded"].keys() & {"other_kind", "other_layer"}:
        assert command["rows"] == run.account.as_json()
