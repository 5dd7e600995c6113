"""Sections of the campaign file on measures, besides `metrics.options` and `tasks.options`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator

from ....data.option_names import in_campaign_file
from ....metrics.measures import ITEMS, ON_LABELS, UNITS, USUAL
from ....metrics.options import (
    GridMeasure,
    GroupComparison,
    IntervalKind,
    Intervals,
    Option,
    Resampling,
    Trimming,
    UnitMatching,
    Weights,
)
from ....metrics.prevalence.prevalence_options import PrevalenceOptions
from ....metrics.replacement.replacement_options import ReplacementOptions
from ....tasks.inputs.assessment_options import Bar, JudgeSettings
from ....tasks.inputs.measure_names import require_known_measures
from ....tasks.options import GridOptions, ItemLengths, ReferenceOptions
from ....tasks.ranking.ranking_options import RankBar, RankSettings

UNNAMED_RELATIONS = "relations"  # name of a layer of relations without a name
EVERY_CATEGORY = "*"


OF_GRIDS: tuple[str, ...] = get_args(GridMeasure)


def _require_grid_measures(names: tuple[str, ...]) -> tuple[str, ...]:
    return require_known_measures(names, OF_GRIDS, "the measures of reading grids are")


def _require_label_measures(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names. Raises ValueError if the first, main measure is an ICC."""
    with in_campaign_file():
        known = require_known_measures(names, ON_LABELS, "the measures on items are")
    if known and known[0] not in ITEMS:
        raise ValueError(
            f"{known[0]} cannot lead the report, which shows the first measure by annotator, "
            "document and category: put a coefficient such as krippendorff_alpha before it"
        )
    return known


OfItems = AfterValidator(_require_label_measures)
OfUnits = AfterValidator(
    partial(require_known_measures, accepted=UNITS, what_there_is="the measures on units are")
)


@dataclass(frozen=True)
class Items:
    """Coefficients of agreement on items; the first is the main one."""

    measures: Annotated[
        tuple[str, ...], Option("coefficients on items; the first one leads the report"), OfItems
    ] = USUAL
    complete: Annotated[
        bool, Option("measure only the items that every annotator of the layer labelled")
    ] = False
    groups: Annotated[
        Mapping[str, tuple[str, ...]],
        Option(
            "two groups of annotators, name → annotators, whose cross-replication reliability is "
            "computed"
        ),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        members = [name for group in self.groups.values() for name in group]
        if len(self.groups) not in (0, 2) or len(set(members)) < len(members):
            raise ValueError("groups: give two groups that share no annotator")


@dataclass(frozen=True)
class Units(Trimming, UnitMatching, Weights):
    measures: Annotated[
        tuple[str, ...], Option("measures on units; the first one leads the report"), OfUnits
    ] = ("gamma", "gamma_cat")
    alignments_shown: Annotated[int, Option("documents drawn in the report", ge=0)] = 12


@dataclass(frozen=True)
class CampaignIntervals(IntervalKind, Intervals):
    """How confidence intervals are drawn, and what they generalise over."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.require_no_analytic("campaigns")


@dataclass(frozen=True)
class CampaignResampling(Resampling):
    """How much of the majority reference depends on who annotated."""

    def __post_init__(self) -> None:
        if self.reliability is not None:
            [known] = require_known_measures((self.reliability,), ITEMS, "the coefficients are")
            object.__setattr__(self, "reliability", known)


@dataclass(frozen=True)
class RelationLayer:
    """A layer of relations between units; links of some categories form chains."""

    directed: Annotated[bool, Option("whether relations have a direction")] = True
    chains: Annotated[
        tuple[str, ...],
        Option('categories whose links make coreference chains; "*": every category'),
    ] = ("Equiv",)


@dataclass(frozen=True)
class ReadingGrid(GridOptions):
    """Reading grid of measures on units: documents like the campaign's, degraded step by step."""

    measures: Annotated[
        tuple[str, ...],
        Option("measures of the grid; default: the measures of [units]"),
        AfterValidator(_require_grid_measures),
    ] = ()


@dataclass(frozen=True)
class Groups(GroupComparison):
    """Groups of annotators to compare, by their attributes."""

    attributes: Annotated[
        str | None,
        Option(
            "table of annotator attributes (path relative to this file): a column `annotator` and "
            "a column for each attribute; attributes in [annotators] are added"
        ),
    ] = None


@dataclass(frozen=True)
class Replacement(ItemLengths, ReplacementOptions):
    """Systems that may replace an annotator; without this section, none is judged."""

    layers: Annotated[
        tuple[str, ...],
        Option("layers whose systems are judged; default: every layer with a system"),
    ] = ()


@dataclass(frozen=True)
class Judges(JudgeSettings):
    """Systems that judge, checked against humans as `accordeur judge` does."""

    layers: Annotated[
        tuple[str, ...],
        Option("layers that are checked; default: every layer with a system and one label an item"),
    ] = ()
    by: Annotated[
        str | None,
        Option(
            "table with the column item, document if needed, and one other, such as a topic: also "
            "the values on the items of each text"
        ),
    ] = None
    bars: Annotated[
        tuple[Bar, ...],
        Option("what a judge must reach; default: whether it may replace an annotator"),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class Ranking(RankSettings):
    """Systems ranked from preferences, as `accordeur rank` does."""

    preferences: Annotated[
        str, Option("table of preferences, or of scores (path relative to this file)")
    ]
    bars: Annotated[
        tuple[RankBar, ...], Option("gates on strengths and shares of preferences")
    ] = ()


@dataclass(frozen=True)
class Estimate(PrevalenceOptions):
    """What the corpus contains, from the labels of systems and a random audit by humans."""

    layers: Annotated[
        tuple[str, ...],
        Option(
            "layers that are estimated; default: every layer with a system and one label an item"
        ),
    ] = ()
    audit: Annotated[
        Literal["recorded", "random"],
        Option(
            "how the audit is known to be random. recorded: it consists of the items that rounds "
            "of `accordeur next` drew at random; random: it consists of all items that humans "
            "labelled, and they were drawn at random, which the report states as your word"
        ),
    ] = "recorded"


@dataclass(frozen=True)
class Reference(ReferenceOptions):
    """Rule for the reference from human annotations; without this section, none is built."""

    decisions: Annotated[
        str | None,
        Option("the completed file of `accordeur adjudicate`; its path is relative to this file"),
    ] = None
