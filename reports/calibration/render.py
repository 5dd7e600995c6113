"""From a calibration to one self-contained HTML page, in the dress of the report."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..language import Code
from ..page.page import Page
from ..results import Campaign, Results
from ..study.render import StudyLanguage, messages_in, whole_page
from .results import CalibrationResults
from .sections import calibration_sections

_HERE = Path(__file__).parent


class CalibrationLanguage(StudyLanguage):
    """The words of studies, and those of calibrations."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self._messages = {**self._messages, **calibration_messages(code)}


@cache
def calibration_messages(code: Code) -> dict[str, str]:
    return messages_in(_HERE / "messages" / f"{code}.toml")


def render_calibration(results: CalibrationResults, *, language: Code = "en") -> str:
    """One self-contained page; the same results give the same page, byte for byte."""
    head = Results(
        campaign=Campaign(name=results.name), run=results.run, validation=results.validation
    )
    page = Page(head, CalibrationLanguage(language))
    sections = calibration_sections(page, results)
    return whole_page(page, sections, eyebrow=page.say("calibration.eyebrow"))
