"""A cause of a low agreement: what exceeds the rest, where, and what it would recover."""

from __future__ import annotations

from dataclasses import dataclass

from .disagreement import DisagreementKind, Part
from .mechanisms import Mechanism

SMALLEST_GAIN = 0.01  # of the value: a smaller one is not worth an action


@dataclass(frozen=True, slots=True)
class Cause:
    """Disagreement of a part, annotator or kind that exceeds the rest.

    gain            of the value, if it were as in the rest; `interval` is corrected
    n, n_compared   pairs of labels or units that disagree in it, and that it compares
    n_rest, n_compared_rest  the same of the other annotators among themselves, else of everything
                    outside its part
    marks_more      for missing units of an annotator: marks units that others do not, rather than
                    not marking theirs
    mechanism       what explains at least half of its disagreement; None if nothing does
    confounded      annotators from whom its part or category cannot be told apart
    """

    kind: DisagreementKind
    annotator: str
    part: Part | None
    gain: float
    interval: tuple[float, float]
    n: int = 0
    n_compared: int = 0
    n_rest: int = 0
    n_compared_rest: int = 0
    marks_more: bool = False
    support: float = 0.0  # gain / standard error
    mechanism: Mechanism | None = None
    confounded: tuple[str, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Return whether it is worth an action and its interval excludes 0."""
        return self.interval[0] > 0 and self.gain >= SMALLEST_GAIN

    @property
    def part_of_strata(self) -> Part | None:
        """Return the part if it is one of positions or of work."""
        return self.part if self.part is not None and self.part.is_of_strata else None

    @property
    def names(self) -> tuple[DisagreementKind, str, Part | None]:
        return self.kind, self.annotator, self.part

    def overlaps(self, other: Cause) -> bool:
        """Return whether the two may have disagreement in common."""
        kinds = self.kind.includes(other.kind) or other.kind.includes(self.kind)
        one = "" in (self.annotator, other.annotator) or self.annotator == other.annotator
        return kinds and one
