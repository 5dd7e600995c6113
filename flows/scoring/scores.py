"""What a scoring is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...data.account import RowAccount
from ...data.errors import DataError
from ...data.schema import Rejected
from ...metrics.agreement.label_matrix import sorted_categories
from ...metrics.estimate import Estimate
from ...metrics.scoring.compare import Comparison

if TYPE_CHECKING:
    from ...tasks.validity.evaluation import (
        Compared,
        Evaluation,
        ScoredDocuments,
        ScoringSettings,
        Wanted,
    )


@dataclass(frozen=True, slots=True)
class Options:
    """How to score. `measures` empty: all that the kind of input has without being asked."""

    measures: tuple[str, ...] = ()
    tagset: tuple[str, ...] = ()
    distance: str = "nominal"
    window: int | None = None
    collar: int = 0
    skip_overlap: bool = False
    n_replicates: int = 1000
    level: float = 0.95
    seed: int = 0

    def sampling(self) -> dict[str, Any]:
        return {"n_replicates": self.n_replicates, "level": self.level, "seed": self.seed}

    def settings(self) -> ScoringSettings:
        from ...tasks.validity.evaluation import ScoringSettings

        return ScoringSettings(**self.sampling())

    def wanted(self, main: str) -> Wanted:
        """What is computed: what `wants` says, and `main` at least is compared."""
        from ...tasks.validity.evaluation import Wanted

        return Wanted(
            lambda measure, _: self.wants(measure),
            lambda measure: measure == main or (bool(self.measures) and self.wants(measure)),
        )

    def tagset_of(self, categories: Set[str]) -> tuple[str, ...]:
        """The tagset given, else these categories in order. Raises DataError for one outside."""
        if not self.tagset:
            return sorted_categories({*categories})
        for category in sorted(categories - set(self.tagset)):
            raise DataError(
                f"{category!r} is given and not in the tagset ({', '.join(self.tagset)})"
            )
        return self.tagset

    def wants(self, name: str) -> bool:
        """Whether a value is printed: `exact` asks for exact_f, `f` for exact_f and macro_f."""
        return not self.measures or any(
            name == m or name.startswith(f"{m}_") or name.endswith(f"_{m}") for m in self.measures
        )


@dataclass(frozen=True, slots=True)
class Score:
    """One value. `system` is "" for a baseline, `category` "" for all categories together."""

    system: str
    estimate: Estimate
    category: str = ""


@dataclass(slots=True)
class Scores:
    """Everything the command prints. `errors` is system → kind of error → count."""

    reference: str
    is_single_annotator: bool = False
    scores: list[Score] = field(default_factory=list)
    errors: dict[str, dict[str, int]] = field(default_factory=dict)
    comparisons: list[tuple[str, Comparison]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    set_aside: list[Rejected] = field(default_factory=list)
    rows: RowAccount = field(default_factory=lambda: RowAccount(0))
    compared: dict[str, dict[str, Compared]] = field(default_factory=dict)  # measure → system
    documents: dict[str, ScoredDocuments] = field(default_factory=dict)

    def add(self, options: Options, system: str, estimate: Estimate, category: str = "") -> None:
        if options.wants(estimate.measure):
            self.scores.append(Score(system, estimate, category))

    def take(self, options: Options, evaluation: Evaluation) -> None:
        """Add what `tasks.validity` found."""
        for one in evaluation.systems:
            for estimate in one.values:
                self.add(options, one.system, estimate)
            for category, estimates in one.by_category.items():
                for estimate in estimates:
                    self.add(options, one.system, estimate, category)
            self.errors[one.system] = one.errors
        for estimate in evaluation.baselines:
            self.add(options, "", estimate)
        for measure, of_system in evaluation.compared.items():
            self.compared.setdefault(measure, {}).update(of_system)
