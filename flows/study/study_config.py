"""The study file: TOML, read once, validated as a whole, passed on as plain values.

A study is a grid of cells by trials. Its kind defines a trial:

| kind | a trial |
|---|---|
| `synthetic` | one campaign of synthetic annotators: its κ, its α, its M(k) |
| `subsets` | some of the subsets of a campaign's own annotators |
| `reference_models` | one sample of k annotators for every k, given to a model |
| `reading_grid` | one degraded campaign of units, and an alignment measure on it |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field, model_validator

from ...metrics.agreement.distance_checks import check_offered, require_distance
from ...metrics.agreement.distances import OF_LABELS
from ...metrics.close_names import did_you_mean
from ...metrics.errors import MetricsError
from ...metrics.measures import coefficient_of
from ...metrics.options import Degradation, GridMeasure, Option, Ties, Weights
from ...metrics.resampling.reference_stability import MODELS
from ...metrics.resampling.study_plugins import label_generators, study_variables, unit_degradations
from ...metrics.resampling.synthetic.synthetic_annotators import (
    Spread,
    WrongClass,
)
from ..campaign.file.paths import path_from
from ..campaign.file.sources import Name
from ..schedule.notify_config import Notify
from ..shared_sections import Engine, Report, StoreSection
from ..toml_file import ConfigError, Section, read_toml

Kind: TypeAlias = Literal["synthetic", "subsets", "reference_models", "reading_grid"]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]

TRIALS: dict[str, int] = {
    "synthetic": 2000,
    "subsets": 0,  # as many as there are parts of subsets
    "reference_models": 100,
    "reading_grid": 30,
}
GRID_KEYS: dict[str, tuple[str, ...]] = {
    "synthetic": (
        "n_annotators", "n_categories", "merged", "prevalence_swap", "unanimous", "ties",
        "generator", "spread", "wrong_class", "influence", "p2", "variables",
    ),
    "subsets": ("merged", "prevalence_swap", "ties", "variables"),
    "reference_models": ("merged", "model", "variables"),
    "reading_grid": (
        "measure", "degradation", "magnitude", "n_documents", "n_annotators", "n_perfect",
    ),
}  # fmt: skip


class StudySection(Section):
    """Description of the study; `trials` is the number of trials of each cell."""

    name: Name
    kind: Kind
    description: str = ""
    trials: int | None = Field(
        None, ge=1, description="trials per cell; default: 2000, or 100 (models), or 30 (grid)"
    )
    precision: float | None = Field(
        None,
        gt=0,
        description="half width of the 95% interval of a cell's means at which it runs no more "
        "trials; looked at after an eighth, a quarter and half of them",
    )
    coefficients: tuple[str, ...] = Field(
        ("krippendorff_alpha", "conger_kappa"),
        min_length=1,
        description="coefficients of synthetic campaigns, also of plugins",
    )
    distance: str = Field("nominal", description="distance of the coefficients that use one")
    seed: int = Field(0, ge=0)
    privacy: bool = Field(False, description="show numbers instead of annotators' names")


class Data(Section):
    """The user's own campaign: a label table, or exports with units."""

    labels: str = Field("", description="table with item, annotator, label [, document]")
    units: tuple[str, ...] = Field((), description="exports with units")
    campaign: str = Field(
        "",
        description="campaign file with a finished run, whose units and dissimilarity are "
        "used (see `layer`)",
    )
    format: str = "auto"
    options: dict[str, str] = Field(
        default_factory=dict, description="the format's own options (accordeur formats)"
    )
    layer: str | None = None
    categories: tuple[str, ...] = Field((), description="all categories, in the scale's order")
    ordered: bool = Field(False, description="the categories are in the order of a scale")
    values: tuple[float, ...] = Field((), description="positions of the categories on the scale")

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the user that the study measures; none for a synthetic study."""
        return tuple(filter(None, (self.labels, self.campaign))) or self.units

    def with_files(self, files: Sequence[Path]) -> Data:
        """Return the section with these files in place of its own. Raises ConfigError."""
        given = tuple(str(one.resolve()) for one in files)
        if not self.files:
            raise ConfigError("--data: this study reads no data; run it without this option")
        if self.units:
            return self.model_copy(update={"units": given})
        if len(given) > 1:
            raise ConfigError(f"--data: this study reads one file, {len(given)} were given")
        return self.model_copy(update={"labels" if self.labels else "campaign": given[0]})

    @model_validator(mode="after")
    def _one_kind(self) -> Data:
        if sum(map(bool, (self.labels, self.units, self.campaign))) > 1:
            raise ValueError("give either labels, units or campaign")
        if self.values and self.categories and len(self.values) != len(self.categories):
            raise ValueError(f"{len(self.values)} values for {len(self.categories)} categories")
        return self


class MadeItems(Section):
    """Synthetic items, for a synthetic study without a label table."""

    n_items: Count = 100
    p1: tuple[Share, ...] = Field(
        (0.0, 0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
        min_length=1,
        description="shares of annotators who differ from the majority, assigned to the items in "
        "turn",
    )
    prevalence: tuple[float, ...] = Field(
        (), description="shares of the categories; default: equal"
    )


class MadeUnits(Section):
    """Synthetic documents, for a reading grid without exports (2011: 25 units, 3 annotators)."""

    n_units: Count = 25
    shortest: float = Field(5.0, gt=0)
    longest: float = Field(25.0, gt=0)
    coverage: float = Field(0.5, gt=0, le=1, description="share of the document inside units")
    categories: tuple[str, ...] = Field(("A", "B"), min_length=1)
    overlapping: bool = False


@dataclass(frozen=True)
class DeclaredDissimilarity(Weights):
    """Dissimilarity of a reading grid; without this section, each measure's own default."""

    distance: Annotated[
        dict[str, dict[str, float]],
        Option(
            "distances of pairs of categories, 0..1; other pairs have 1: {Former = {New = 0.5}}"
        ),
    ] = field(default_factory=dict)


class Grid(Section):
    """Every combination of these lists is a cell."""

    n_annotators: tuple[Annotated[int, Field(ge=2)], ...] = ()
    n_categories: tuple[Annotated[int, Field(ge=2)], ...] = (5,)
    merged: tuple[str, ...] = Field(("",), description='names of [merged.…]; "" merges nothing')
    prevalence_swap: tuple[Share, ...] = (0.0,)
    unanimous: tuple[Share, ...] = Field((), description="share of items free of errors")
    ties: tuple[Ties, ...] = ("random",)
    generator: tuple[str, ...] = ("p1",)
    spread: tuple[Spread, ...] = ("equal",)
    wrong_class: tuple[WrongClass, ...] = ("uniform",)
    influence: tuple[Annotated[float, Field(ge=0)], ...] = (1.0,)
    p2: tuple[tuple[Share, Share], ...] = ()
    model: tuple[str, ...] = ("majority", "dawid_skene")
    measure: tuple[GridMeasure, ...] = ("gamma",)
    degradation: tuple[str, ...] = get_args(Degradation)
    magnitude: tuple[Annotated[float, Field(ge=0)], ...] = tuple(i / 10 for i in range(11))
    n_documents: tuple[Count, ...] = (1,)
    n_perfect: tuple[Annotated[int, Field(ge=0)], ...] = (1,)
    variables: dict[str, Annotated[tuple[float, ...], Field(min_length=1)]] = Field(
        default_factory=dict, description="variables of other packages: {name = [values]}"
    )

    @model_validator(mode="after")
    def _lists_hold_something(self) -> Grid:
        for key in self.model_fields_set:
            values = getattr(self, key)
            if not values:
                raise ValueError(f"{key} is an empty list: name at least one value")
            if len(set(values)) < len(values):
                raise ValueError(f"{key} names a value twice")
        for key, named, known in (
            ("generator", self.generator, label_generators()),
            ("degradation", self.degradation, unit_degradations()),
            ("variables", self.variables, study_variables()),
        ):
            for name in named:
                if name not in known:
                    raise ValueError(
                        f"{key} names {name!r}; {did_you_mean(name, known)}known: "
                        f"{', '.join(known) or 'none'}"
                    )
        for low, high in self.p2:
            if low > high:
                raise ValueError(
                    f"p2 [{low:g}, {high:g}] is not an interval: give the lower bound first"
                )
        for name in self.model:
            if name not in MODELS:
                raise ValueError(f"no reference model {name!r}; known: {', '.join(MODELS)}")
        return self


class Subsets(Section):
    ks: tuple[Count, ...] = Field((), description="sizes of subsets; default: 1 to n - 1")
    coefficient: str = Field(
        "krippendorff_alpha", description="coefficient of every subset, also of a plugin"
    )
    enumerate_up_to: Count = Field(
        10_000_000,
        description="up to this number of subsets of one size, all are evaluated; above it, "
        "a sample",
    )
    samples: Count = 10_000


class StudyEngine(Engine):
    """Where the work is executed, as in a campaign file, and the size of a task."""

    seconds_per_task: float = Field(15.0, gt=0)
    batch_size: int | None = Field(
        None, ge=1, description="number of trials in one file; default: chosen from measured times"
    )


class StudyConfig(Section):
    """A whole study file."""

    study: StudySection
    data: Data = Data()
    items: MadeItems = MadeItems()
    units: MadeUnits = MadeUnits()
    dissimilarity: DeclaredDissimilarity | None = None
    grid: Grid = Grid()
    merged: dict[str, dict[str, str]] = Field(
        default_factory=dict, description="name → {old category = new category}"
    )
    subsets: Subsets = Subsets()
    observed: dict[str, float] = Field(
        default_factory=dict,
        description="the campaign's own values, to read off the curves: {gamma = 0.6}",
    )
    engine: StudyEngine = StudyEngine()
    store: StoreSection = StoreSection()
    report: Report = Report()
    notify: Notify = Notify()

    @property
    def trials(self) -> int:
        return self.study.trials or TRIALS[self.study.kind]

    @property
    def coefficients(self) -> tuple[str, ...]:
        """The coefficients on items that the study computes; none of models and of units."""
        kinds = {"synthetic": self.study.coefficients, "subsets": (self.subsets.coefficient,)}
        return kinds.get(self.study.kind, ())

    @model_validator(mode="after")
    def _keys_fit_the_kind(self) -> StudyConfig:
        kind = self.study.kind
        unfit = sorted(self.grid.model_fields_set - set(GRID_KEYS[kind]))
        if unfit:
            raise ValueError(
                f"grid.{unfit[0]} has no meaning in a study of kind {kind!r}; its grid has "
                f"{', '.join(GRID_KEYS[kind])}"
            )
        if kind in ("subsets", "reference_models") and not self.data.labels:
            raise ValueError(f"a study of kind {kind!r} needs data.labels, a table of labels")
        for key in ("trials", "precision"):
            if kind == "subsets" and getattr(self.study, key) is not None:
                raise ValueError(
                    f"study.{key}: a study of subsets has as many trials as there are subsets; use "
                    "subsets.enumerate_up_to and subsets.samples"
                )
        if kind == "reading_grid" and self.data.labels:
            raise ValueError("a reading grid needs units: give data.units instead of data.labels")
        if kind != "reading_grid":
            for key, given in (
                ("data.units", self.data.units),
                ("data.campaign", self.data.campaign),
                ("dissimilarity", self.dissimilarity),
            ):
                if given:
                    raise ValueError(f"{key} has no meaning in a study of kind {kind!r}")
        if self.data.campaign and self.dissimilarity is not None:
            raise ValueError(
                "dissimilarity: the campaign in data.campaign has its own: remove this section"
            )
        return self

    @model_validator(mode="after")
    def _coefficients_are_known(self) -> StudyConfig:
        try:
            check_offered(self.study.distance, OF_LABELS)
            for name in self.coefficients:
                coefficient_of(name)
            require_distance(self.coefficients, self.study.distance, declare="study.distance")
        except MetricsError as error:
            raise ValueError(str(error)) from None
        return self

    @model_validator(mode="after")
    def _names_are_known(self) -> StudyConfig:
        for name in self.grid.merged:
            if name and name not in self.merged:
                raise ValueError(
                    f"grid.merged names {name!r}; declared: {', '.join(self.merged) or 'none'}"
                )
        own = bool(self.data.labels)
        if own and "n_categories" in self.grid.model_fields_set:
            raise ValueError(
                "grid.n_categories: the label table in data.labels has its own categories: remove "
                "this key"
            )
        if not own and (self.merged or self.grid.prevalence_swap != (0.0,) or self.grid.variables):
            raise ValueError("merged categories, prevalence_swap and variables need data.labels")
        if self.items.prevalence and self.grid.n_categories != (len(self.items.prevalence),):
            raise ValueError(
                f"items.prevalence is of {len(self.items.prevalence)} categories; "
                f"grid.n_categories must be [{len(self.items.prevalence)}]"
            )
        if len(self.grid.magnitude) < 2:
            raise ValueError("grid.magnitude: a curve needs at least two magnitudes")
        for name in self.grid.degradation:
            most = unit_degradations()[name].most
            if sum(one <= most for one in self.grid.magnitude) < 2:
                raise ValueError(
                    f"grid.magnitude: the curve of {name} needs two magnitudes up to {most:g}"
                )
        if max(self.grid.n_perfect) > min(self.grid.n_annotators or (3,)):
            raise ValueError("grid.n_perfect: there are more perfect annotators than annotators")
        if "nearest_mean" in self.grid.ties and own and not (self.data.ordered or self.data.values):
            raise ValueError(
                "grid.ties: nearest_mean takes the mean of the labels, so the categories must be "
                "ordered: set data.ordered = true (and data.categories in order) or data.values"
            )
        return self


def load_study(path: Path, *, data: Sequence[Path] = (), store: str = "") -> StudyConfig:
    """Read a study file; its paths are resolved relative to its folder.

    data   files that take the place of those that [data] names
    store  takes the place of its store

    Raises ConfigError with one line per mistake.
    """
    config = read_toml(path, StudyConfig)
    folder = path.resolve().parent
    if data:
        config = config.model_copy(update={"data": config.data.with_files(data)})

    def anchored(one: str) -> str:
        return path_from(folder, one)

    own = config.data.model_copy(
        update={
            "labels": anchored(config.data.labels),
            "campaign": anchored(config.data.campaign),
            "units": tuple(anchored(one) for one in config.data.units),
        }
    )
    return config.model_copy(
        update={"data": own, "store": StoreSection(url=store or anchored(config.store.url))}
    )
