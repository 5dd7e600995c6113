"""The sections of the page in their order; one without data is left out."""

from __future__ import annotations

from collections.abc import Callable

from reports.page.blocks import Section
from reports.page.page import Page
from reports.views.campaign import campaign_section
from reports.views.chance import chance_section
from reports.views.disagreements import disagreements_section
from reports.views.distribution import distribution_section
from reports.views.drift import drift_section
from reports.views.findings import findings_section
from reports.views.items import items_parts_section, items_section
from reports.views.reading import reading_section
from reports.views.reference import reference_section
from reports.views.relations import relations_section
from reports.views.repairs import repairs_section
from reports.views.resampling import resampling_section
from reports.views.statement import bibliography_section, reproduce_section, statement_section
from reports.views.units import alignments_section, units_section
from reports.views.validation import validation_section
from reports.views.validity import validity_section
from reports.views.verdict import verdict_section

ORDER: tuple[Callable[[Page], Section | None], ...] = (
    verdict_section,
    campaign_section,
    validation_section,
    distribution_section,
    items_section,
    items_parts_section,
    findings_section,
    units_section,
    relations_section,
    alignments_section,
    chance_section,
    reading_section,
    resampling_section,
    reference_section,
    validity_section,
    disagreements_section,
    repairs_section,
    drift_section,
    statement_section,
    reproduce_section,
    bibliography_section,  # last: the others say which measures are cited
)


def sections_of(page: Page) -> list[Section]:
    made = (make(page) for make in ORDER)
    return [section for section in made if section is not None]
