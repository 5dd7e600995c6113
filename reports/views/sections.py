"""The sections of the report in order; sections without data are omitted.

Verdict, findings, trend, cost of the disagreement, worst alignments and disagreements are open.
Every other section follows, closed, with a sentence that says what it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from ...metrics.plugins import load_plugins
from ..errors import ReportError
from ..page.blocks import Section
from ..page.page import Page, ReportSection
from .campaign import campaign_section
from .chance import chance_section
from .changes import changes_section
from .disagreements import disagreements_section
from .distribution import distribution_section
from .drift import drift_section
from .estimates import estimates_section
from .findings import findings_section, further_findings_section
from .items import items_section
from .mistakes import mistakes_section
from .objects import objects_section
from .pace import pace_section
from .parts import parts_section
from .ratings import ratings_section
from .reference import reference_section
from .relations import relations_section
from .repairs import repairs_section
from .replacement import replacement_section
from .resampling import resampling_section
from .statement import bibliography_section, reproduce_section, statement_section
from .system_scores import system_scores_section
from .units import alignments_section, units_section
from .validation import validation_section
from .values_as_errors import values_as_errors_section
from .verdict import verdict_section

GROUP = "accordeur.report_sections"

SECTIONS = (
    ReportSection("verdict", verdict_section),
    ReportSection("findings", findings_section),
    ReportSection("drift", drift_section),
    ReportSection("changes", changes_section),
    ReportSection("further_findings", further_findings_section),
    ReportSection("items", items_section, is_of_layer=True),
    ReportSection("objects", objects_section, is_of_layer=True),
    ReportSection("ratings", ratings_section, is_of_layer=True),
    ReportSection("units", units_section, is_of_layer=True),
    ReportSection("relations", relations_section, is_of_layer=True),
    ReportSection("parts", parts_section, is_of_layer=True),
    ReportSection("reading", values_as_errors_section, is_of_layer=True),
    ReportSection("alignments", alignments_section, is_of_layer=True),
    ReportSection("resampling", resampling_section, is_of_layer=True),
    ReportSection("mistakes", mistakes_section),
    ReportSection("disagreements", disagreements_section),
    ReportSection("repairs", repairs_section),
    ReportSection("reference", reference_section),
    ReportSection("systems", system_scores_section),
    ReportSection("replacement", replacement_section),
    ReportSection("estimates", estimates_section),
    ReportSection("campaign", campaign_section),
    ReportSection("validation", validation_section),
    ReportSection("distribution", distribution_section),
    ReportSection("pace", pace_section),
    ReportSection("chance", chance_section),
    ReportSection("statement", statement_section),
    ReportSection("reproduce", reproduce_section),
    ReportSection("references", bibliography_section),  # last: it lists what the others cite
)


@cache
def sections() -> tuple[ReportSection, ...]:
    """Return built-in sections and those of entry points, each after the section that it follows.

    Raises MetricsError for an entry point whose object is not a `ReportSection` or takes a name in
    use, ReportError for a section that follows no other.
    """
    return ordered_sections(
        SECTIONS, load_plugins(GROUP, ReportSection, [one.name for one in SECTIONS]).values()
    )


def ordered_sections(
    ours: Sequence[ReportSection], others: Iterable[ReportSection]
) -> tuple[ReportSection, ...]:
    ordered = list(ours)
    for one in sorted(others, key=lambda other: other.name, reverse=True):
        places = [k for k, section in enumerate(ordered) if section.name == one.after]
        if not places:
            known = ", ".join(section.name for section in ours)
            raise ReportError(
                f"section {one.name!r} stands after {one.after!r}, which is not a section: {known}"
            )
        ordered.insert(places[0] + 1, one)
    return tuple(ordered)


def sections_of(page: Page, apart: Sequence[Section] = ()) -> list[Section]:
    """Return the sections with data, the open ones first; the others are folded.

    apart  finished sections: those on agreement stand after the layers, others before the estimates

    In both, the sections of a layer are adjacent.
    """
    of_layers = [section for section in sections() if section.is_of_layer]
    made: list[Section | None] = []
    for section in sections():
        if section.name == "estimates":
            made += [one for one in apart if not one.is_agreement]
        if not section.is_of_layer:
            made.append(section.of(page))
        elif section is of_layers[0]:
            made += _sections_by_layer(page, of_layers)
            made += [one for one in apart if one.is_agreement]
    return _with_unique_identifiers(with_folds(made))


def with_folds(made: Iterable[Section | None]) -> list[Section]:
    """Return the open sections, then the others, folded."""
    found = [section for section in made if section is not None]
    is_open = [section.is_brief or section.is_open for section in found]
    shown = [section for section, shows in zip(found, is_open, strict=True) if shows]
    folded = [section for section, shows in zip(found, is_open, strict=True) if not shows]
    return shown + [replace(section, is_folded=True) for section in folded]


def _sections_by_layer(page: Page, of_layers: Sequence[ReportSection]) -> list[Section | None]:
    layers = page.layers
    if len(layers) < 2:
        return [section.of(page) for section in of_layers]
    made = [(layer, one.of(page.of_layer(layer))) for layer in layers for one in of_layers]
    return [section and replace(section, part=layer) for layer, section in made]


def _with_unique_identifiers(sections: Iterable[Section]) -> list[Section]:
    """Append a number to the identifier of a section if an earlier layer has the same one."""
    seen: dict[str, int] = {}
    named = []
    for section in sections:
        n = seen[section.identifier] = seen.get(section.identifier, 0) + 1
        identifier = section.identifier if n == 1 else f"{section.identifier}-{n}"
        named.append(replace(section, identifier=identifier))
    return named
