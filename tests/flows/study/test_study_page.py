"""The page of a study: whole, in both languages, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from accordeur.data.store.store import Store
from accordeur.flows.study.study_bundle import (
    compare_with_bundle,
    read_study_results,
    stored_points,
    write_bundle,
)
from accordeur.reports.render import render_study
from accordeur.reports.study.study_results import StudyResults
from tests.flows.small import labels_csv
from tests.flows.studies import GRID, SUBSETS, run_here, study_file
from tests.reports.html_check import checked, english_in


def test_the_page_is_whole_in_both_languages(synthetic: tuple[Path, StudyResults]) -> None:
    _, results = synthetic
    for language, word in (("en", "Resampling study"), ("fr", "Étude de rééchantillonnage")):
        html = render_study(results, language=language)
        assert html == render_study(results, language=language)
        check = checked(html)
        assert check.faults == []
        assert max(check.identifiers.values()) == 1
        assert set(check.references) <= set(check.identifiers)
        assert word in html
    assert "Ties drawn at random: where α is 0.620, as in your campaign" in render_study(results)
    french = render_study(results, language="fr")
    assert "α vaut 0,620, comme dans votre campagne" in french
    assert english_in(french) == []


@pytest.mark.parametrize(
    ("language", "counts", "what_then"),
    [
        ("en", "360 accepted, 1 rejected. No row", "computed without the rejected rows"),
        (
            "fr",
            "acceptées\u00a0: 360, rejetées\u00a0: 1. Aucune",
            "calculées sans les lignes rejetées",
        ),
    ],
)
def test_the_page_names_the_rows_that_were_set_aside(
    tmp_path: Path, language: Literal["en", "fr"], counts: str, what_then: str
) -> None:
    labels_csv(tmp_path)
    text = (tmp_path / "labels.csv").read_text(encoding="utf-8").replace("\n0,", "\nAda’s,")
    (tmp_path / "labels.csv").write_text(f"{text}Ada’s,a00,3\n", encoding="utf-8")
    private = SUBSETS.replace('kind = "', 'privacy = true\nkind = "')
    for study, is_told in ((SUBSETS, True), (private, False)):
        results, _ = run_here(study_file(tmp_path, study))
        html = render_study(results, language=language)
        assert counts in html
        assert what_then in html
        assert "<code>label_occurs_once</code>" in html
        assert ("Ada’s" in html) == is_told


def test_a_study_without_an_export_has_no_rows_to_account_for(
    synthetic: tuple[Path, StudyResults],
) -> None:
    _, results = synthetic
    assert results.validation is None
    assert 'id="validation"' not in render_study(results)


@pytest.mark.long
@pytest.mark.browser
def test_the_page_in_chromium(
    tmp_path: Path, synthetic: tuple[Path, StudyResults], chromium: str
) -> None:
    from tests.reports.browser import Watched, launched, open_all, violations

    grid, _ = run_here(study_file(tmp_path, GRID))
    pages = {"synthetic": synthetic[1], "grid": grid}
    with launched(chromium) as browser:
        for name, results in pages.items():
            address = tmp_path / f"{name}.html"
            address.write_text(render_study(results), encoding="utf-8")
            tab = Watched(browser.new_page(viewport={"width": 1200, "height": 900}))
            tab.page.goto(address.as_uri())
            open_all(tab.page)
            assert violations(tab.page, contrast=False) == []  # colours: tests/reports
            assert tab.faults == []
            assert tab.requests == [address.as_uri()]
            assert tab.page.locator("svg.chart").count() >= 6
            tab.page.set_viewport_size({"width": 320, "height": 900})
            assert tab.page.evaluate("document.documentElement.scrollWidth") <= 320


MANY = """
[study]
name = "many"
kind = "synthetic"
trials = 30
[items]
n_items = 40
[grid]
n_annotators = [5]
n_categories = [2, 4]
ties = ["random", "abstain"]
influence = [0, 2]
[observed]
krippendorff_alpha = 0.6
[store]
url = "runs"
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StudyResults]:
    folder = tmp_path_factory.mktemp("many")
    return folder, run_here(study_file(folder, MANY))[0]


def test_many_cells_are_an_appendix_with_a_file_for_each(many: tuple[Path, StudyResults]) -> None:
    folder, results = many
    page = (folder / "runs" / "out" / "study.html").read_text(encoding="utf-8")
    [question] = [one for one in results.questions if one.curve == "own"]
    assert [one.cell for one in question.cells] == list(range(1, 9))
    for one in question.cells:
        [point] = [
            p
            for curve in results.parts[one.cell - 1].curves
            if curve.name == "own"
            for p in curve.points
            if p.x == question.x
        ]
        assert (one.value, one.low, one.high) == (point.y, point.mean_low, point.mean_high)
    assert [one.setting for one in question.contrasts] == ["n_categories", "ties", "influence"]
    assert all(one.p_holm >= one.p_value for one in question.contrasts)
    assert all(one.lowest <= one.difference <= one.highest for one in question.contrasts)
    assert "single pairs" in page
    assert sum(question.shares.values()) == pytest.approx(1)
    assert page.count('href="cells/') == 8
    assert page.count('<svg class="chart"') == len(
        {(c.name, c.x_name) for c in results.parts[0].curves}
    )
    for cell in range(1, 9):
        detail = (folder / "runs" / "out" / f"cells/{cell:03d}.html").read_text(encoding="utf-8")
        assert len(detail.encode()) < 300_000
        assert checked(detail).faults == []
    for language in ("en", "fr"):
        html = render_study(results, language=language)
        assert checked(html).faults == []
    assert english_in(html) == []


@pytest.mark.long
def test_points_have_what_results_of_many_cells_leave_out(many: tuple[Path, StudyResults]) -> None:
    folder, results = many
    store = Store(str(folder / "runs"))
    ks = {curve.k for curve in results.parts[0].curves if curve.name == "by_coefficient"}
    assert ks == {2, 3, 4}
    write_bundle(folder / "bundle", folder / "study.toml", store, "out")
    assert len(list((folder / "bundle" / "cells").iterdir())) == 8
    again = read_study_results(folder / "bundle")
    assert compare_with_bundle(folder / "bundle", again, stored_points(store, "out")).is_same
