"""Agreement on units of one layer and on relations between units: chance, values, alignments."""

from __future__ import annotations

import math

from pydantic import Field

from ...metrics.effect_of_omission import Effect
from ...metrics.results import ErrorCost
from ..value import Finding, Model, Named, Number, Plain, Undefinable, Value
from .actions import SearchedLayer


class ChanceProcess(Undefinable):
    process: str
    n_samples: int
    mean: Number
    standard_deviation: Number = math.nan
    precision: Number = math.nan  # relative half-width of the 95 % interval
    samples: list[Number] = Field(default_factory=list)  # at most 1,000, for the figure
    chosen: bool = False  # minimum over processes


class AlignedUnit(Model):
    annotator: str
    start: float
    end: float
    category: str
    unit: str = ""
    text: str = ""
    fragments: list[tuple[int, int]] = Field(default_factory=list)  # of a discontinuous unit


class UnitaryAlignment(Model):
    """Disorder of a unitary alignment, and one index into `Alignment.units` per unit in it."""

    units: list[int]
    disorder: Number


class Alignment(Model):
    document: str
    length: float
    offset_unit: str = "char"
    text: str = ""
    annotators: list[str]
    units: list[AlignedUnit]
    alignments: list[UnitaryAlignment]
    disorder: Number
    optimal: bool = True
    gap: float = 0.0
    link: str = ""  # address of the document's own page, relative to the report; "" for none


class UnitAgreement(SearchedLayer):
    tagset: list[str]
    annotators: list[str]
    n_units: int
    n_unpaired: int = 0  # units in documents with one annotator, which are not used
    n_documents: int
    values: list[Value]  # gamma, gamma_cat, holistic, alpha_u …
    chance: list[ChanceProcess] = Field(default_factory=list)
    chance_per: str = "corpus"  # corpus | document
    observed_disorder: Number = math.nan
    explained: list[Value] = Field(default_factory=list)  # units found, their bounds, category
    error_costs: list[Plain[ErrorCost]] = Field(default_factory=list)
    n_part_documents: int = 0  # documents on which γ of categories, pairs … is computed; 0: all
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    leave_one_out: list[Named] = Field(default_factory=list)
    per_document: list[Named] = Field(default_factory=list)
    alignments: list[Alignment] = Field(default_factory=list)  # the worst documents first
    findings: list[Finding] = Field(default_factory=list)
    effects: list[Plain[Effect]] = Field(default_factory=list)  # on the values, the largest first
    intra: list[Named] = Field(default_factory=list)  # each annotator against their own later pass


class UnitParts(Model):
    """Values of a layer besides γ, from one task; they are appended to those of `UnitAgreement`."""

    values: list[Value] = Field(default_factory=list)
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    leave_one_out: list[Named] = Field(default_factory=list)
    effects: list[Plain[Effect]] = Field(default_factory=list)
    intra: list[Named] = Field(default_factory=list)


class RelationAgreement(SearchedLayer):
    """Agreement on one layer of relations, between places shared by the annotators' units.

    `values` are named `presence`, `category`, `typing` (α), `presence_f`, `category_f` (mutual F).
    """

    tagset: list[str]
    annotators: list[str]
    directed: bool = True
    n_documents: int = 0
    n_relations: int = 0
    n_left_out: int = 0  # an end at no shared place, or both ends at the same place
    n_repeated: int = 0  # between two places that the annotator had already linked
    values: list[Named] = Field(default_factory=list)
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    chain_categories: list[str] = Field(default_factory=list)  # layers whose links form chains
    n_mentions: int = 0
    n_chains: int = 0  # chains of all annotators with two mentions or more
    chains: list[Value] = Field(default_factory=list)
