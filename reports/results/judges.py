"""Systems that judge, beside the humans who label the same items: the result of `accordeur judge`.

What is agreement (of humans), what a candidate is (a system with each human) and what is a score
(a system against a reference) are fields of their own and are never listed together.
"""

from __future__ import annotations

from pydantic import Field

from ...metrics.results import ReliabilityBin
from ..value import Model, Number, Plain, Undefinable, Value
from .corpus_estimates import CorpusEstimates
from .replacement import Replacement
from .run import GateOutcome

FILE = "judges.json"  # of a run, beside its results, which never have them
MOST_ITEMS_OF_CELL = 100  # named; `n` counts all


class CandidatePair(Model):
    """A coefficient of a system with one human."""

    annotator: str
    value: Value


class CandidateMeasure(Model):
    """A coefficient of a system with each human, and its mean over them."""

    mean: Value
    pairs: list[CandidatePair]


class Candidate(Model):
    """A system as a candidate annotator. These values are not agreement of the humans."""

    system: str
    measures: list[CandidateMeasure]


class ConfusionCell(Model):
    """The items with one label in the reference and one of a system."""

    reference: str
    label: str  # "" for none
    n: int
    items: list[str] = Field(default_factory=list)  # the first MOST_ITEMS_OF_CELL


class CategoryScores(Model):
    """Precision, recall and F of one category."""

    category: str
    n_reference: int
    values: list[Value]


class JudgeScores(Model):
    """The scores of a system against the reference."""

    system: str
    values: list[Value]
    categories: list[CategoryScores]
    confidence: list[Value] = Field(default_factory=list)  # Brier score, calibration error
    reliability: list[Plain[ReliabilityBin]] = Field(default_factory=list)
    confusion: list[ConfusionCell]


class JudgeSlice(Model):
    """A system on the items with one text in a column."""

    name: str
    system: str
    n_items: int
    candidate: list[Value]  # mean over the humans of each coefficient
    scores: list[Value]
    categories: list[CategoryScores]


class ScoreDifference(Undefinable):
    """A score of the first system minus that of the second on the same items."""

    measure: str
    first: str
    second: str
    difference: Number
    interval: tuple[Number, Number]
    p_value: Number  # of the randomisation test, with Holm's correction


class BarOutcome(Model):
    """A bar, stated beforehand, and whether a system passes it.

    more  items that humans must still label to decide it, if the value stays; None: decided,
          or not known
    """

    system: str
    measure: str
    of: str = ""  # category
    operator: str
    threshold: float
    on: str = "value"
    value: Value
    outcome: GateOutcome
    more: int | None = None


class JudgeVerdict(Model):
    """Whether a system may be used: passed, failed or undecided."""

    system: str
    outcome: GateOutcome
    by: str  # bars | replacement
    bars: list[BarOutcome] = Field(default_factory=list)


class JudgeReport(Model):
    """The output of `accordeur judge`.

    agreement    of the humans alone: the human ceiling; [] with fewer than two
    candidates   coefficients of each system with each human
    human_ratings, ratings  numeric labels: correlations and ICC, the mean over the pairs of humans,
                 and of each system with each human; [] for others
    reference    what the scores are against: name of an annotator, or `majority`
    corrected    shares of the corpus corrected by the human labels; None: not asked for
    replacement  the alt-test, the panel's verdict (None with fewer than three humans), and checks
                 of runs, order and length where the data have them
    bars_hash    SHA-256 of the file of bars, "" without one
    """

    layer: str = ""
    annotators: list[str]
    systems: list[str]
    agreement: list[Value]
    candidates: list[Candidate]
    human_ratings: list[Value] = Field(default_factory=list)
    ratings: list[Candidate] = Field(default_factory=list)
    reference: str
    n_reference: int
    n_items: int
    n_unlabelled_by_humans: int = 0
    scores: list[JudgeScores]
    differences: list[ScoreDifference] = Field(default_factory=list)
    corrected: CorpusEstimates | None = None
    replacement: Replacement
    slices: list[JudgeSlice] = Field(default_factory=list)
    verdicts: list[JudgeVerdict]
    bars_file: str = ""
    bars_hash: str = ""


class JudgeReports(Model):
    """The file `judges.json` of a run: the check of the systems of each layer."""

    candidates: list[JudgeReport]
