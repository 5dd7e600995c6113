"""What the sections share while one page is made: language, identifiers, citations."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from ..language import Language
from .blocks import Block, Heading, Section

if TYPE_CHECKING:
    from ..results import Results

LANGUAGE_TAG = r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*"  # BCP 47, in its simple forms
OF_A_LAYER = (  # field names of the results
    *("items", "units", "relations"),
    *("resampling", "readings", "grids", "reading_tables"),
)


@dataclass(slots=True)
class Page:
    """The page being made: `cited` collects the bibliography in the order of first use."""

    results: Results
    say: Language
    cited: dict[str, None] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def identifier(self, prefix: str) -> str:
        return f"{prefix}{next(self._numbers)}"

    @property
    def language_of_texts(self) -> str:
        """Return the language tag of the campaign's own texts; "" if it is not a valid tag."""
        language = self.results.campaign.language
        return language if re.fullmatch(LANGUAGE_TAG, language) else ""

    def heading(self, text: str) -> Heading:
        return Heading(text, self.identifier("h"))

    def section(
        self,
        name: str,
        blocks: list[Block],
        *,
        title: str = "",
        lead: str = "",
        inside: str = "",
        is_open: bool = False,
    ) -> Section | None:
        """Make the section whose title has that name; None without blocks."""
        if not blocks:
            return None
        title = title or self.say(f"{name}.title")
        return Section(name, title, blocks, lead=lead, inside=inside, is_open=is_open)

    @property
    def is_private(self) -> bool:
        return self.results.campaign.privacy

    @property
    def layers(self) -> list[str]:
        """Return the layers with agreement in the results: labels, then units and relations."""
        measured: list[_OfLayer] = [
            *self.results.items,
            *self.results.units,
            *self.results.relations,
        ]
        return list(dict.fromkeys(one.layer for one in measured))

    def of_layer(self, layer: str) -> Page:
        """Return the same page with the agreement of one layer only."""
        results = self.results
        only = {
            name: [one for one in getattr(results, name) if one.layer == layer]
            for name in OF_A_LAYER
        }
        return replace(self, results=results.model_copy(update=only))


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of the report, from Accordeur or another package.

    name   in lower_case; also the identifier of the section that `make` returns
    make   makes the section of a page, or None if the results have no data for it
    after  the section that it follows, for a section of another package
    words  language → key → message: messages of its own, available in `page.say`
    is_of_layer  whether it is made once per layer, from a page with this layer only
    """

    name: str
    make: Callable[[Page], Section | None]
    after: str = ""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    is_of_layer: bool = False

    def of(self, page: Page) -> Section | None:
        own = self.words.get(page.say.code, {})
        return self.make(replace(page, say=page.say.with_messages(own)) if own else page)


class _OfLayer(Protocol):
    @property
    def layer(self) -> str: ...


Layer = TypeVar("Layer", bound=_OfLayer)


def blocks_by_layer(
    page: Page,
    layers: Sequence[Layer],
    blocks_of: Callable[[Page, Layer], list[Block]],
    title: Callable[[Layer], str] = lambda layer: layer.layer,
) -> list[Block]:
    """Return the blocks of each layer that has some, under its name if there are several layers."""
    blocks: list[Block] = []
    for layer in layers:
        heading = [page.heading(title(layer))] if len(layers) > 1 else []
        found = blocks_of(page, layer)
        blocks += [*heading, *found] if found else []
    return blocks


def relative_link(address: str) -> str:
    """Return the address if it is relative to the page; "" if it has a scheme or a host."""
    return address if re.match(r"^(?!//)[^:\\]*$", address) else ""
