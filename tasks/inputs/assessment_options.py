"""Options of the commands that assess systems, annotations and what a corpus contains."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from ...data.option_names import option
from ...metrics.errors import MetricsError
from ...metrics.measures import SOFT_SCORES
from ...metrics.options import Option, Sampling, SoftRule
from ...metrics.prevalence.prevalence_options import Draw, PrevalenceOptions
from ...metrics.replacement.replacement_options import PanelOptions, ReplacementSettings
from ..options import ItemLengths, MistakeOptions
from .distance_options import (
    FILE_OF_DISTANCES,
    NOMINAL,
    SCALE,
    CategoryDistances,
    ChosenDistance,
    choose_category_distance,
    choose_single_label_distance,
)
from .reading_options import parse_categories
from .unit_options import UnitComparison, UnitWeights

if TYPE_CHECKING:
    from ..options import MeasureSelection


@dataclass(frozen=True)
class ScoreOptions(CategoryDistances, Sampling):
    """Scores to compute; by default all that do not have to be requested by name."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            "Only these measures (commas, or repeated). Measures of segmentations, speakers and "
            "coreference (pk, der, muc …) are computed only on request, and distances between "
            "distributions only with --soft: `accordeur measures` lists them.",
            flag="--measure",
            separated=True,
        ),
    ] = ()
    soft: Annotated[
        SoftRule | None,
        Option(
            "Score against the distribution of the labels of all annotators of the reference's "
            "export: the shares of their labels (votes), the same shrunk towards the shares over "
            "all items (dirichlet), or the posterior of the true category (dawid_skene). Systems "
            "give labels, or tables with `item` and a column per category."
        ),
    ] = None
    categories: Annotated[
        tuple[str, ...],
        Option(
            "All categories, separated by commas, in the order of the scale.",
            text=parse_categories,
        ),
    ] = ()
    distance: Annotated[
        ChosenDistance,
        Option(
            "Distance between categories, for p_o; an ordered one is the scale of wasserstein. An "
            f"unknown name lists them all. {FILE_OF_DISTANCES}",
            text=choose_single_label_distance,
            other_flags=SCALE,
        ),
    ] = NOMINAL
    window: Annotated[
        int | None,
        Option(
            "Window of pk and window_diff, in places; default: half the mean reference segment, "
            "a half rounded up, at least 2.",
            ge=1,
        ),
    ] = None
    collar: Annotated[
        int,
        Option(
            "For der: milliseconds to exclude around each reference bound, half on either side "
            "(NIST's collar of 0.25 s is 500).",
            ge=0,
        ),
    ] = 0
    skip_overlap: Annotated[
        bool, Option("For der: exclude times at which two speakers of the reference speak.")
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        segmentations, turns = ("pk", "window_diff"), ("der",)
        for name, is_given, measures in (
            ("window", self.window is not None, segmentations),
            ("collar", self.collar > 0, turns),
            ("skip-overlap", self.skip_overlap, turns),
        ):
            if is_given and not (self.measures and any(map(self.wants, measures))):
                raise MetricsError(
                    f"{option(name)} is for {' and '.join(measures)}, computed on "
                    f"request only: give {option('measure', measures[0])}, too"
                )

    def with_soft(self) -> ScoreOptions:
        """Return these options, with `soft` set if only measures of distributions are selected.

        Raises MetricsError if `soft` is combined with a measure of labels or units.
        """
        if self.soft is None and self.measures and {*self.measures} <= {*SOFT_SCORES}:
            return replace(self, soft="votes")
        others = [name for name in self.measures if name not in SOFT_SCORES]
        if self.soft is not None and others:
            raise MetricsError(
                f"{', '.join(others)} is not a measure of distributions; with {option('soft')} the "
                f"measures are {', '.join(SOFT_SCORES)}"
            )
        return self

    def wants(self, name: str) -> bool:
        """Whether to print a value: `exact` selects exact_f, `f` selects exact_f and macro_f."""
        return not self.measures or any(
            name == m or name.startswith(f"{m}_") or name.endswith(f"_{m}") for m in self.measures
        )

    def selected_measures(self, main: str) -> MeasureSelection:
        """Return what to compute: the selected values; `main` is always compared."""
        from ..options import MeasureSelection

        return MeasureSelection(
            lambda measure, _: self.wants(measure),
            lambda measure: measure == main or (bool(self.measures) and self.wants(measure)),
        )


@dataclass(frozen=True)
class ReplaceOptions(UnitWeights, ItemLengths, ReplacementSettings):
    """Options for comparing systems with the annotators of an export; weights for `disorder`."""

    distance: Annotated[
        ChosenDistance,
        Option(
            "Distance between categories, for the alignments `similarity` and `disorder`: nominal, "
            f"ordinal, interval, … An unknown name lists them all. {FILE_OF_DISTANCES}",
            text=choose_category_distance,
            other_flags=SCALE,
        ),
    ] = NOMINAL


@dataclass(frozen=True)
class EstimateOptions(PrevalenceOptions):
    """Options for estimating what a corpus contains, with how the audit is known to be random."""

    audit_is_random: Annotated[
        bool,
        Option(
            "The audited items were drawn at random (as --drawn-by says). The result states that "
            "this is your word."
        ),
    ] = False
    queue: Annotated[
        str | None,
        Option(
            "Queue of `accordeur next` (Parquet, or the folder of its rounds): the items that it "
            "drew at random are the audit; human labels of other items are not used."
        ),
    ] = None


@dataclass(frozen=True)
class MistakeSearchOptions(UnitComparison, MistakeOptions):
    """Options of the search for probable errors in an export; weights for aligning units."""


@dataclass(frozen=True)
class Bar:
    """What a judge must reach, in a value of its check."""

    measure: Annotated[str, Option("a measure of the check of a judge, such as recall")]
    of: Annotated[str | None, Option("category of a score or share; default: the whole")] = None
    at_least: Annotated[float | None, Option("the judge fails below this value")] = None
    at_most: Annotated[float | None, Option("the judge fails above this value")] = None
    on: Annotated[
        Literal["value", "lower bound", "upper bound"],
        Option("what is compared; the value is undecided if its interval contains the bar"),
    ] = "value"

    def __post_init__(self) -> None:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("give either at_least or at_most, as a number")
        from .measure_names import BARS, require_known_measures

        require_known_measures((self.measure,), BARS, "bars can be on")


@dataclass(frozen=True)
class JudgeSettings(ItemLengths, PanelOptions):
    """How systems that judge are checked against humans, by the command and in a campaign."""

    reference: Annotated[
        str | None,
        Option(
            "What the scores are against: majority (of the humans; items with a tie have none), or "
            "the name of an annotator. Default: the annotator with the role reference, else the "
            "majority."
        ),
    ] = None
    panel: Annotated[
        bool, Option("Also judge the majority of the judges, as one more judge named panel.")
    ] = False
    confidence: Annotated[
        str | None,
        Option(
            "Table with the columns item and confidence (0 to 1), annotator if there are several "
            "judges, and document if needed: how sure a judge says that it is."
        ),
    ] = None
    audit_is_random: Annotated[
        bool,
        Option(
            "The items that humans labelled were drawn at random: also estimate the shares of the "
            "categories in all items, corrected for the judge's errors."
        ),
    ] = False
    drawn_by: Annotated[
        Draw, Option("How the random audit was drawn: item, label or document.")
    ] = "item"


@dataclass(frozen=True)
class JudgeOptions(JudgeSettings, CategoryDistances, Sampling):
    """Options for checking systems that judge against the humans of an export."""

    humans: Annotated[
        tuple[str, ...],
        Option(
            "Column of a human, in a table with a row per item and columns of humans and judges; "
            "may be repeated. Other columns are not used.",
            flag="--human",
        ),
    ] = ()
    by: Annotated[
        str | None,
        Option("Column of the table, such as a topic: also the values on the items of each text."),
    ] = None
    bars: Annotated[
        str | None,
        Option(
            "TOML file of what a judge must reach, in sections [[bars]] with measure, at_least or "
            "at_most, and of (a category); or a campaign file with [[judges.bars]]. Default: "
            "whether it may replace an annotator."
        ),
    ] = None
    distance: Annotated[
        ChosenDistance,
        Option(
            "Distance between categories, for the coefficients: nominal, ordinal, interval, … An "
            f"unknown name lists them all. {FILE_OF_DISTANCES}",
            text=choose_single_label_distance,
            other_flags=SCALE,
        ),
    ] = NOMINAL

    def __post_init__(self) -> None:
        PanelOptions.__post_init__(self)
        Sampling.__post_init__(self)
