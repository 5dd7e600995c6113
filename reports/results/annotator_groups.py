"""Agreement within and between groups of annotators, without naming their members."""

from __future__ import annotations

import math

from pydantic import Field

from ..value import Model, Number, Value


class GroupAgreement(Model):
    """Agreement of one group with the annotators of all other groups."""

    name: str
    n_annotators: int
    within: Value
    between: Value
    normalized: Value  # 1 where agreement between groups equals agreement within them
    p_value: Number = math.nan  # probability of a difference as large under random grouping
    p_corrected: Number = math.nan
    least_p: Number = math.nan  # smallest p-value possible for groups of these sizes


class AttributeGroups(Model):
    attribute: str
    groups: list[GroupAgreement] = Field(default_factory=list)
    n_hidden: int = 0  # groups below the minimum size that is shown
    n_hidden_annotators: int = 0
    n_unknown: int = 0  # annotators without a value
