"""Agreement on items of one layer, and its categories."""

from __future__ import annotations

from pydantic import Field

from ...metrics.effect_of_omission import Effect
from ...metrics.results import AttributeGroups, Confusion, Universe
from ..value import Finding, Model, Named, Number, Plain, Value
from .actions import SearchedLayer
from .objects import ObjectStudy
from .ratings import RatingStudy


class Distribution(Model):
    """Counts of categories of one layer: `counts[category][annotator]`."""

    layer: str
    kind: str  # items | units
    tagset: list[str]
    annotators: list[str]
    counts: list[list[int]]
    documents: list[str] = Field(default_factory=list)
    document_counts: list[list[int]] = Field(default_factory=list)  # [document][category]
    batches: list[str] = Field(default_factory=list)
    batch_counts: list[list[int]] = Field(default_factory=list)  # [batch][category]


class ItemAgreement(SearchedLayer):
    tagset: list[str]
    labels: list[str] = Field(default_factory=list)  # labels that the sets in the tagset consist of
    annotators: list[str]
    n_items: int
    n_unpaired: int = 0
    n_duplicates: int = 0
    values: list[Value]  # every coefficient, the campaign's main one first
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    n_pairs: int = 0  # pairs with a common item; `per_pair` holds those with the most items
    leave_one_out: list[Named] = Field(default_factory=list)
    per_document: list[Named] = Field(default_factory=list)
    confusions: list[Plain[Confusion]] = Field(default_factory=list)
    # [category][category]: pairs of labels on one item, each pair 1 / (labels of the item − 1)
    coincidences: list[list[float]] = Field(default_factory=list)
    proposed_distances: dict[str, list[list[Number]]] = Field(default_factory=dict)
    findings: list[Finding] = Field(default_factory=list)
    effects: list[Plain[Effect]] = Field(default_factory=list)  # on the values, the largest first
    intra: list[Named] = Field(default_factory=list)  # each annotator against their own later pass
    universes: list[Plain[Universe]] = Field(default_factory=list)
    ratings: RatingStudy | None = None  # for a layer with a numeric distance
    objects: ObjectStudy | None = None  # for a layer whose distance is between objects
    groups: list[Plain[AttributeGroups]] = Field(
        default_factory=list
    )  # of annotators, by attribute
