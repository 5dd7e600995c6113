"""Results and pages with only what a test asks for."""

from __future__ import annotations

from accordeur.reports.language import Language
from accordeur.reports.page.page import Page
from accordeur.reports.results import (
    Campaign,
    Results,
    Run,
)


def page_of(results: Results) -> Page:
    return Page(results, Language("en"))


def results_with(**fields: object) -> Results:
    run = Run(version="0", input_hash="0")
    return Results.model_validate({"campaign": Campaign(name="News"), "run": run, **fields})
