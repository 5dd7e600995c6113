"""From the results document to one self-contained HTML page."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from .errors import ReportError
from .figures.svg import patterns
from .language import Language
from .page.blocks import Section
from .page.page import Page
from .privacy import without_text
from .results import Results
from .views.sections import sections_of
from .views.units import document_sections

_TEMPLATES = Path(__file__).parent / "templates"


def render(results: Results, *, language: Literal["en", "fr"] = "en") -> str:
    """One self-contained HTML page: no request to any host, readable without scripts.

    In privacy mode (`results.campaign.privacy`) no source text is printed. The same results give
    the same page, byte for byte.
    """
    if results.campaign.privacy:
        results = without_text(results)
    page = Page(results, Language(language))
    return _written(page, sections_of(page))


def render_document(
    results: Results, layer: str, document: str, *, language: Literal["en", "fr"] = "en"
) -> str:
    """The page of one document: its alignment on `layer`, linked from the report.

    Raises ReportError when the results have no alignment of that document on that layer.
    """
    if results.campaign.privacy:
        results = without_text(results)
    for agreement in results.units:
        for alignment in agreement.alignments:
            if (agreement.layer, alignment.document) == (layer, document):
                page = Page(results, Language(language))
                return _written(
                    page, document_sections(page, agreement, alignment), document=document
                )
    raise ReportError(
        f"no alignment of document {document!r} on layer {layer!r}: run the campaign with it first"
    )


def load_templates() -> None:
    """Compile them in this process, which the first page would do otherwise."""
    for name in _environment().list_templates(extensions=["jinja"]):
        _environment().get_template(name)


def _written(page: Page, sections: list[Section], *, document: str = "") -> str:
    """The whole page; `document` is named in the title of a page that is about one."""
    script = _asset("explore.js")
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            results=page.results,
            document=document,
            say=page.say,
            own_language=page.own_language,
            sections=sections,
            style=Markup(_asset("style.css")),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=_integrity(script),
            patterns=patterns(),
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("accordeur.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@cache
def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _integrity(script: str) -> str:
    """The hash by which the page's content security policy admits this one script."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")
