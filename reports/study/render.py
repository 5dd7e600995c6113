"""From a study's results to one self-contained HTML page, in the dress of the report."""

from __future__ import annotations

import base64
import hashlib
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..figures.svg import patterns
from ..language import Code, Language
from ..page.blocks import Section
from ..page.page import Page
from ..results import Campaign, Results
from .results import SIMULATED, StudyResults
from .sections import study_sections

_HERE = Path(__file__).parent
_TEMPLATES = _HERE.parent / "templates"


class StudyLanguage(Language):
    """The report's words, and those of studies."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self._messages = {**self._messages, **study_messages(code)}


@cache
def study_messages(code: Code) -> dict[str, str]:
    return messages_in(_HERE / "messages" / f"{code}.toml")


def messages_in(path: Path) -> dict[str, str]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {f"{name}.{key}": text for name, table in tables.items() for key, text in table.items()}


def render_study(results: StudyResults, *, language: Literal["en", "fr"] = "en") -> str:
    """One self-contained page: no request to any host, readable without scripts.

    The same results give the same page, byte for byte.
    """
    head = Results(
        campaign=Campaign(name=results.name), run=results.run, validation=results.validation
    )
    page = Page(head, StudyLanguage(language))
    simulated = "_simulation" if results.kind in SIMULATED else ""
    eyebrow = page.say(f"study.eyebrow{simulated}")
    return whole_page(page, study_sections(page, results), eyebrow=eyebrow)


def whole_page(page: Page, sections: Sequence[Section], *, eyebrow: str) -> str:
    """The sections in the frame of a study: masthead, contents, footer."""
    head = page.results
    script = (_TEMPLATES / "explore.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return (
        _environment()
        .get_template("study.html.jinja")
        .render(
            name=head.campaign.name,
            run=head.run,
            eyebrow=eyebrow,
            say=page.say,
            sections=sections,
            style=Markup((_TEMPLATES / "style.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=f"sha256-{digest}",
            patterns=patterns(),
        )
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader(
            [PackageLoader("accordeur.reports.study"), PackageLoader("accordeur.reports")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
