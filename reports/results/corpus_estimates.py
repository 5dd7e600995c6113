"""What a corpus contains, from a system's labels corrected by a human audit; not agreement."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pydantic import Field

from ...metrics.estimate import NO_INTERVAL, Estimate
from ..value import Model, Number, Undefinable, Value


class Corrected(Undefinable):
    """One quantity three ways; `reason` says why there is no corrected value, or no interval."""

    naive: Number = math.nan  # of the system's labels alone: not valid
    humans: Number = math.nan  # of the audited items alone
    humans_interval: tuple[Number, Number] = NO_INTERVAL
    value: Number = math.nan  # corrected
    interval: tuple[Number, Number] = NO_INTERVAL

    def as_value(self, measure: str, level: float, n_items: int) -> Estimate:
        return Estimate(
            measure,
            self.value,
            self.reason,
            interval=self.interval,
            confidence_level=level,
            n_items=n_items,
        )


class TextbookShare(Undefinable):
    """A correction of the literature, shown on request."""

    method: str  # rogan_gladen | ppi | ppi_plus_plus
    value: Number = math.nan
    interval: tuple[Number, Number] = NO_INTERVAL


class CategoryShare(Corrected):
    """The share of a category in the corpus."""

    category: str
    n_hits: int  # audited items to which humans give it
    saving: Number = math.nan  # lower limit of the share of human labels saved
    worth: int | None = None  # human labels of the same precision; None: nothing is claimed
    n_needed: int | None = None  # audited items for the wanted width
    textbook: list[TextbookShare] = Field(default_factory=list)


class ShareChange(Undefinable):
    """The share of a category in this corpus minus that in an earlier batch."""

    category: str
    value: Number = math.nan
    interval: tuple[Number, Number] = NO_INTERVAL


class PartShares(Model):
    """The shares of a batch or period of the corpus, each corrected by the audit of that part."""

    name: str
    n_items: int
    n_audited: int
    shares: dict[str, Corrected] = Field(default_factory=dict)  # by category


class JudgeDrift(Model):
    """Whether a system errs alike in all parts of the corpus."""

    kind: str  # batch | time
    p_value: Number  # of the same human labels, by label of the system, in all parts
    parts: list[PartShares]


class SystemEstimates(Model):
    """What the labels of one system and the audit say together."""

    system: str
    n_items: int
    n_audited: int
    n_unlabelled: int = 0  # items without a label of the system
    shares: list[CategoryShare] = Field(default_factory=list)
    accuracy: Corrected | None = None
    mean: Corrected | None = None
    changes: list[ShareChange] = Field(default_factory=list)  # since an earlier batch
    drift: list[JudgeDrift] = Field(default_factory=list)  # in campaigns


class AccuracyDifference(Undefinable):
    """The accuracy of the first system minus that of the second, in the corpus."""

    first: str
    second: str
    n_discordant: int  # audited items on which one of them is right
    value: Number = math.nan
    interval: tuple[Number, Number] = NO_INTERVAL


class CorpusEstimates(Model):
    """Estimates of a layer of labels."""

    layer: str = ""
    level: float = 0.95
    level_of_shares: float = 0.95  # of each share's own interval
    simultaneous: bool = False
    drawn_by: str = "item"  # item | label | document
    random_by: str = "declared"  # declared by the user | recorded by `accordeur next` | whole
    target: str = "annotator"  # annotator | majority | dawid_skene
    annotators: list[str] = Field(default_factory=list)  # humans of the audit
    n_unresolved: int = 0  # audited items on whose label the humans do not decide
    agreement: Value | None = None  # of these humans, beside the estimates
    wanted_width: float | None = None
    systems: list[SystemEstimates] = Field(default_factory=list)
    differences: list[AccuracyDifference] = Field(default_factory=list)

    def values(self) -> Iterator[tuple[str, str, Estimate]]:
        """Yield each corrected estimate as a value, after its system and the category or ""."""
        for one in self.systems:
            for share in one.shares:
                value = share.as_value("corrected_share", self.level_of_shares, one.n_items)
                yield one.system, share.category, value
            for measure, whole in (
                ("corrected_accuracy", one.accuracy),
                ("corrected_mean", one.mean),
            ):
                if whole is not None:
                    yield one.system, "", whole.as_value(measure, self.level, one.n_items)
