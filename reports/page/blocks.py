"""The blocks of a section; each is printed by the macro named in `kind`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from markupsafe import Markup

N_STACKED = 16  # columns that the style sheet can label in rows that are stacked on narrow screens


@dataclass(frozen=True, slots=True)
class ValueView:
    """A number ready to print, with the details on its card."""

    identifier: str
    name: str
    symbol: str
    number: str
    is_defined: bool
    interval: str
    interval_long: str
    reason: str
    observed: str
    expected: str
    counts: str
    chance: str
    signature: str
    sentence: str
    entry: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: a text, a value with its card, a picture, or a state shown by sign and word."""

    text: str = ""  # with a value: the text under it
    value: ValueView | None = None
    picture: Markup | None = None
    kind: str = "text"  # text | number | code | strip | pass | fail | share | share agreed
    sort: float = math.nan  # of a number, as the key for sorting rows
    href: str = ""
    filter: str = ""  # with `href`: the disagreements that the link shows, as JSON
    share: float = 0.0  # share of the largest cell, for the tint of a confusion matrix
    language: str = ""  # if it differs from the page's
    quote: str = ""  # source text, after the cell's own text
    quote_language: str = ""

    @property
    def sort_key(self) -> float | str:
        """Return the key for sorting rows in the browser: undefined numbers are the smallest."""
        return self.sort if math.isfinite(self.sort) else "-Infinity"


class Block:
    """A part of a page, printed by a macro."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Table(Block):
    """A data table: the first cell of each row is its header."""

    kind: ClassVar[str] = "table"
    caption: str
    columns: list[Cell]
    rows: list[list[Cell]]
    note: str = ""
    folded: list[list[Cell]] = field(default_factory=list)  # the rows after those shown
    fold_label: str = ""
    more: str = ""  # "n more in the Parquet"
    css: str = ""

    @property
    def is_matrix(self) -> bool:
        """Return whether rows are meaningless without all columns, or too long to be stacked."""
        return "matrix" in self.css or len(self.columns) > N_STACKED


@dataclass(frozen=True, slots=True)
class LegendEntry:
    key: Markup
    label: str
    mark: str = ""  # what stands for the label in the figure where it has no room


@dataclass(frozen=True, slots=True)
class Figure(Block):
    kind: ClassVar[str] = "figure"
    svg: Markup
    caption: str
    legend: list[LegendEntry] = field(default_factory=list)
    wide: bool = False  # scrolls on its own on narrow screens
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Prose(Block):
    kind: ClassVar[str] = "prose"
    text: str
    tone: str = ""  # "" | lead | note | warning
    language: str = ""


@dataclass(frozen=True, slots=True)
class Heading(Block):
    kind: ClassVar[str] = "heading"
    text: str
    identifier: str


@dataclass(frozen=True, slots=True)
class Fold(Block):
    """Blocks behind a summary that opens without a script."""

    kind: ClassVar[str] = "fold"
    summary: str
    blocks: Sequence[Block]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Grid(Block):
    """Blocks side by side where the page is wide enough."""

    kind: ClassVar[str] = "grid"
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Facts(Block):
    """Terms with the facts about them."""

    kind: ClassVar[str] = "facts"
    rows: list[tuple[str, str]]
    language: str = ""  # if it differs from the page's


@dataclass(frozen=True, slots=True)
class Bullets(Block):
    kind: ClassVar[str] = "bullets"
    items: list[tuple[str, str]]  # a sentence and its language


@dataclass(frozen=True, slots=True)
class Code(Block):
    """Text to copy: a command, a BibTeX entry."""

    kind: ClassVar[str] = "code"
    text: str
    identifier: str
    label: str


@dataclass(frozen=True, slots=True)
class Reference(Block):
    """A cited work: formatted, and its BibTeX to copy."""

    kind: ClassVar[str] = "reference"
    words: str
    entry: str
    identifier: str


@dataclass(frozen=True, slots=True)
class FindingBlock(Block):
    kind: ClassVar[str] = "finding"
    title: str
    text: str
    advice: str
    severity: str
    severity_label: str
    figures: list[tuple[str, str]]
    language: str
    layer: str


@dataclass(frozen=True, slots=True)
class GateView:
    mark: str  # pass | undecided | fail
    word: str
    sentence: str


@dataclass(frozen=True, slots=True)
class GateCard:
    """A value with its gate, if any: outcome, distance from the threshold, recent change."""

    view: ValueView
    place: str  # layer, and system or category
    mark: str  # pass | undecided | fail; "" without a gate
    word: str
    distance: str
    strip: Markup
    axis: Markup
    change: str
    spark: Markup
    is_falling: bool
    note: str
    delivery: str  # value of the last batch or period
    deliveries: str  # first and last value of the batches or periods
    deliveries_spark: Markup
    is_delivery_worse: bool


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    href: str
    filter: str = ""  # JSON of the disagreements to show, if it links to them


@dataclass(frozen=True, slots=True)
class ActionLink:
    """What to do, the section that it needs, and what it recovers."""

    text: str
    href: str
    effect: str = ""
    filter: str = ""  # as of `Link`


@dataclass(frozen=True, slots=True)
class Verdict(Block):
    kind: ClassVar[str] = "verdict"
    outcome: str  # pass | undecided | fail | open
    headline: str
    first_step: ActionLink | None  # beside the headline
    cards: list[GateCard]
    axis_note: str  # that the scale does not begin at 0
    further: list[GateView]  # gates without a card
    cause_heading: str
    cause: str
    cause_note: str
    cause_of: str  # measure and layer
    examples: Table | None  # places that show the cause, with the annotators side by side
    actions: list[ActionLink]
    data: list[Link]
    alerts: list[tuple[str, str]]  # a sentence and its language


@dataclass(frozen=True, slots=True)
class AlignmentBlock(Block):
    """One document's picture, its disorder, and its unitary alignments as a table.

    The table is None where the disagreements of the page, at the end of a link, have the same data.
    """

    kind: ClassVar[str] = "alignment"
    document: str
    summary: str
    note: str
    svg: Markup
    table: Table | None
    disagreements: Link | None
    is_open: bool
    link: str = ""  # address of the document's own page


@dataclass(frozen=True, slots=True)
class DrawnBlock(Block):
    """A block that is already HTML."""

    kind: ClassVar[str] = "drawn"
    html: Markup


@dataclass(frozen=True, slots=True)
class DisagreementBlock(Block):
    """One place to discuss: the annotations of each annotator, with their text."""

    kind: ClassVar[str] = "disagreement"
    identifier: str
    where: str
    cost: str
    context: tuple[str, str, str]  # before, the disputed part, after
    language: str
    said: list[tuple[str, str, str]]  # annotator, what is shown, category
    data: dict[str, str]  # for filters and decisions


@dataclass(frozen=True, slots=True)
class DisagreementList(Block):
    """Disagreements that a script filters and on which readers can decide."""

    kind: ClassVar[str] = "disagreements"
    open: list[DisagreementBlock]
    folded: list[DisagreementBlock]
    fold_label: str
    tagsets: dict[str, list[str]]  # layer → categories that a decision may choose


@dataclass(frozen=True, slots=True)
class Section:
    identifier: str
    title: str
    blocks: list[Block]
    css: str = ""
    lead: str = ""
    part: str = ""  # its layer, if there are several
    is_brief: bool = False  # printed before the appendix
    is_open: bool = False  # on the screen, as the brief is
    inside: str = ""  # what a closed section has, and its main figure
    is_folded: bool = False
    is_agreement: bool = False  # beside the sections of layers, though no layer has it
