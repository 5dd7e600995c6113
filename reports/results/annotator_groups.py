"""Agreement within and between groups of annotators. Who is in which group is not said."""

from __future__ import annotations

import math

from pydantic import Field

from ..value import Model, Number, Value


class GroupAgreement(Model):
    """A group against the annotators of all other groups."""

    name: str
    n_annotators: int
    within: Value
    between: Value
    normalized: Value  # 1 where the sides agree as within themselves
    p_value: Number = math.nan  # of a random grouping with as large a difference
    p_corrected: Number = math.nan
    least_p: Number = math.nan  # that groups of these sizes can have


class AttributeGroups(Model):
    attribute: str
    groups: list[GroupAgreement] = Field(default_factory=list)
    n_hidden: int = 0  # groups below the smallest size that is shown
    n_hidden_annotators: int = 0
    n_unknown: int = 0  # annotators without a value
