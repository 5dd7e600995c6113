"""Agreement on relations between units, and on the chains that they form."""

from __future__ import annotations

from pydantic import Field

from ..value import Named, Value
from .actions import SearchedLayer


class RelationAgreement(SearchedLayer):
    """Agreement on one layer of relations, between places shared by the annotators' units.

    `values` are named `presence`, `category`, `typing` (α), `presence_f`, `category_f` (mutual F).
    """

    tagset: list[str]
    annotators: list[str]
    directed: bool = True
    n_documents: int = 0
    n_relations: int = 0
    n_left_out: int = 0  # an end at no shared place, or both ends at the same place
    n_repeated: int = 0  # between two places that the annotator had already linked
    values: list[Named] = Field(default_factory=list)
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    chain_categories: list[str] = Field(default_factory=list)  # layers whose links form chains
    n_mentions: int = 0
    n_chains: int = 0  # chains of all annotators with two mentions or more
    chains: list[Value] = Field(default_factory=list)
