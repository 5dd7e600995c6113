"""Agreement on relations between units, and on the chains that links make."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Named, Value


class RelationAgreement(Model):
    """One layer of relations, between the places that the annotators' units share.

    `values` are named `presence`, `category`, `typing` (α), `presence_f`, `category_f` (mutual F).
    """

    layer: str
    tagset: list[str]
    annotators: list[str]
    directed: bool = True
    n_documents: int = 0
    n_relations: int = 0
    n_left_out: int = 0  # of them: an end is at no shared place, or both are the same
    n_repeated: int = 0  # of them: the annotator had linked the two places before
    values: list[Named] = Field(default_factory=list)
    per_category: list[Named] = Field(default_factory=list)
    per_pair: list[Named] = Field(default_factory=list)
    chain_categories: list[str] = Field(default_factory=list)  # whose links make chains
    n_mentions: int = 0
    n_chains: int = 0  # of all annotators, of two mentions or more
    chains: list[Value] = Field(default_factory=list)
