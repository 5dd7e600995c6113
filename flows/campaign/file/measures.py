"""What a campaign file says of the measures: which, with which weights, chance and intervals."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator, model_validator

from ....metrics.measures import ITEMS, UNITS, USUAL
from ....metrics.resampling.grids.shuffling import Degradation
from ...measure_names import refusal
from ...toml_file import Section

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

UNNAMED_RELATIONS = "relations"  # what a layer of relations without a name is called
EVERY_CATEGORY = "*"


class Items(Section):
    """Which coefficients agreement on items is given in, the campaign's main one first."""

    measures: tuple[str, ...] = USUAL

    @field_validator("measures")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return _known(value, ITEMS, "the measures on items are")


def _known(names: tuple[str, ...], accepted: tuple[str, ...], where: str) -> tuple[str, ...]:
    for name in names:
        if name not in accepted:
            raise ValueError(refusal(name, accepted, where))
    return names


class RelationLayer(Section):
    """A layer of relations between units; what links of some categories join are chains."""

    directed: bool = Field(True, description="from one unit to the other; false: between two")
    chains: tuple[str, ...] = Field(
        ("Equiv",),
        description='categories whose links make coreference chains; "*": every category',
    )


class Weights(Section):
    """How the dissimilarity of two units weighs position and category."""

    position: Literal["positional", "sporadic", "hamming"] | None = Field(
        None, description="default: positional (2015); of the holistic measure sporadic (2011)"
    )
    alpha: float = Field(1.0, ge=0, description="weight of position")
    beta: float = Field(1.0, ge=0, description="weight of category")
    delta_empty: float | None = Field(None, gt=0, description="Δ∅; 1, or 4 for sporadic")


class Units(Weights):
    measures: tuple[str, ...] = ("gamma", "gamma_cat")
    alignments_shown: int = Field(12, ge=0, description="documents drawn in the report")

    @field_validator("measures")
    @classmethod
    def _of_units(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return _known(value, UNITS, "the measures on units are")


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


def of_grids() -> tuple[str, ...]:
    from ....metrics.resampling.grids.alignment_measures import Name

    return get_args(Name)


class ReadingGrid(Section):
    """What values on units mean: documents like the campaign's own, degraded step by step."""

    measures: tuple[str, ...] = Field((), description="default: those of [units]")
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

    @field_validator("measures")
    @classmethod
    def _of_grids(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return _known(value, of_grids(), "the measures of reading grids are")

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
