"""The data statement that a released corpus needs, and what a campaign still lacks of it.

Headings after Bender & Friedman 2018, "Data Statements for Natural Language Processing" (TACL 6,
587–604): those that every corpus can answer. A heading is matched in any case; its text may be in
any language.
"""

from __future__ import annotations

from .results import Campaign

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
    """Fields of the campaign, then headings of its statement, that have no text; in order."""
    given = {
        heading.strip().lower() for heading, text in campaign.statement.items() if text.strip()
    }
    missing = [name for name in FIELDS if not getattr(campaign, name).strip()]
    return missing + [heading for heading in HEADINGS if heading.lower() not in given]
