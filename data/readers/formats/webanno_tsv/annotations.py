"""Collect the annotations in the cells of a WebAnno TSV, before they become units.

An annotation may span several tokens, each with its own cell; cells are joined by the id in them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...common.category_features import short_layer_name
from ...common.span_rules import Problem
from .parse_lines import (
    Column,
    Kind,
    Token,
    chain_place,
    split_bracket,
    split_cell,
    unescaped_value,
)

NONE = "_"
NULL = "*"


@dataclass(slots=True)
class MarkedTokens:
    """An annotation collected from its tokens; `values` by feature, `slots` (roles, targets)."""

    id: str
    layer: str
    first: Token
    last: Token
    values: dict[str, str] = field(default_factory=dict)
    roles: str = ""
    targets: str = ""
    bad: Problem | None = None


@dataclass(slots=True)
class RelationArrow:
    """A relation, from the cell of the token that it leads to."""

    id: str
    layer: str
    base: str
    line: int
    from_token: str
    to_token: str
    from_id: str
    to_id: str
    values: dict[str, str] = field(default_factory=dict)


class Annotations:
    """What the tokens contain so far, in order of beginning.

    marked    annotations with offsets, by id, including those of chains
    arrows    relations, in order
    chains    (layer, number) → position in the chain → annotation
    by_token  (layer, token) → id of the annotation there that has no id of its own
    """

    def __init__(self) -> None:
        self.marked: dict[str, MarkedTokens] = {}
        self.arrows: list[RelationArrow] = []
        self.chains: dict[tuple[str, int], dict[int, MarkedTokens]] = {}
        self.by_token: dict[tuple[str, str], str] = {}

    def add(self, token: Token, columns: list[Column], bad: Problem | None) -> None:
        """Parse one layer's columns for one token: a stack of annotations.

        bad  why the token has no valid position
        """
        stacks = [
            (column, split_cell(cell, "|"))
            for column in columns
            if (cell := token.cells[column.at]) != NONE
        ]
        for k in range(max((len(stack) for _, stack in stacks), default=0)):
            cells = [(column, stack[k]) for column, stack in stacks if k < len(stack)]
            kinds = [column.kind for column, _ in cells]
            if Kind.RELATION in kinds:
                self._add_arrow(token, cells, k)
            elif Kind.CHAIN_LINK in kinds:
                self._chain_element(token, cells, bad)
            elif columns[0].kind is not Kind.RELATION:
                self._mark_token(token, cells, k, bad)

    def _mark_token(
        self, token: Token, cells: list[tuple[Column, str]], k: int, bad: Problem | None
    ) -> None:
        layer = cells[0][0].short_layer
        parts = [(column, cell, *split_bracket(cell)) for column, cell in cells]
        own = next((id for column, _, _, id in parts if id and column.kind is not Kind.TARGET), "")
        id = f"[{own}]" if own else f"{token.id}:{layer}" + (f"/{k + 1}" if k else "")
        marked = self._extended_annotation(id, layer, token, bad)
        if not own:
            self.by_token.setdefault((layer, token.id), id)
        for column, cell, value, _ in parts:
            if column.kind is Kind.PRIMITIVE:
                if value != NULL:
                    marked.values.setdefault(column.name, unescaped_value(value))
            elif column.kind is Kind.ROLE:
                marked.roles = marked.roles or (value if value != NONE else "")
            elif column.kind is Kind.TARGET:
                marked.targets = marked.targets or (cell if cell not in (NONE, NULL) else "")

    def _extended_annotation(
        self, id: str, layer: str, token: Token, bad: Problem | None
    ) -> MarkedTokens:
        """Return the annotation `id`, created at its first token and extended to this one."""
        marked = self.marked.get(id)
        if marked is None:
            marked = self.marked[id] = MarkedTokens(id, layer, token, token)
        marked.last = token
        marked.bad = marked.bad or bad
        return marked

    def _chain_element(
        self, token: Token, cells: list[tuple[Column, str]], bad: Problem | None
    ) -> None:
        layer = cells[0][0].short_layer
        values = {column.kind: cell for column, cell in cells}
        relation, place = chain_place(values[Kind.CHAIN_LINK])
        if place is None:
            value = values[Kind.CHAIN_LINK]
            problem = Problem("bad_chain", value, f"{value!r} is not `relation->chain-element`")
            place = (-token.line, 1)
            bad = problem
        marked = self._extended_annotation(f"{layer}->{place[0]}-{place[1]}", layer, token, bad)
        self.chains.setdefault((layer, place[0]), {})[place[1]] = marked
        kind = split_bracket(values.get(Kind.CHAIN_TYPE, NULL))[0]
        for name, value in (("referenceType", kind), ("referenceRelation", relation)):
            if value != NULL:
                marked.values.setdefault(name, unescaped_value(value))

    def _add_arrow(self, token: Token, cells: list[tuple[Column, str]], k: int) -> None:
        column, cell = next(pair for pair in cells if pair[0].kind is Kind.RELATION)
        layer = column.short_layer
        from_token, ids = split_bracket(cell)
        from_id, _, to_id = ids.partition("_")
        arrow = RelationArrow(
            f"{token.id}:{layer}" + (f"/{k + 1}" if k else ""),
            layer,
            short_layer_name(column.name),
            token.line,
            from_token,
            token.id,
            from_id if from_id != "0" else "",
            to_id if to_id != "0" else "",
        )
        for each, value in cells:
            bare = split_bracket(value)[0]
            if each.kind is Kind.PRIMITIVE and bare != NULL:
                arrow.values[each.name] = unescaped_value(bare)
        self.arrows.append(arrow)
