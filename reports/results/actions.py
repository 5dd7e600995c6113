"""Causes of a low agreement, disagreements to discuss, and what to do, in order."""

from __future__ import annotations

import math
from enum import StrEnum

from pydantic import Field

from ...metrics.causes.mechanisms import Mechanism
from ..value import Model, Number, Plain
from .run import Gate


class Disagreement(Model):
    """One place to discuss: the annotators' categories there, and the cost of the disagreement."""

    document: str
    layer: str
    where: str  # item name or "start–end"
    cost: Number
    said: dict[str, str]  # annotator → category ("" for nothing)
    context: str = ""
    marked: tuple[int, int] = (0, 0)  # the disputed part of `context`
    case: str = ""  # its name in the files of `accordeur adjudicate`
    categories: dict[str, str] = Field(default_factory=dict)  # for units: `said` without bounds
    batch: str = ""
    decided: dict[str, str] = Field(default_factory=dict)
    """Who decided → category, "" for a document that a reference annotated; {} if it is open."""


class Repair(Model):
    """Two categories that annotators exchange: how often, and where; for guideline revision."""

    layer: str
    first: str
    second: str
    count: int
    out_of: int = 0  # pairs of labels in which either category occurs; 0 when not counted
    where: list[str] = Field(default_factory=list)  # "document, item" of some of them


class Cause(Model):
    """Disagreement of a part, an annotator or a kind that exceeds the rest of the campaign.

    kind        missing | boundary | category | relation, or "" for all disagreement
    categories  the category of units that are missing or have other bounds, or two that are
                confused
    part        batch | document_type | since | period, or "" for the whole campaign; `since` is
                from the period or batch `part_name` on; from_ | before_ and position (in a
                document), hour (of the work) or order (percent of an annotator's documents)
    share       of all disagreement (1 − value) that would not exist if it were as in the rest;
                `interval` is 95 %, corrected for the number of candidates; negative for two
                annotators who are too alike, by whose pair the value is higher
    n           what disagrees in it, of the `n_compared` of its annotator and part
    n_rest      the same, of `n_compared_rest`, of the other annotators among themselves, else of
                everything outside its part; 0 of 0 of a category in the whole campaign
    counted     labels | units: pairs of them; unmatched: units; relations; amounts: nothing
    marks_more  of missing units: the annotator marks units that others do not
    first, last  the periods or batches between which agreement falls gradually; "" of any other
                cause
    mechanism   what explains at least half of it, if anything does
    confounded  annotators from whom its part or category cannot be told apart
    """

    kind: str = ""
    categories: list[str] = Field(default_factory=list)
    annotator: str = ""
    part: str = ""
    part_name: str = ""
    share: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    n: int = 0
    n_compared: int = 0
    n_rest: int = 0
    n_compared_rest: int = 0
    counted: str = "labels"
    marks_more: bool = False
    first: str = ""
    last: str = ""
    mechanism: Plain[Mechanism] | None = None
    confounded: list[str] = Field(default_factory=list)

    @property
    def overstates(self) -> bool:
        """Whether it makes the agreement seem higher: two annotators who are too alike."""
        return self.share < 0


class Example(Model):
    """A place that shows a cause, with what every annotator did there.

    where    item or `start–end`; "" for a whole document
    said     annotator → label or units, "" for nothing
    context  text, if there is one, with its disputed part
    """

    document: str
    where: str
    said: dict[str, str]
    context: str = ""
    marked: tuple[int, int] = (0, 0)


class CauseSearch(Model):
    """The clear causes of values that count the same disagreement, the largest first.

    examples      of the first cause
    n_candidates  possible causes that were examined
    unexamined    categories | annotators | pairs | parts | hours | positions: what the data do not
                  allow
    """

    measures: list[str]
    causes: list[Cause] = Field(default_factory=list)
    n_candidates: int = 0
    unexamined: list[str] = Field(default_factory=list)
    examples: list[Example] = Field(default_factory=list)


class SearchedLayer(Model):
    """Results of a layer with the searches for causes: that of its main values, and others.

    `of` is the system whose scores these are; "" for agreement.

    causes        of low main values, the largest first
    n_candidates  possible causes that were examined
    causes_of     the main values
    unexamined, examples  as of a `CauseSearch`
    searches      for values that count another disagreement
    """

    causes: list[Cause] = Field(default_factory=list)
    n_candidates: int = 0
    causes_of: list[str] = Field(default_factory=list)
    unexamined: list[str] = Field(default_factory=list)
    examples: list[Example] = Field(default_factory=list)
    searches: list[CauseSearch] = Field(default_factory=list)
    layer: str

    @property
    def of(self) -> str:
        return ""

    def search_of(self, measure: str) -> CauseSearch | None:
        """Return the search in the disagreement that a measure counts, if there is one."""
        main = CauseSearch(
            measures=self.causes_of,
            causes=self.causes,
            n_candidates=self.n_candidates,
            unexamined=self.unexamined,
            examples=self.examples,
        )
        return next((one for one in (main, *self.searches) if measure in one.measures), None)


class ActionKind(StrEnum):
    """What is to be done: remove a cause, correct rows, or annotate more."""

    cause = "cause"
    rejected = "rejected"
    annotate = "annotate"


class Action(Model):
    """What to do about a value, the gated one if a gate is on it.

    of         the system whose score it is; "" for agreement
    gain       by how much the value would change; nan for rejected rows and more annotations
    value      the value with the gain; nan for rejected rows and more annotations
    on         what its gate tests: the value, a bound or the width
    tested     this number with the gain; nan without a gate
    distance   what it then lacks to the threshold, 0 if it is reached; nan without a gate
    n, n_of    rejected rows, and all rows, 0 if a file with an unknown number could not be read
    """

    kind: ActionKind
    layer: str = ""
    measure: str = ""
    of: str = ""
    cause: Cause | None = None
    gain: Number = math.nan
    interval: tuple[Number, Number] = (math.nan, math.nan)
    value: Number = math.nan
    on: str = "value"
    tested: Number = math.nan
    distance: Number = math.nan
    n: int = 0
    n_of: int = 0

    def is_on(self, gate: Gate) -> bool:
        """Return whether it is about the value of a gate."""
        return (gate.layer, gate.measure, gate.of) == (self.layer, self.measure, self.of)
