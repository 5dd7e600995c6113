"""Label reference, the common result of all rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..agreement.label_matrix import HUMAN
from ..arrays import Flags, Ints32
from ..coded_warning import CodedWarning
from ..errors import MetricsError, RoleError

UNRESOLVED = -1


@dataclass(frozen=True, slots=True)
class Reference:
    """Labels that systems may be scored against, and what is unresolved.

    codes       int32 (N,): index into `tagset`, -1 if the rule gives no label
    tagset      K categories
    rule        the rule's name; `signature` has all its settings
    n_ties      items on which several categories were tied for first
    unresolved  bool (N,): items without a reference label, to be revised
    annotators  annotators that it was made from; one alone is not a reference
                (`is_single_annotator`)
    warnings    warnings to show beside it
    detail      further named figures (items dropped by unanimity, fit of a model)
    """

    codes: Ints32
    tagset: tuple[str, ...]
    rule: str
    n_ties: int
    annotators: tuple[str, ...]
    items: tuple[str, ...] = ()
    warnings: tuple[CodedWarning, ...] = ()
    signature: str = ""
    detail: dict[str, float | int | str] = field(default_factory=dict)

    @property
    def unresolved(self) -> Flags:
        return self.codes == UNRESOLVED

    @property
    def n_items(self) -> int:
        return int(self.codes.shape[0])

    @property
    def n_resolved(self) -> int:
        return int((self.codes != UNRESOLVED).sum())

    @property
    def n_unresolved(self) -> int:
        return self.n_items - self.n_resolved

    @property
    def is_single_annotator(self) -> bool:
        """Whether these are the labels of one annotator; reports then say "annotator"."""
        return len(self.annotators) == 1


SINGLE_ANNOTATOR = CodedWarning("single_annotator")
CONSENSUALITY = CodedWarning("consensuality")


def require_humans(annotators: tuple[str, ...], roles: tuple[str, ...], rule: str) -> None:
    """Raise RoleError unless every annotator is human, MetricsError if there are none.

    Without roles (an empty tuple) all are human.
    """
    if not annotators:
        raise MetricsError(f"{rule} needs at least one annotator")
    for name, role in zip(annotators, roles, strict=False):
        if role != HUMAN:
            raise RoleError(
                f"a reference by {rule} is built from human annotators, but {name!r} is a "
                f"{role}: a system that helps to make the reference would be judged by itself; "
                "exclude it"
            )
