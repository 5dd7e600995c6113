"""Agreement on items of one layer, and its categories."""

from __future__ import annotations

from pydantic import Field

from ...metrics.effect_of_omission import Effect
from ...metrics.results import AttributeGroups, Confusion, Universe
from ..value import Finding, Model, Named, Number, Plain, Value
from .actions import SearchedLayer


class Arc(Model):
    """The head of a token, from 1 (0 for a root), and its relation to it."""

    head: int
    relation: str


class AlignedWord(Model):
    """A word in its column, "" for none, and how it differs from the central text."""

    text: str
    change: str = ""  # replaced | inserted | missing


class NumberedBox(Model):
    """A box; matched boxes of the annotators have the same number."""

    number: int
    left: float
    top: float
    right: float
    bottom: float
    category: str = ""


class DrawnObject(Model):
    """An object to be drawn, with the field of its kind; `ranking`: tied candidates together."""

    annotator: str
    arcs: list[Arc] = Field(default_factory=list)
    words: list[AlignedWord] = Field(default_factory=list)
    ranking: list[list[str]] = Field(default_factory=list)
    boxes: list[NumberedBox] = Field(default_factory=list)


class WorstObjects(Model):
    """An item whose objects differ most; `said`: the text of each annotator's object."""

    document: str
    item: str
    mean_distance: float
    said: dict[str, str] = Field(default_factory=dict)  # empty with privacy, if objects are text
    # the central object first, then the others; empty with privacy, and for kinds not drawn
    drawn: list[DrawnObject] = Field(default_factory=list)


class ObjectStudy(Model):
    distance: str
    kind: str = "other"  # tree | text | ranking | boxes | other
    annotators: list[Value] = Field(default_factory=list)  # mean distance of each to the others
    worst: list[WorstObjects] = Field(default_factory=list)


class RatedItem(Model):
    """An item of the figure: the mean of the two ratings, and the first minus the second."""

    item: str
    mean: float
    difference: float


class RatingStudy(Model):
    """Results for a layer of ratings besides its coefficients.

    pairs  mean difference of each pair of annotators; the limits of agreement are in its detail
    """

    reliability: list[Value] = Field(default_factory=list)  # the six intraclass correlations
    scales: list[Value] = Field(default_factory=list)  # α at nominal, ordinal and interval level
    forecast: list[Value] = Field(default_factory=list)  # Eρ² and Φ for k annotators
    pairs: list[Value] = Field(default_factory=list)
    repeatability: Value | None = None  # None: no annotator rated an item twice
    widest: list[RatedItem] = Field(default_factory=list)  # of the pair with the widest limits


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
