"""A layer of objects in a run: the command's numbers, a gate, its section, and privacy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.metrics.objects.object_distance import ObjectDistance, ObjectKind
from accordeur.metrics.objects.registry import OBJECT_DISTANCES
from tests.flows.in_process import found, said
from tests.flows.outcomes import results_of


def words(text: str) -> frozenset[str]:
    if text == "???":
        raise ValueError("nothing is transcribed")
    return frozenset(text.split())


WORDS = ObjectDistance(
    name="words_in_common",
    read=words,
    distances=lambda first, second: np.array(
        [1 - len(a & b) / len(a | b) for a, b in zip(first, second, strict=True)]
    ),
    compares_items=True,
    metric=True,
    is_text=True,
    largest=1.0,
    source="",
    kind=ObjectKind.text,
)
CAMPAIGN = """
[campaign]
name = "Transcripts"
[[sources]]
path = "labels.csv"
[layers.said]
distance = "words_in_common"
[[gates]]
measure = "krippendorff_alpha"
layer = "said"
at_least = 0.99
[engine]
workers = 1
"""
PRIVATE = """
[annotators]
ann = { pseudonym = "A1" }
ben = { pseudonym = "A2" }
cat = { pseudonym = "A3" }
[validation]
undeclared_annotators = "reject"
"""


def export(folder: Path) -> Path:
    rng = np.random.default_rng(4)
    rows = ["document,layer,item,annotator,label"]
    for i in range(24):
        words = rng.choice(["la", "mer", "est", "belle", "ce", "soir", "ici"], 4, replace=False)
        for name in ("ann", "ben", "cat"):
            kept = [word for word in words if rng.random() < 0.8]
            rows.append(f"d{i // 6},said,q{i},{name},{' '.join(['oui', *kept])}")
    rows.append("d0,said,q99,ann,???")
    path = folder / "labels.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.services
def test_a_run_measures_objects_and_with_privacy_shows_none(
    tmp_path: Path,
    run_campaign: Callable[..., tuple[dict[str, Any], Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(OBJECT_DISTANCES, "words_in_common", WORDS)
    table, path = export(tmp_path), tmp_path / "campaign.toml"
    path.write_text(CAMPAIGN, "utf-8")
    assert "measured: krippendorff_alpha, alpha_random2, sigma" in said("check", path)[1]
    outcome, _ = run_campaign(path)
    results = results_of(outcome)
    [layer] = results["items"]
    command = found("agree", table, "--distance", "words_in_common")["results"]
    for one, other in zip(layer["values"], command, strict=False):
        assert one["value"] == pytest.approx(other["value"], abs=1e-12)
        if one["interval"][0] is not None:
            assert one["interval"] == pytest.approx(other["interval"], abs=1e-12)
    [rejected] = results["validation"]["rejected"]
    assert rejected["rule"] == "object_readable"
    assert rejected["message"].endswith("nothing is transcribed")
    assert [gate["outcome"] for gate in results["gates"]] == ["failed"]
    assert len(layer["objects"]["annotators"]) == 3
    worst = layer["objects"]["worst"]
    assert len(worst) == 3
    assert all(text.startswith("oui") for text in worst[0]["said"].values())
    page = Path(outcome["report"]).read_text("utf-8")
    assert "Items whose objects differ most" in page
    assert worst[0]["said"]["ann"] in page
    assert [len(one["drawn"]) for one in worst] == [3, 3, 3]
    assert page.count('class="chart objects"') == 3
    assert len(layer["per_document"]) == 4
    assert layer["n_candidates"] > 0

    path.write_text(CAMPAIGN.replace("[[sources]]", "privacy = true\n[[sources]]") + PRIVATE)
    refusal = said("check", path)[1]
    assert "privacy = true stores no texts: remove layers.said.distance, which" in refusal
    monkeypatch.setitem(OBJECT_DISTANCES, "words_in_common", replace(WORDS, is_text=False))
    outcome, _ = run_campaign(path)
    assert all(
        one["said"] == {} and one["drawn"] == []
        for one in results_of(outcome)["items"][0]["objects"]["worst"]
    )
    for name in ("report.html", "results.json"):
        assert "oui " not in (Path(outcome["report"]).parent / name).read_text("utf-8")
