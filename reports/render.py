"""From the results document to one self-contained HTML page."""

from __future__ import annotations

from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined

from reports.language import Language
from reports.results import Results


def render(results: Results, *, language: Literal["en", "fr"] = "en") -> str:
    """One self-contained HTML page: no request to any host, readable without scripts.

    In privacy mode (`results.campaign.privacy`) no source text is printed.
    """
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("page.html.jinja")
    return template.render(results=results, say=Language(language))
