"""What a run computes beside the values of agreement and scores, apart from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from ...reports.page.blocks import Section
from ...reports.results.run import Gate


@dataclass(frozen=True, slots=True)
class BesideResults:
    """Results of one stage, or of several.

    gates     bars on them
    sections  of the page
    files     what is written beside the report, by name
    lines     for the terminal
    """

    gates: Sequence[Gate] = ()
    sections: Sequence[Section] = ()
    files: Mapping[str, BaseModel] = field(default_factory=dict)
    lines: Sequence[str] = ()

    def __add__(self, other: BesideResults) -> BesideResults:
        return BesideResults(
            [*self.gates, *other.gates],
            [*self.sections, *other.sections],
            {**self.files, **other.files},
            [*self.lines, *other.lines],
        )
