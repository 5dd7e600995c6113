"""The results document (`results.json`): everything a report shows, and nothing else.

Flows assemble it, `reports.views` formats it, other programs read it. Its JSON schema is
versioned: a field may be added within a major version, none removed or redefined. A number that is
undefined is null in JSON and carries a `reason`.
"""

from __future__ import annotations

import math

from pydantic import Field

from reports.value import Finding as Finding
from reports.value import Model as Model
from reports.value import Named as Named
from reports.value import Notice as Notice
from reports.value import Number as Number
from reports.value import Value as Value

SCHEMA_VERSION = "1.0"


class Campaign(Model):
    name: str
    description: str = ""
    language: str = ""
    guideline: str = ""
    licence: str = ""
    contact: str = ""
    statement: dict[str, str] = Field(default_factory=dict)  # data statement: heading → text
    tagset: list[str] = Field(default_factory=list)
    tagsets: dict[str, list[str]] = Field(default_factory=dict)  # layer → categories
    privacy: bool = False


class Annotator(Model):
    name: str
    role: str
    n_documents: int = 0
    n_units: int = 0
    n_labels: int = 0


class Gate(Model):
    measure: str
    layer: str = ""
    operator: str = ">="
    threshold: float
    value: Number
    passed: bool
    reason: str = ""
    on: str = "value"  # value | lower bound | upper bound (of the interval)


class Coverage(Model):
    """States of absence, annotator by document; `states[d][a]` is a `data.schema.State`."""

    layer: str = ""  # "" for the furthest state over all layers
    documents: list[str]  # at most a few hundred in the page; the Parquet has all
    annotators: list[str]
    states: list[list[str]]
    n_documents: int
    counts: dict[str, int] = Field(default_factory=dict)  # state → number, over all documents


class Expectation(Model):
    name: str
    table: str
    description: str
    layer: str = ""  # of the expectations on a layer's tagset
    passed: bool
    n_rows: int
    n_unexpected: int = 0
    examples: list[str] = Field(default_factory=list)


class RejectedRow(Model):
    source: str
    where: str
    rule: str
    value: str
    message: str
    document: str = ""
    annotator: str = ""
    table: str = ""
    link: str = ""  # address of the source relative to the page, "" for none


class Validation(Model):
    rows_in: int
    rows_accepted: int
    rows_rejected: int
    on_rejected: str = "continue"  # continue | stop
    expectations: list[Expectation] = Field(default_factory=list)
    rejected: list[RejectedRow] = Field(default_factory=list)  # the first of them; Parquet has all


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


class Confusion(Model):
    """`matrix[i][j]`: items that the row annotator called i and the column annotator called j."""

    row_annotator: str
    column_annotator: str
    matrix: list[list[float]]


class Universe(Model):
    """The coefficients on one choice of items (prevalence study): all, candidates only, …"""

    name: str
    n_items: int
    values: list[Value]
    confusion: Confusion | None = None


class ItemAgreement(Model):
    layer: str
    tagset: list[str]
    annotators: list[str]
    n_items: int
    n_unpaired: int = 0
    n_duplicates: int = 0
    values: list[Value]  # every coefficient, first the campaign's main one
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    leave_one_out: list[Named] = Field(default_factory=list)
    per_document: list[Named] = Field(default_factory=list)
    confusions: list[Confusion] = Field(default_factory=list)
    proposed_distances: dict[str, list[list[float]]] = Field(default_factory=dict)
    findings: list[Finding] = Field(default_factory=list)
    intra: list[Named] = Field(default_factory=list)  # an annotator against their own later pass
    universes: list[Universe] = Field(default_factory=list)


class ChanceProcess(Model):
    process: str
    n_samples: int
    mean: Number
    standard_deviation: Number = math.nan
    precision: Number = math.nan  # relative half-width of the 95 % interval reached
    samples: list[Number] = Field(default_factory=list)  # at most 1,000, for the picture
    chosen: bool = False  # the minimum over processes
    reason: str = ""


class AlignedUnit(Model):
    annotator: str
    start: float
    end: float
    category: str
    unit: str = ""
    text: str = ""


class UnitaryAlignment(Model):
    """Indices into `Alignment.units`, one per annotator who has a unit in it; its disorder."""

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


class UnitAgreement(Model):
    layer: str
    tagset: list[str]
    annotators: list[str]
    n_units: int
    n_documents: int
    values: list[Value]  # gamma, gamma_cat, holistic, alpha_u …
    chance: list[ChanceProcess] = Field(default_factory=list)
    chance_per: str = "corpus"  # corpus | document
    observed_disorder: Number = math.nan
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    leave_one_out: list[Named] = Field(default_factory=list)
    per_document: list[Named] = Field(default_factory=list)
    alignments: list[Alignment] = Field(default_factory=list)  # the worst documents first
    findings: list[Finding] = Field(default_factory=list)
    intra: list[Named] = Field(default_factory=list)  # an annotator against their own later pass


class ModificationPoint(Model):
    k: int
    modification_rate: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    weighted: Number = math.nan  # where a change costs the distance of the two labels
    weighted_interval: tuple[Number, Number] = (math.nan, math.nan)
    reason: str = ""


class Resampling(Model):
    """M(k): how much of the majority reference changes with k of the n annotators."""

    layer: str
    ties: str
    n_annotators: int
    n_items: int
    points: list[ModificationPoint]
    signature: str = ""


class GridReading(Model):
    """The campaign's own value as a magnitude; `nan` with a reason where it lies off the curve.

    `interval`: magnitudes at which a campaign of this size with that value would not surprise.
    """

    value: Number
    magnitude: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    reason: str = ""


class GridCurve(Model):
    """A reading grid: a measure against the magnitude of one degradation."""

    layer: str = ""
    measure: str
    degradation: str  # shift | omission | false_positives | category | split | merge
    magnitudes: list[float]
    means: list[Number]
    intervals: list[tuple[Number, Number]] = Field(default_factory=list)  # of single campaigns
    mean_intervals: list[tuple[Number, Number]] = Field(default_factory=list)
    trials: int = 0
    n_undefined: int = 0  # trials without a value
    reading: GridReading | None = None
    signature: str = ""


class ReadingTable(Model):
    """How much a reference would change with k annotators, for a campaign with this coefficient.

    `points` are means over trials of synthetic annotators; `n_reference` made the whole reference.
    """

    layer: str
    measure: str
    distance: str = "nominal"
    value: Number
    n_reference: int
    trials: int
    points: list[ModificationPoint]
    signature: str = ""


class Reading(Model):
    """What a value means: read off the grid or the table."""

    measure: str
    value: Number
    sentences: list[Notice]


class ReferenceSummary(Model):
    layer: str
    rule: str
    annotators: list[str]
    n_items: int
    n_resolved: int
    n_ties: int = 0
    n_unresolved: int = 0
    unresolved: list[str] = Field(default_factory=list)
    warnings: list[Notice] = Field(default_factory=list)
    history: list[dict[str, str]] = Field(default_factory=list)
    is_single_annotator: bool = False  # then the page says "annotator", not "reference"


class SystemScores(Model):
    system: str
    layer: str
    kind: str  # items | units
    values: list[Value]
    per_category: list[Named] = Field(default_factory=list)
    errors: dict[str, int] = Field(default_factory=dict)


class SystemComparison(Model):
    layer: str
    measure: str
    first: str
    second: str
    difference: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    p_value: Number = math.nan
    p_corrected: Number = math.nan
    reason: str = ""


class Validity(Model):
    """Systems against a reference, apart from agreement."""

    reference: str
    systems: list[SystemScores]
    comparisons: list[SystemComparison] = Field(default_factory=list)
    human_range: list[SystemScores] = Field(default_factory=list)
    baselines: list[SystemScores] = Field(default_factory=list)


class Disagreement(Model):
    """One place to discuss: who said what, how much it costs."""

    document: str
    layer: str
    where: str  # item name or "start–end"
    cost: Number
    said: dict[str, str]  # annotator → category ("" for nothing)
    context: str = ""
    marked: tuple[int, int] = (0, 0)  # the part of `context` that is disputed


class Repair(Model):
    """Two categories that annotators exchange, for the guideline: how often, and where."""

    layer: str
    first: str
    second: str
    count: int
    out_of: int = 0  # pairs of labels in which either category stands; 0 when not counted
    where: list[str] = Field(default_factory=list)  # "document, item" of some of them


class Batch(Model):
    """A delivery of documents under one guideline version."""

    name: str
    guideline: str = ""
    n_documents: int = 0
    first: str = ""  # ISO 8601 of the first and the last annotation, where the exports have it
    last: str = ""
    states: dict[str, int] = Field(default_factory=dict)  # state → annotators' documents and layers


class RunPoint(Model):
    """A main value of an earlier run, batch or time: for the control chart."""

    run: str
    measure: str
    layer: str
    value: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    kind: str = "run"  # run | batch | time


class Stage(Model):
    name: str
    seconds: float
    worker_seconds: float = 0.0  # of all workers together
    n_tasks: int = 0
    n_parts: int = 0  # sources, shards or batches of samples
    n_reused: int = 0  # of these


class Changes(Model):
    """What became of the documents since an earlier run; at most twenty names of each kind."""

    since: str
    n_added: int = 0
    n_removed: int = 0
    n_renamed: int = 0
    n_changed: int = 0
    added: list[str] = Field(default_factory=list)
    removed: list[str] = Field(default_factory=list)
    renamed: list[tuple[str, str]] = Field(default_factory=list)  # (before, now)
    changed: list[str] = Field(default_factory=list)


class Run(Model):
    version: str
    input_hash: str
    config_hash: str = ""
    seed: int = 0
    command: str = ""
    started: str = ""
    versions: dict[str, str] = Field(default_factory=dict)  # package → version
    inputs: dict[str, str] = Field(default_factory=dict)  # source file → sha256
    stages: list[Stage] = Field(default_factory=list)
    changes: Changes | None = None


class Release(Model):
    """What a release audit asked besides the numbers."""

    missing: list[str] = Field(default_factory=list)  # of the data statement; see data_statement


class Results(Model):
    schema_version: str = SCHEMA_VERSION
    campaign: Campaign
    run: Run
    release: Release | None = None
    annotators: list[Annotator] = Field(default_factory=list)
    gates: list[Gate] = Field(default_factory=list)
    coverage: Coverage | None = None
    coverages: list[Coverage] = Field(default_factory=list)  # one a layer
    validation: Validation | None = None
    distributions: list[Distribution] = Field(default_factory=list)
    items: list[ItemAgreement] = Field(default_factory=list)
    units: list[UnitAgreement] = Field(default_factory=list)
    resampling: list[Resampling] = Field(default_factory=list)
    grids: list[GridCurve] = Field(default_factory=list)
    readings: list[Reading] = Field(default_factory=list)
    reading_tables: list[ReadingTable] = Field(default_factory=list)
    references: list[ReferenceSummary] = Field(default_factory=list)
    validity: list[Validity] = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)
    repairs: list[Repair] = Field(default_factory=list)  # taken from the confusions when empty
    batches: list[Batch] = Field(default_factory=list)
    history: list[RunPoint] = Field(default_factory=list)
    alerts: list[Notice] = Field(default_factory=list)
