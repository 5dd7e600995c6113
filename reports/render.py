"""Render results as one self-contained HTML page: of a run, a release, a document or a study."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from ..data.option_names import in_campaign_file
from ..data.untrusted.files import files_hash
from ..metrics.annotator_card import AnnotatorCard
from ..metrics.signature import VERSION
from .annotator_page import card_sections
from .calibration.calibration_results import CalibrationResults
from .calibration.sections import calibration_sections
from .errors import ReportError
from .figures.svg import patterns
from .language import AUDIT, CALIBRATION, STUDY, Code, Language
from .page.blocks import Section
from .page.page import Page
from .page.repeats import without_repeats
from .privacy import without_text
from .results import Campaign, Results, Run
from .results.annotators import AnnotatorCards
from .study.sections import study_sections
from .study.study_results import SIMULATED, StudyResults
from .views.audit import audit_sections
from .views.document import document_sections
from .views.sections import sections_of
from .views.units import Drawing, alignment_block

_REPORTS = Path(__file__).parent
_TEMPLATES = _REPORTS / "templates"
_MADE_FROM = (".py", ".toml", ".jinja")
AUDIT_PAGE = "audit.html"  # file beside the report of a release
DARK = "screen and (prefers-color-scheme: dark)"


@in_campaign_file()
def render(results: Results, *, language: Code = "en", apart: Sequence[Section] = ()) -> str:
    """Return one self-contained HTML page: no request to any host, readable without scripts.

    apart  sections on what the results do not contain


    In privacy mode (`results.campaign.privacy`) no source text is printed. Equal results give equal
    pages, byte for byte.
    """
    if results.campaign.privacy:
        results = without_text(results)
    page = Page(results, Language(language))
    return render_page(page, without_repeats(sections_of(page, apart)))


@in_campaign_file()
def render_audit(results: Results, *, language: Code = "en") -> str:
    """Return the audit page of a release, four printed pages; equal results give equal pages."""
    page = Page(results, Language(language, AUDIT))
    return render_page(page, audit_sections(page), kind="audit")


def render_drawing(drawing: Drawing) -> str:
    """Return the picture and the table of an alignment as HTML; equal drawings give equal HTML."""
    say = Language(drawing.language)
    blocks = _environment().get_template("blocks.html.jinja")
    macros: Any = blocks.make_module({"say": say, "definitions": _definitions(say)})
    return str(macros.alignment(alignment_block(drawing, say, is_open=True)))


@cache
def hash_of_page_files() -> str:
    """Return a hash of the code, messages and templates from which pages are made."""
    files = (path for path in _REPORTS.rglob("*.*") if path.suffix in _MADE_FROM)
    return files_hash(_REPORTS, files)


@in_campaign_file()
def render_document(
    results: Results,
    layer: str,
    document: str,
    *,
    language: Code = "en",
    draw: Callable[[Drawing], str] = render_drawing,
) -> str:
    """Return the page of one document: its alignment on `layer`, linked from the report.

    draw  returns what `render_drawing` does, or did earlier

    Raises ReportError when the results have no alignment of that document on that layer.
    """
    if results.campaign.privacy:
        results = without_text(results)
    for agreement in results.units:
        for alignment in agreement.alignments:
            if (agreement.layer, alignment.document) == (layer, document):
                page = Page(results, Language(language))
                sections = document_sections(page, agreement, alignment, draw)
                return render_page(page, sections, document=document)
    raise ReportError(
        f"there is no alignment of document {document!r} on layer {layer!r}: run the campaign with "
        "this document first"
    )


def render_study(results: StudyResults, *, language: Code = "en") -> str:
    """Return the page of a study or simulation; equal results give equal pages, byte for byte."""
    page = Page(_head(results), Language(language, STUDY))
    simulated = "_simulation" if results.kind in SIMULATED else ""
    return render_page(page, study_sections(page, results), kind="study", simulated=simulated)


def render_calibration(results: CalibrationResults, *, language: Code = "en") -> str:
    """Return the page of a calibration; equal results give equal pages, byte for byte."""
    page = Page(_head(results), Language(language, CALIBRATION))
    return render_page(page, calibration_sections(page, results), kind="calibration")


def render_card(
    found: AnnotatorCards, card: AnnotatorCard, *, privacy: bool = False, language: Code = "en"
) -> str:
    """Return the page of one annotator; equal cards give equal pages, byte for byte."""
    campaign = Campaign(name=card.annotator, privacy=privacy)
    run = Run(version=VERSION, input_hash="", seed=0, command="")
    page = Page(Results(campaign=campaign, run=run), Language(language))
    return render_page(page, card_sections(page, found, card), kind="annotators")


def _head(results: StudyResults | CalibrationResults) -> Results:
    """Return what the frame of a page and its section on validation need."""
    return Results(
        campaign=Campaign(name=results.name), run=results.run, validation=results.validation
    )


def page_style() -> str:
    """Return the style sheet of the page, for a separate figure."""
    return f"{_asset('style.css')}@media {DARK} {{\n{_asset('dark.css')}}}\n"


def render_page(
    page: Page,
    sections: list[Section],
    *,
    kind: str = "page",
    simulated: str = "",
    document: str = "",
) -> str:
    """Render the whole page of these sections.

    kind      the prefix of the frame's messages: page, audit, study, calibration
    document  in the title of a page about one document
    """
    script, say = _asset("explore.js"), page.say
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            results=page.results,
            document=document,
            say=say,
            eyebrow=say(f"{kind}.eyebrow{simulated}"),
            skip=say(f"{kind}.skip"),
            machine=say(f"{kind}.machine"),
            own_language=page.language_of_texts,
            sections=sections,
            style=Markup(_asset("style.css")),  # noqa: S704 - our own file
            dark=Markup(_asset("dark.css")),  # noqa: S704 - our own file
            dark_media=DARK,
            words=say.table("script"),
            definitions=_definitions(say),
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=_integrity(script),
            patterns=patterns(),
        )
    )


def _definitions(say: Language) -> dict[str, str]:
    """Return the terms in headings of columns, with their definitions."""
    level = say.percent(0.95, 0)
    return {say(key).format(level=level): text for key, text in say.table("definition").items()}


@cache
def _environment() -> Environment:
    """Return the environment of the templates, which are compiled once, as Python's modules are."""
    environment = Environment(
        loader=PackageLoader("accordeur.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_bytecode_cache(),
    )
    environment.filters["css_string"] = _css_string
    environment.filters["marked"] = _marked
    return environment


def _bytecode_cache() -> FileSystemBytecodeCache | None:
    """Return the compiled templates, in the folder for bytecode; None if it cannot be written."""
    folder = _TEMPLATES / "__pycache__"
    if sys.dont_write_bytecode or not os.access(_TEMPLATES, os.W_OK):
        return None
    folder.mkdir(exist_ok=True)
    return FileSystemBytecodeCache(str(folder), "%s.jinjac")


def _marked(text: str) -> Markup:
    """Mark as code what a sentence puts in backticks."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704


def _css_string(text: str) -> str:
    """Quote the text as a string of a style sheet, for `content`."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


@cache
def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _integrity(script: str) -> str:
    """Return the hash with which the page's content security policy allows this script."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")
