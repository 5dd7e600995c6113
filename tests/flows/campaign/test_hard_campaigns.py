"""Whole runs on what a page must survive: hostile names, 300 categories, nothing to disagree on."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.reports.results import Results
from tests.reports.html_check import checked

pytestmark = [pytest.mark.services, pytest.mark.long]
Run = Callable[..., tuple[dict[str, Any], Any]]

SCRIPT = "<script>alert(1)</script>"
WHO = 'O\'Brien "Fiddle" 🎻'


def run_in(folder: Path, run_campaign: Run, sources: str) -> tuple[Results, str, Path]:
    campaign = folder / "campaign.toml"
    campaign.write_text(f'[campaign]\nname = "Hard {SCRIPT}"\n{sources}', encoding="utf-8")
    outcome, _ = run_campaign(campaign)
    page = Path(outcome["report"])
    results = json.loads((page.parent / "results.json").read_text(encoding="utf-8"))
    return Results.model_validate(results), page.read_text(encoding="utf-8"), page.parent


def test_one_document_hostile_names_and_300_categories_without_a_disagreement(
    tmp_path: Path, run_campaign: Run
) -> None:
    rows = ["document\titem\tannotator\tlabel\tlayer"]
    for who in (WHO, "ann\\e&co"):
        rows += [f"only one\t{k}\t{who}\tcategory {k}\tmany" for k in range(300)]
        rows += [f"only one\t{k}\t{who}\t{SCRIPT}\tsame" for k in range(5)]
    (tmp_path / "labels.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    units = ["document\tannotator\tstart\tend\tcategory\tlayer"]
    units += [f"only one\t{who}\t0\t9\t{SCRIPT}\tspans" for who in (WHO, "ann\\e&co")]
    (tmp_path / "units.tsv").write_text("\n".join(units) + "\n", encoding="utf-8")
    results, page, folder = run_in(
        tmp_path,
        run_campaign,
        '[[sources]]\npath = "labels.tsv"\n[[sources]]\npath = "units.tsv"\n',
    )
    by_layer = {layer.layer: layer for layer in results.items}
    assert len(by_layer["many"].tagset) == 300
    assert by_layer["many"].values[0].value == 1.0
    same = by_layer["same"].values[0]
    assert same.measure == "krippendorff_alpha"
    assert same.reason, "one category for everything leaves nothing to expect by chance"
    [spans] = results.units
    assert spans.values[0].value == 1.0 or spans.values[0].reason
    assert SCRIPT not in page
    assert html.escape(SCRIPT, quote=False) in page
    assert "🎻" in page
    assert checked(page).faults == []
    for own in (folder / "documents").glob("*.html"):
        assert SCRIPT not in own.read_text(encoding="utf-8")


def test_no_unit_at_all(tmp_path: Path, run_campaign: Run) -> None:
    for who in ("anna", "ben"):
        folder = tmp_path / "brat" / who
        folder.mkdir(parents=True)
        (folder / "d.txt").write_text("Nothing to mark here.\n", encoding="utf-8")
        (folder / "d.ann").write_text("", encoding="utf-8")
    results, page, _ = run_in(
        tmp_path, run_campaign, '[[sources]]\npath = "brat"\nformat = "brat"\n'
    )
    assert results.validation is not None
    assert results.validation.rows_rejected == 0
    assert checked(page).faults == []
    assert "d" in [name for coverage in results.coverages for name in coverage.documents] or (
        results.coverage is not None and results.coverage.documents == ["d"]
    )


def test_more_annotators_than_causes_distinguish(tmp_path: Path, run_campaign: Run) -> None:
    """50 annotators of units, of whom six marked each document; F and γ are asked for."""
    rng = np.random.default_rng(5)
    rows = ["document,annotator,start,end,category"]
    for d in range(20):
        for who in rng.choice(50, 6, replace=False):
            for start in range(0, 200, 20):
                category = "ab"[int(rng.random() < 0.3)]
                rows.append(f"d{d},w{who},{start + int(rng.integers(3))},{start + 9},{category}")
    (tmp_path / "units.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    sources = '[[sources]]\npath = "units.csv"\n[units]\nmeasures = ["gamma", "pairwise_f"]\n'
    results, _, _ = run_in(tmp_path, run_campaign, f"{sources}[reading_grid]\ntrials = 0\n")
    [layer] = results.units
    assert {one.measure for one in layer.values if one.reason is None} >= {"gamma", "pairwise_f"}
