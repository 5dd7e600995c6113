"""The sections of the page in their order; one without data is left out."""

from __future__ import annotations

from collections.abc import Callable

from ..page.blocks import Section
from ..page.page import Page
from .campaign import campaign_section
from .chance import chance_section
from .disagreements import disagreements_section
from .distribution import distribution_section
from .drift import drift_section
from .findings import findings_section
from .items import items_parts_section, items_section
from .reading import reading_section
from .reference import reference_section
from .relations import relations_section
from .repairs import repairs_section
from .resampling import resampling_section
from .statement import bibliography_section, reproduce_section, statement_section
from .units import alignments_section, units_section
from .validation import validation_section
from .validity import validity_section
from .verdict import verdict_section

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
