"""Places that show the most important cause, with the annotators side by side."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from ..columns import each, text
from ..page.blocks import Cell, Table
from ..page.page import Page
from ..page.tables import table
from ..results import Action
from ..results.actions import Example

_MOST_ANNOTATORS = 8  # columns, those with most annotations there


def examples_of_cause(page: Page, action: Action | None) -> Table | None:
    """Return the examples of an action's cause; in privacy mode, their places only."""
    if action is None or action.cause is None:
        return None
    layer = page.results.searched_for(action.layer, action.of)
    search = None if layer is None else layer.search_of(action.measure)
    if search is None or not search.examples or search.causes[0] != action.cause:
        return None
    say, shown, concerned = page.say, search.examples, action.cause.annotator
    given = Counter(name for one in shown for name, said in one.said.items() if said)
    annotators = sorted({name for one in shown for name in one.said})
    if len(annotators) > _MOST_ANNOTATORS:
        first = sorted(annotators, key=lambda name: (name != concerned, -given[name]))
        annotators = sorted(first[:_MOST_ANNOTATORS])
    return table(
        say,
        say("examples.caption"),
        shown,
        text(say("examples.place"), lambda one: ", ".join(filter(None, (one.document, one.where)))),
        text(
            say("examples.text"),
            lambda one: _text(page, one),
            when=not page.is_private and any(one.context for one in shown),
        ),
        *each(
            [] if page.is_private else annotators,
            lambda name: text(name, lambda one: _said(page, one, name)),
        ),
        n_shown=None,
    )  # fmt: skip


def _said(page: Page, one: Example, annotator: str) -> str:
    """Return what an annotator did; missing if the annotator had no part in it."""
    said = one.said.get(annotator)
    return "" if said is None else said or page.say("disagreements.nothing")


def _text(page: Page, one: Example) -> Cell:
    """Return the text with its disputed part marked."""
    start, end = one.marked
    before, disputed, after = one.context[:start], one.context[start:end], one.context[end:]
    words = Markup("{}<mark>{}</mark>{}") if disputed else Markup("{}{}{}")
    return Cell(picture=words.format(before, disputed, after), language=page.language_of_texts)
