"""The data statement that a released corpus needs, and what a campaign's statement lacks.

The headings are those of Bender & Friedman 2018, "Data Statements for Natural Language Processing"
(TACL 6, 587–604), that every corpus can answer. Headings are matched in any case; their text may be
in any language.
"""

from __future__ import annotations

from ..results import Campaign

FIELDS = ("description", "language", "guideline", "licence", "contact")
HEADINGS = (
    "Curation rationale",
    "Language variety",
    "Speaker demographic",
    "Annotator demographic",
    "Speech situation",
    "Text characteristics",
)


def missing_statement(campaign: Campaign) -> list[str]:
    """Return fields of the campaign, then headings of its statement, that have no text."""
    given = {
        heading.strip().lower() for heading, text in campaign.statement.items() if text.strip()
    }
    missing = [name for name in FIELDS if not getattr(campaign, name).strip()]
    return missing + [heading for heading in HEADINGS if heading.lower() not in given]
