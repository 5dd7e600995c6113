"""The page that explains γ: what its script computes is what the product computes."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from playwright.sync_api import Page

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from tests.reports.browser import launched, violations

DOCS = Path(__file__).resolve().parents[1] / "docs"
SCRIPT, STYLE = DOCS / "_static" / "gamma.js", DOCS / "_static" / "gamma.css"
PAGE = DOCS / "concepts" / "gamma.md"
Units = list[list[dict[str, int]]]


@pytest.fixture(scope="module")
def page(chromium: str) -> Iterator[Page]:
    """The part to play with, without the rest of the page."""
    [box] = re.findall(r"<div class=\"gamma-play\">.*?\n</div>\n", PAGE.read_text("utf-8"), re.S)
    with launched(chromium) as browser:
        tab = browser.new_page()
        tab.set_content(
            f"<!doctype html><html lang=en><title>γ</title><main><h1>γ</h1>{box}</main>"
            f"<style>{STYLE.read_text('utf-8')}</style><script>{SCRIPT.read_text('utf-8')}</script>"
        )
        yield tab


def disorder(document: Units, weights: dict[str, float]) -> float:
    """The disorder of γ by the product's engine."""
    units = [(one, a) for a, own in enumerate(document) for one in own]
    continuum = Continuum(
        np.array([one["start"] for one, _ in units]),
        np.array([one["end"] for one, _ in units]),
        np.array([one["category"] for one, _ in units]),
        np.array([a for _, a in units]),
        tuple(f"a{a}" for a in range(len(document))),
        ("Person", "Place", "Time"),
    )
    by = Dissimilarity(alpha=weights["alpha"], beta=weights["beta"], delta_empty=weights["empty"])
    return best_alignment(continuum, by).gamma_disorder


def expected_disorder(pool: list[Units], n: int, weights: dict[str, float]) -> float:
    """The mean over every choice of n documents and of an annotator of each."""
    return float(
        np.mean(
            [
                disorder(list(chosen), weights)
                for documents in itertools.combinations(pool, n)
                for chosen in itertools.product(*documents)
            ]
        )
    )


@pytest.mark.browser
def test_alignment_and_chance_are_those_of_the_product(page: Page) -> None:
    rng = np.random.default_rng(39)
    cases = []
    for n in (2, 3):
        for _ in range(40):
            document = [
                [
                    {"start": int(start), "end": int(start + length), "category": int(category)}
                    for start, length, category in zip(
                        rng.integers(0, 30, k), rng.integers(1, 10, k), rng.integers(0, 3, k),
                        strict=True,
                    )
                ]
                for k in rng.integers(1, 5, n)
            ]  # fmt: skip
            alpha, beta, empty = rng.choice([0.0, 0.5, 1.0, 2.7], 3)
            cases.append((document, {"alpha": alpha, "beta": beta, "empty": empty or 0.3}))
    said = page.evaluate(
        f"""(({{bestAlignment, expectedDisorder, POOL}}) => ({{
            pool: POOL,
            disorders: {json.dumps(cases)}.map(([units, by]) => bestAlignment(units, by).disorder),
            expected: [2, 3].map((n) => {json.dumps([by for _, by in cases[::20]])}.map(
                (by) => expectedDisorder(n, by))),
        }}))(window.accordeurGamma)"""
    )
    found = [disorder(document, weights) for document, weights in cases]
    assert said["disorders"] == pytest.approx(found, abs=1e-9)
    for n, values in zip((2, 3), said["expected"], strict=True):
        expected = [expected_disorder(said["pool"], n, by) for _, by in cases[::20]]
        assert values == pytest.approx(expected, abs=1e-9)


@pytest.mark.browser
def test_the_numbers_in_the_text_are_those_of_the_worked_example(page: Page) -> None:
    said = page.evaluate(
        """(({bestAlignment, expectedDisorder, EXAMPLES}) => {
            const by = {alpha: 1, beta: 1, empty: 1};
            const units = EXAMPLES["Worked example"].slice(0, 2);
            const observed = bestAlignment(units, by).disorder;
            const expected = expectedDisorder(2, by);
            return [observed, expected, 1 - observed / expected];
        })(window.accordeurGamma)"""
    )
    text = PAGE.read_text(encoding="utf-8")
    observed, expected, gamma = (f"{one:.3f}"[-4:] if one < 1 else f"{one:.3f}" for one in said)
    assert f"is {expected}: γ = 1 − {observed} / {expected} = {gamma[:3]}" in text


@pytest.mark.browser
def test_a_unit_is_moved_with_the_keyboard_and_the_mouse(page: Page) -> None:
    gamma = page.locator(".gamma-value b")
    page.get_by_role("button", name="Same units").click()
    assert gamma.inner_text() == "1.000"
    page.locator("[data-part=drawing] .gamma-unit").first.press("ArrowRight")
    moved = float(gamma.inner_text())
    assert 0.9 < moved < 1
    page.keyboard.press("Enter")
    assert float(gamma.inner_text()) < moved
    box = page.locator("[data-part=drawing] .gamma-unit").last.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 150, box["y"] + 10)
    page.mouse.up()
    assert page.locator("[data-part=table] tbody tr").count() == 3  # the moved unit is alone
    page.get_by_role("button", name="+ third annotator").click()
    assert page.locator("[data-part=table] th").count() == 5
    page.locator("details").evaluate("(one) => { one.open = true }")
    assert violations(page) == []


def figures() -> ModuleType:
    path = DOCS / "pictures" / "draw_gamma.py"
    spec = importlib.util.spec_from_file_location("draw_gamma", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", list(figures().FIGURES))
def test_the_figures_are_those_that_the_product_draws(name: str) -> None:
    drawn = figures().FIGURES[name]()
    assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == drawn
