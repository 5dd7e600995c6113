"""The campaign file: TOML, read once, checked whole, passed on as plain values.

Errors name the key, the value found and what is allowed. `accordeur schema campaign` prints the
JSON schema, so that editors complete and check the file while it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from glob import glob
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationInfo, field_validator, model_validator

from flows.campaign.config_sources import Annotator, Batch, Source
from flows.campaign.config_sources import Layer as Layer
from flows.campaign.config_sources import Name as Name
from flows.campaign.gate_measures import check_gate
from flows.schedule.notify_config import Notify
from flows.toml_file import ConfigError as ConfigError
from flows.toml_file import Section, parsed
from metrics.resampling.shuffling import Degradation

ReferenceRule = Literal[
    "majority",
    "unanimity",
    "dawid_skene",
    "glad",
    "mace",
    "minimax_entropy",
    "adjudicated",
    "annotator",
]


class CampaignSection(Section):
    """What the campaign is: shown at the head of the report and in the data statement."""

    name: Name
    description: str = ""
    language: str = ""
    guideline: str = Field("", description="version of the annotation guideline")
    licence: str = ""
    contact: str = ""
    privacy: bool = Field(False, description="pseudonyms only, and no source text in the store")
    statement: dict[str, str] = Field(
        default_factory=dict,
        description="data statement: heading → text; `accordeur audit` says which are missing",
    )


class Items(Section):
    measures: tuple[str, ...] = (
        "krippendorff_alpha",
        "fleiss_kappa",
        "conger_kappa",
        "bennett_s",
        "gwet_ac1",
        "percent_agreement",
    )


class RelationLayer(Section):
    """A layer of relations between units; what links of some categories join are chains."""

    directed: bool = Field(True, description="from one unit to the other; false: between two")
    chains: tuple[str, ...] = Field(
        ("Equiv",),
        description='categories whose links make coreference chains; "*": every category',
    )


class Weights(Section):
    """How the dissimilarity of two units weighs position and category."""

    position: Literal["positional", "sporadic", "hamming"] = "positional"
    alpha: float = Field(1.0, ge=0, description="weight of position")
    beta: float = Field(1.0, ge=0, description="weight of category")
    delta_empty: float | None = Field(None, gt=0, description="Δ∅; 1, or 4 for sporadic")


class Units(Weights):
    measures: tuple[Literal["gamma", "gamma_cat", "holistic", "alpha_u", "u_alpha"], ...] = (
        "gamma",
        "gamma_cat",
    )
    alignments_shown: int = Field(12, ge=0, description="documents drawn in the report")


class Chance(Section):
    processes: tuple[Literal["random1", "random2", "shuffle", "statistical"], ...] = Field(
        (), description="default: random2 with five documents or more, else shuffle and statistical"
    )
    precision: float = Field(0.01, gt=0, lt=1, description="relative, of the expected disorder")
    min_samples: int = Field(30, ge=2)
    max_samples: int = Field(10_000, ge=2)
    reconcile: Literal["rescale", "tile", "truncate"] = "rescale"
    max_documents: int = Field(
        20_000, ge=2, description="documents that virtual continua are drawn from, at most"
    )


class Intervals(Section):
    replicates: int = Field(1000, ge=0)
    level: float = Field(0.95, gt=0.5, lt=1)


class Resampling(Section):
    ties: Literal["random", "nearest_mean", "abstain"] = "random"
    max_annotators: int = Field(200, ge=2)


class ReadingGrid(Section):
    """What values on units mean: documents like the campaign's own, degraded step by step."""

    measures: tuple[Literal["gamma", "gamma_cat", "holistic", "alpha_u", "u_alpha"], ...] = Field(
        (), description="default: those of [units]"
    )
    degradations: tuple[Degradation, ...] = Field(get_args(Degradation), min_length=1)
    magnitudes: tuple[Annotated[float, Field(ge=0, le=1)], ...] = Field(
        (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8), description="probabilities, in increasing order"
    )
    shifts: tuple[Annotated[float, Field(ge=0)], ...] = Field(
        (0.0, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0),
        description="of bounds, in lengths of the unit, in increasing order",
    )
    trials: int = Field(30, ge=2, description="degraded campaigns for each point")
    documents: int = Field(5, ge=1, description="in a degraded campaign, at most")
    annotators: int = Field(
        5, ge=2, description="of a degraded document, at most: exact alignments of more cost more"
    )
    n_perfect: int = Field(0, ge=0, description="annotators who stay perfect; 2011 has one")

    @model_validator(mode="after")
    def _curves_rise(self) -> ReadingGrid:
        for key in ("magnitudes", "shifts"):
            steps = getattr(self, key)
            if len(steps) < 2 or list(steps) != sorted(set(steps)):
                raise ValueError(f"{key}: a curve needs two steps or more, each above the last")
        return self


class Reference(Section):
    """How the reference is made from the humans' annotations; without this section, none is."""

    rule: ReferenceRule = Field(
        "majority", description="adjudicated: agreed places and decisions; the rest is open"
    )
    ties: Literal["abstain", "random", "nearest_mean"] = "abstain"
    support: int | None = Field(
        None, ge=1, description="annotators who place a unit; default: more than half of them"
    )
    bounds: Literal["median", "best_annotator"] = "median"
    annotator: str | None = Field(
        None, description="whose work is taken as it is, with rule = annotator"
    )
    decisions: str | None = Field(
        None, description="file that `accordeur adjudicate` wrote, filled in; relative to this file"
    )

    @model_validator(mode="after")
    def _one_annotator_is_marked(self) -> Reference:
        if (self.rule == "annotator") != (self.annotator is not None):
            raise ValueError(
                "one annotator's work stands in for a reference only when it is marked: give both "
                'rule = "annotator" and annotator = "…", or neither'
            )
        return self


class Gate(Section):
    """A condition that the campaign must meet; the run exits with 1 when one fails."""

    measure: Name
    layer: str | None = Field(None, description="default: every layer that has the measure")
    at_least: float | None = None
    at_most: float | None = None
    on: Literal["value", "lower bound", "upper bound"] = "value"

    @model_validator(mode="after")
    def _one_bound(self) -> Gate:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("give either at_least or at_most")
        return self


class Validation(Section):
    on_rejected: Literal["continue", "stop"] = "continue"
    undeclared_annotators: Literal["reject", "accept"] = "reject"


class Engine(Section):
    """Where the work runs: the same campaign file everywhere."""

    dask: str = Field(
        "local",
        description="local, a scheduler's address (tcp://…), or a cluster class "
        "(dask_jobqueue.SLURMCluster)",
    )
    workers: int = Field(2, ge=1)
    adaptive: bool = False
    arguments: dict[str, Any] = Field(default_factory=dict, description="of the cluster class")
    documents_per_batch: int = Field(200, ge=1)
    retries: int = Field(2, ge=0)

    @field_validator("dask")
    @classmethod
    def _known_engine(cls, value: str) -> str:
        if value == "local" or "://" in value or "." in value:
            return value
        raise ValueError(
            "give 'local', a scheduler's address such as 'tcp://10.0.0.5:8786', or a cluster "
            "class such as 'dask_jobqueue.SLURMCluster'"
        )


class StoreSection(Section):
    url: str = Field("runs", description="folder (relative to the campaign file) or s3://… URL")


class Report(Section):
    language: Literal["en", "fr"] = "en"


class CampaignReport(Report):
    period: Literal["day", "week", "month", "year"] = Field(
        "month", description="of the control chart over time, where the exports have times"
    )
    document_pages: int = Field(
        20, ge=0, description="pages of their own for the documents of most disorder"
    )


class Config(Section):
    """A whole campaign file."""

    campaign: CampaignSection
    sources: tuple[Source, ...] = Field(min_length=1)
    annotators: dict[str, Annotator] = Field(default_factory=dict)
    layers: dict[str, Layer] = Field(default_factory=dict)
    batches: dict[str, Batch] = Field(default_factory=dict)
    items: Items = Items()
    units: Units = Units()
    chance: Chance = Chance()
    intervals: Intervals = Intervals()
    resampling: Resampling = Resampling()
    relations: dict[str, RelationLayer] = Field(
        default_factory=dict, description="layer of relations → how it is compared"
    )
    reading_grid: ReadingGrid | None = Field(
        None, description="without this section, none is made; an empty one takes the defaults"
    )
    reference: Reference | None = None
    gates: tuple[Gate, ...] = ()
    validation: Validation = Validation()
    engine: Engine = Engine()
    store: StoreSection = StoreSection()
    report: CampaignReport = CampaignReport()
    notify: Notify = Notify()
    seed: int = Field(0, ge=0)

    @property
    def hides_people(self) -> bool:
        """Whether this file says more than may be shown: who stands behind a pseudonym."""
        return self.campaign.privacy or any(who.pseudonym for who in self.annotators.values())

    @field_validator("items")
    @classmethod
    def _known_measures(cls, value: Items) -> Items:
        from metrics.agreement.registry import COEFFICIENTS

        for name in value.measures:
            if name not in COEFFICIENTS:
                raise ValueError(
                    f"no measure {name!r}; the measures on items are {', '.join(COEFFICIENTS)}"
                )
        return value

    @field_validator("gates")
    @classmethod
    def _gates_are_on_measures(
        cls, value: tuple[Gate, ...], info: ValidationInfo
    ) -> tuple[Gate, ...]:
        if "items" in info.data and "units" in info.data:  # else they are the mistake to tell
            for gate in value:
                check_gate(gate.measure, info.data["items"].measures, info.data["units"].measures)
        return value

    @model_validator(mode="after")
    def _pseudonyms_are_apart(self) -> Config:
        shown = [who.pseudonym or name for name, who in self.annotators.items()]
        for name in shown:
            if shown.count(name) > 1:
                raise ValueError(f"two annotators would both be shown as {name!r}")
        return self


def load(path: Path) -> Config:
    """Read a campaign file; paths in it become relative to its folder.

    Raises ConfigError with one line per mistake.
    """
    return _anchored(parsed(path, Config), path.resolve().parent)


def check_sources(config: Config) -> None:
    """Raise ConfigError for a source that is not there, before anything is started."""
    for number, source in enumerate(config.sources):
        is_there = Path(source.path).exists() or glob(source.path, recursive=True)  # noqa: PTH207
        if "://" not in source.path and not is_there:
            raise ConfigError(
                f"sources[{number}].path: {source.path}: no such file or folder, and no file fits "
                "it as a pattern; paths are relative to the campaign file"
            )


def _anchored(config: Config, folder: Path) -> Config:
    """The same with sources and a local store relative to the campaign file's folder."""

    def anchored(path: str) -> str:
        return path if "://" in path else str(folder / Path(path).expanduser())

    return config.model_copy(
        update={
            "sources": tuple(
                source.model_copy(update={"path": anchored(source.path)})
                for source in config.sources
            ),
            "store": StoreSection(url=anchored(config.store.url)),
            "reference": _anchored_decisions(config.reference, anchored),
        }
    )


def _anchored_decisions(
    reference: Reference | None, anchored: Callable[[str], str]
) -> Reference | None:
    if reference is None or reference.decisions is None:
        return reference
    return reference.model_copy(update={"decisions": anchored(reference.decisions)})
