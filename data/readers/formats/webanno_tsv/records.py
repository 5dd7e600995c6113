"""Convert the annotations of a WebAnno TSV to units, relations, chains and slots."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ....schema import ExclusionReason, Record
from ...base import SourceOptions
from ...common.category_features import CategoryOption, is_segmentation, short_layer_name
from ...common.files.text import Utf16Offsets, convert_utf16_bounds
from ...common.records.unit_maker import UnitMaker
from ...common.span_rules import Problem
from .annotations import NONE, NULL, Annotations, MarkedTokens, RelationArrow
from .parse_lines import (
    Column,
    Kind,
    Token,
    TsvDocument,
    split_bracket,
    split_cell,
    unescaped_value,
)

_FEATURES = (Kind.PRIMITIVE, Kind.CHAIN_TYPE, Kind.CHAIN_LINK)
_TOKEN_LAYERS = ("POS", "Token")  # layers whose relations may refer to a token that has no unit


def tsv_records(
    parsed: TsvDocument, document: str, annotator: str, source: str, options: SourceOptions
) -> Iterator[Record]:
    """Yield units, relations and rejected rows of one file."""
    maker = UnitMaker(document, annotator, source, options, text=parsed.text)
    return _Converter(parsed, maker).records()


class _Converter:
    def __init__(self, parsed: TsvDocument, maker: UnitMaker) -> None:
        self.parsed = parsed
        self.maker = maker
        self.layers = set(maker.options.layers)
        self.categories = maker.options.categories
        self.categories.choose(maker.options.of_format(CategoryOption).category)
        self.offsets = Utf16Offsets(parsed.text)
        self.found = Annotations()
        self.tokens = {token.id: token for token in parsed.tokens}
        self.known: dict[str, tuple[str, ...]] = {}  # layer → its category features

    def records(self) -> Iterator[Record]:
        for line, problem in self.parsed.problems:
            yield self._rejected_record(problem, line)
        by_layer: dict[str, list[Column]] = {}
        for column in self.parsed.columns:
            if self._is_chosen(column):
                by_layer.setdefault(column.layer, []).append(column)
        for layer, columns in by_layer.items():
            features = [column.name for column in columns if column.kind in _FEATURES]
            is_chain = any(column.kind is Kind.CHAIN_TYPE for column in columns)
            known = self.categories.known(layer, features, is_chain=is_chain)
            self.known[columns[0].short_layer] = known
        nothing = [NONE] * len(self.parsed.columns)
        self._place_tokens()
        for token in self.parsed.tokens:
            problem_of_token = None if token.place else self._token_problem(token)
            if token.cells == nothing:
                if problem_of_token is not None:
                    yield self._rejected_record(problem_of_token, token.line, "")
                continue
            for columns in by_layer.values():
                self.found.add(token, columns, problem_of_token)
        found: list[MarkedTokens | RelationArrow] = [
            *self.found.marked.values(),
            *self.found.arrows,
        ]
        for each in found:
            if not self.known[each.layer]:
                for name, value in each.values.items():
                    self.categories.add(each.layer, name, value)
        for marked in self.found.marked.values():
            yield self._unit(marked)
        yield from self._links()

    def _is_chosen(self, column: Column) -> bool:
        names = {column.layer, column.short_layer}
        if self.layers & names or self.categories.measures(column.short_layer):
            return True
        return not self.layers and not is_segmentation(column.layer)

    def _place_tokens(self) -> None:
        """Set `place` of every token whose surface is exactly at its offsets."""
        text, tokens = self.parsed.text, self.parsed.tokens
        written = [token.start for token in tokens] + [token.end for token in tokens]
        places = self.offsets.to_code_points(written).tolist()
        for token, start, end in zip(tokens, places, places[len(tokens) :], strict=False):
            if 0 <= start < end and text[start:end] == token.surface:
                token.place = (start, end)

    def _token_problem(self, token: Token) -> Problem | None:
        bounds = convert_utf16_bounds(token.start, token.end, self.offsets)
        if isinstance(bounds, Problem):
            return bounds
        found = self.parsed.text[bounds[0] : bounds[1]]
        if found == token.surface or found.split() == token.surface.split():
            return None
        message = f"the text has {found[:80]!r} where the token is {token.surface[:80]!r}"
        return Problem("surface_mismatch", token.surface[:200], message)

    def _rejected_record(self, problem: Problem, line: int, table: str = "units") -> Record:
        return self.maker.rejected(problem, f"line {line}", table)

    def _unit(self, marked: MarkedTokens) -> Record:
        bounds = marked.bad or self._bounds(marked.first, marked.last)
        if isinstance(bounds, Problem):
            if bounds.rule == "zero_length" and not marked.first.surface:
                # an annotation between two characters, which WebAnno allows
                location = f"line {marked.first.line}"
                return self.maker.excluded(ExclusionReason.ZERO_LENGTH, location)
            return self._rejected_record(bounds, marked.first.line)
        start, end = bounds
        category, attributes = self._split_values(marked.layer, marked.values)
        return self.maker.unit(
            marked.id,
            start,
            end,
            category,
            layer=marked.layer,
            source_offsets=f"{marked.first.start} {marked.last.end}",
            attributes=attributes,
            surface=self.parsed.text[start:end],
            location=f"line {marked.first.line}",
        )

    def _bounds(self, first: Token, last: Token) -> tuple[int, int] | Problem:
        if first.place and last.place and first.place[0] < last.place[1]:
            return first.place[0], last.place[1]
        return convert_utf16_bounds(first.start, last.end, self.offsets)

    def _split_values(
        self, layer: str, values: dict[str, str]
    ) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the category, and the other features as attributes."""
        names = self.known.get(layer) or self.categories.only(layer)
        if len(values) == 1:
            [(name, value)] = values.items()
            return (value, ()) if name in names else ("", ((name, value),))
        chosen = next((name for name in names if name in values), None)
        rest = tuple((name, value) for name, value in values.items() if name != chosen)
        return (values[chosen] if chosen is not None else ""), rest

    def _links(self) -> Iterator[Record]:
        for arrow in self.found.arrows:
            ends = []
            for id, token in ((arrow.from_id, arrow.from_token), (arrow.to_id, arrow.to_token)):
                unit = self._target_id(arrow.base, token, id)
                if unit not in self.maker.units and not id and arrow.base in _TOKEN_LAYERS:
                    made = self._token_unit(token)
                    if made is not None:
                        yield made
                ends.append(unit)
            category, attributes = self._split_values(arrow.layer, arrow.values)
            yield self._relation(
                arrow.id, ends[0], ends[1], category, arrow.layer, arrow.line, attributes
            )
        for (layer, _), elements in self.found.chains.items():
            ordered = [elements[place] for place in sorted(elements)]
            for left, right in pairwise(ordered):
                category = left.values.get("referenceRelation", "")
                yield self._relation(
                    f"{left.id}.next", left.id, right.id, category, layer, left.first.line
                )
        for marked in self.found.marked.values():
            if marked.targets and marked.id in self.maker.units:
                yield from self._slot_records(marked)

    def _target_id(self, layer: str, token: str, id: str) -> str:
        if id:
            return f"[{id}]"
        return self.found.by_token.get((layer, token), f"{token}:{layer}")

    def _token_unit(self, id: str) -> Record | None:
        """Make a unit of a token that a relation refers to and that has no annotation."""
        token = self.tokens.get(id)
        if token is None:
            return None
        name = f"{id}:Token"
        self.found.by_token.update({(layer, id): name for layer in _TOKEN_LAYERS})
        return self._unit(MarkedTokens(name, "Token", token, token, bad=self._token_problem(token)))

    def _slot_records(self, marked: MarkedTokens) -> Iterator[Record]:
        roles = split_cell(marked.roles, ";") if marked.roles else []
        base = next(
            (
                short_layer_name(column.name)
                for column in self.parsed.columns
                if column.kind is Kind.TARGET and column.short_layer == marked.layer
            ),
            "",
        )
        for k, cell in enumerate(split_cell(marked.targets, ";")):
            token, id = split_bracket(cell)
            role = roles[k] if k < len(roles) and roles[k] != NULL else ""
            target = self._target_id(base, token, id)
            yield self._relation(
                f"{marked.id}.slot{k + 1}",
                marked.id,
                target,
                unescaped_value(role),
                marked.layer,
                marked.first.line,
            )

    def _relation(
        self,
        id: str,
        from_unit: str,
        to_unit: str,
        category: str,
        layer: str,
        line: int,
        attributes: tuple[tuple[str, str], ...] = (),
    ) -> Record:
        for unit in (from_unit, to_unit):
            if unit not in self.maker.units:
                message = f"its unit {unit} is not in the file or was rejected"
                return self._rejected_record(
                    Problem("rejected_unit", unit, message), line, "relations"
                )
        ends, location = (from_unit, to_unit), f"line {line}"
        return self.maker.relation(
            id, ends, category, layer=layer, attributes=attributes, location=location
        )
