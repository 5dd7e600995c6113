"""Declaration of a coefficient on items, attached to its formula, and helpers of the formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...arrays import Floats, divide
from ...measure import DataKind, Measure

if TYPE_CHECKING:
    from ..sums import Sums
    from .spread import Spread

COMPLETE, AVAILABLE = "complete", "available"
Disagreements = tuple[Floats, Floats]
Formula = Callable[["Sums", "Spread"], Disagreements]


def _raise_no_formula(sums: Sums, spread: Spread) -> Disagreements:
    raise NotImplementedError("a declaration without a formula: see `declares_coefficients`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient(Measure):
    """A measure of agreement on items, with its formula.

    disagreements   formula of D_o and D_e for B batch elements; the value is 1 − D_o/D_e
    generalisation  for a coefficient of two annotators: the coefficient to use with more
                    annotators, for which this one is nan
    unweighted      for a weighted coefficient: the coefficient that it is with the nominal
                    distance, with which it is not computed under its own name
    weighted        whether it uses the distance chosen in the options; otherwise always
                    `own_distance`
    has_observed, has_expected  whether it has a p_o and a p_e
    paired_marginals  whether it reads paired labels only (α): an ordinal distance uses their
                      margins, and an analytic variance the items with two labels
    distances_only  whether labels by category enter only by their distances
    lone_labels     whether the label of an item with one label enters the expected agreement
    complete_items  whether it reads the items that every annotator labelled
    complete_pair   whether, of two annotators, it reads the items that both labelled (Cohen's κ)
    confusions      whether it reads the confusion matrix of each pair of annotators
    chance_from_labels  whether chance labels are random draws from the annotators' own categories
    published_variance  whether its analytic standard error is Gwet's; else it is the infinitesimal
                        jackknife (Efron 1982), the same computation
    """

    agreement: tuple[DataKind, ...] = (DataKind.ITEMS,)
    minimum: float = -1.0
    disagreements: Formula = _raise_no_formula
    generalisation: str = ""
    unweighted: str = ""
    weighted: bool = False
    own_distance: str = "nominal"
    has_observed: bool = True
    has_expected: bool = True
    paired_marginals: bool = False
    distances_only: bool = False
    lone_labels: bool = False
    complete_items: bool = False
    complete_pair: bool = False
    confusions: bool = False
    chance_from_labels: bool = False
    published_variance: bool = True

    def of_complete_pair(self, n_annotators: int) -> bool:
        """Whether it reads only the items that both of two annotators labelled."""
        return self.complete_pair and n_annotators == 2

    def missing(self, n_annotators: int) -> str:
        """Return which labels are used if some are missing, as the settings of a value state it.

        `available`: all, also where an item has one label; `paired`: of items with two or more;
        `pairwise`: of each pair of annotators, on the items that both labelled; `complete`: of
        items that every annotator labelled.
        """
        if self.complete_items or self.of_complete_pair(n_annotators):
            return COMPLETE
        if self.confusions:
            return "pairwise"
        return AVAILABLE if self.lone_labels else "paired"

    @property
    def observes_share_of_pairs(self) -> bool:
        """Whether the observed agreement is the plain share of pairs of labels that agree."""
        nominal = self.has_observed and not (self.weighted or self.generalisation)
        return nominal and not (self.complete_items or self.confusions)


DECLARED: dict[str, Coefficient] = {}


def declares_coefficients(*declarations: Coefficient) -> Callable[[Formula], Formula]:
    """Declare the coefficients that the decorated formula computes."""

    def declare(formula: Formula) -> Formula:
        for one in declarations:
            DECLARED[one.name] = replace(one, disagreements=formula)
        return formula

    return declare


def observed_disagreement(sums: Sums, spread: Spread) -> Floats:
    """Return D_o, the mean over items of the mean distance over their ordered pairs of labels."""
    return divide(sums.observed(spread), sums.n_paired)
