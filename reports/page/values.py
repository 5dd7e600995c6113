"""Numbers as the page prints them, and sentences that a paper can quote."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from ...metrics.estimate import Estimate
from ...metrics.measure import CANDIDATE
from ...metrics.measures import OF_DISORDER, measure_of, split_variant
from ..bibliography import author_year_citation
from ..columns import interval, number, picture, text
from ..figures import forest_row
from ..language import Language
from ..warnings import reason_text
from .blocks import Cell, Table, ValueView
from .page import Page, relative_link
from .tables import table

if TYPE_CHECKING:
    from ..results import Named, Results

SCORE_SENTENCE = "score"
AGREEMENT_SENTENCE = "agreement"
N_ROWS = 100  # in a forest table: each has a card, and the page must stay small


def measure_name(say: Language, key: str) -> str:
    if key.startswith(prefix := f"{CANDIDATE}_"):
        return say("gate.of_judge", measure=measure_name(say, key.removeprefix(prefix)))
    variant, base = split_variant(key)
    known = f"measure.{base}.name"
    name = say(known) if say.knows(known) else base.replace("_", " ")
    return f"{name}, {say(f'variant.{variant}')}" if variant else name


def symbol_of(say: Language, key: str) -> str:
    """Return the measure's symbol, or its name if it has none."""
    return measure_of(key).symbol or measure_name(say, key)


def chance_model(say: Language, value: Estimate) -> str:
    """Describe the value's chance model, with the process that its expected disorder comes from."""
    name = f"measure.{value.measure}.chance"
    if not say.knows(name):
        return ""
    return say(name, process=f" ({value.how.chosen})" if value.how.chosen else "")


def worst_first_key(value: Estimate) -> float:
    """Return a key that sorts the worst value first, undefined ones last."""
    if not math.isfinite(value.value):
        return math.inf
    return -value.value if measure_of(value.measure).lower_is_better else value.value


def directed_key(say: Language, key: str, measure: str) -> str:
    """Return the key of a message, or of its form for distances: lower is better."""
    of_distance = f"{key}_distance"
    is_distance = measure_of(measure).lower_is_better and say.knows(of_distance)
    return of_distance if is_distance else key


def monte_carlo_error(value: Estimate) -> float:
    """Return the Monte Carlo error of a value without an interval; nan if there is none."""
    return value.detail.monte_carlo_error


def interval_heading(say: Language, level: float = 0.95) -> str:
    return say("table.interval", level=say.percent(level, 0))


def name_with_variant(say: Language, value: Estimate) -> str:
    """Return the measure's name, and the distance or weights if they are not nominal."""
    distance = value.how.distance or value.how.weights or "nominal"
    distance, _, parameter = distance.partition("/")
    key = "distance.matrix" if distance.startswith("table-") else f"distance.{distance}"
    name = measure_name(say, value.measure)
    if key == "distance.nominal" or not say.knows(key):
        return name
    explained = (
        say("distance.circle", circle=parameter)
        if parameter and distance == "circular"
        else say(key)
    )
    return f"{name} ({explained})"


def name_with_symbol(say: Language, value: Estimate) -> str:
    """Return the name, the symbol if it adds something, and whether lower is better."""
    name, measure = name_with_variant(say, value), measure_of(value.measure)
    known = name.lower().replace("-", " ")
    symbol = measure.symbol.lower().replace("-", " ")
    asides = [] if symbol in known else [measure.symbol]
    if measure.lower_is_better:
        asides.append(say("validity.lower"))
    return f"{name} ({', '.join(asides)})" if asides else name


def value_in_short(say: Language, value: Estimate) -> str:
    """Return the symbol, the value and its interval: `γ 0.791 [0.699, 0.870]`."""
    known = (symbol_of(say, value.measure), say.number(value.value), say.interval(value.interval))
    return " ".join(filter(None, known))


def counts_text(say: Language, value: Estimate, counted: str, results: Results) -> str:
    """Return the numbers of items (named by `counted`) and of annotators that were compared.

    Where more annotators were compared than any document (item) has, it says how many that is.
    """
    n = value.n_annotators
    people = say.counted("annotator", n) if n else ""
    account = None if results.validation is None else results.validation.account
    if account is not None and 0 < account.most_annotators < n:
        most = say.integer(account.most_annotators)
        per = "item" if counted == "item" else "document"
        people = say(f"account.most_per_{per}", people=people, most=most)
    items = say.counted(counted, value.n_items) if value.n_items else ""
    return " · ".join(filter(None, (items, people)))


def value_view(
    page: Page,
    value: Estimate,
    *,
    about: str = "",
    counted: str = "item",
    kind: str = AGREEMENT_SENTENCE,
) -> ValueView:
    """Make the view of a value.

    `about` names the part or layer of the value; `counted` is what `n_items` counts.
    """
    say, measure = page.say, measure_of(value.measure)
    for source in measure.sources:
        page.cited.setdefault(source)
    defined = math.isfinite(value.value)
    interval = say.interval(value.interval)
    level = say.percent(value.confidence_level, 0)
    known = "value.interval_annotators" if value.is_for_new_annotators else "value.interval"
    long = say(known, level=level, interval=interval) if interval else ""
    if math.isfinite(monte_carlo_error(value)):
        long = say(
            "value.monte_carlo_error", level=level, error=say.number(monte_carlo_error(value))
        )
    counts = counts_text(say, value, counted, page.results)
    reason = reason_text(say, value.reason)
    name = name_with_variant(say, value)
    chance = chance_model(say, value) if kind == AGREEMENT_SENTENCE else ""
    parts = (long, counts.replace(" · ", ", "), author_year_citation(measure.sources))
    brackets = [part for part in parts if part]
    says_symbol = measure.symbol.lower() in name.lower()  # also for measures without a symbol
    plain = "_plain" if kind == AGREEMENT_SENTENCE and says_symbol else ""
    sentence = say(
        f"sentence.{kind}{plain}" if defined else "sentence.undefined",
        about=about or page.results.campaign.name,
        name=name,
        symbol=measure.symbol,
        value=say.number(value.value),
        brackets=say.semicolon_list(brackets),
        reason=reason,
    )
    if defined and chance:
        sentence += " " + say("sentence.chance", chance=chance)
    return ValueView(
        identifier=page.identifier("v"),
        name=name,
        symbol=measure.symbol,
        number=say.number(value.value),
        is_defined=defined,
        interval=interval,
        interval_long=long,
        reason=reason,
        observed=_number_or_blank(say, value.observed),
        expected=_number_or_blank(say, value.expected),
        counts=counts,
        chance=chance,
        signature=value.signature,
        sentence=sentence,
        entry=measure.sources[-1] if measure.sources else "",
    )


def _number_or_blank(say: Language, value: float) -> str:
    return say.number(value) if math.isfinite(value) else ""


def value_cell(
    page: Page,
    value: Estimate | None,
    *,
    about: str,
    counted: str = "item",
    kind: str = AGREEMENT_SENTENCE,
    with_interval: bool = False,
) -> Cell | None:
    """Return the cell of a value with its card, and with its interval below it; None for None."""
    if value is None:
        return None
    view = value_view(page, value, about=about, counted=counted, kind=kind)
    below = view.interval if with_interval else ""
    return Cell(below, value=view, kind="number", sort=value.value)


def forest_table(
    page: Page,
    caption: str,
    named: Sequence[Named],
    *,
    first_column: str,
    about: str,
    worst_first: bool = False,
    threshold: float = math.nan,
    note: str = "",
    names: Sequence[str] = (),
    kind: str = AGREEMENT_SENTENCE,
    counted: str = "item",
) -> Table:
    """Return values as a table with a forest plot: name, picture, value, interval, counts.

    The interval's column is omitted if no value has one: the note says why.

    `threshold` is the gate of the first row's measure. `names` replaces the names of the parts in
    the sentences of the cards. `counted` is what the values were counted on, items or units; for
    units, observed and expected are disorders, or the disagreements of a measure of categories.
    """
    say = page.say
    name_of = dict(zip(map(id, named), names, strict=False))
    chosen = list(named)
    if worst_first:
        chosen.sort(key=lambda part: worst_first_key(part.value))
    level = chosen[0].value.confidence_level if chosen else 0.95
    has_models = any(math.isfinite(n.value.observed) for n in chosen)
    has_intervals = any(math.isfinite(n.value.interval[0]) for n in chosen)
    scale = forest_row.shared_scale([n.value for n in chosen], [threshold])
    suffix = ""
    if counted == "unit":
        disorders = any(n.value.measure in OF_DISORDER for n in chosen)
        suffix = "_disorder" if disorders else "_disagreement"
    if any(n.value.interval[0] == n.value.interval[1] for n in chosen[:N_ROWS]):
        note = f"{note} {say('table.no_width')}".strip()
    if any(n.value.is_for_new_annotators for n in chosen):
        note = f"{note} {say('table.new_annotators')}".strip()
    elif any(n.value.error_of_annotators is not None for n in chosen):
        note = f"{note} {say('table.no_new_annotators')}".strip()

    def drawn(part: Named) -> Markup:
        gate = threshold if part.value.measure == chosen[0].value.measure else math.nan
        return forest_row.value_and_interval(part.value, scale, gate)

    def measured(part: Named) -> Cell | None:
        whole = name_of.get(id(part), f"{about}, {part.name}")
        return value_cell(page, part.value, about=whole, counted=counted, kind=kind)

    return table(
        say, caption, chosen[:N_ROWS],
        text(first_column, lambda part: Cell(part.name, href=relative_link(part.link))),
        picture(say("table.scale"), forest_row.axis(scale, say), drawn),
        number(say("table.value"), measured),
        interval(
            interval_heading(say, level), lambda part: part.value.interval, when=has_intervals
        ),
        number(say(f"table.observed{suffix}"), lambda part: part.value.observed, when=has_models),
        number(say(f"table.expected{suffix}"), lambda part: part.value.expected, when=has_models),
        number(say(f"table.{counted}s"), lambda part: part.value.n_items),
        n_total=len(chosen), note=note, css="forest sortable"
    )  # fmt: skip


def measure_table(
    page: Page,
    caption: str,
    values: Sequence[Estimate],
    about: str,
    *,
    threshold: float = math.nan,
    note: str = "",
    counted: str = "item",
) -> Table:
    """Return a forest table with one row per measure; its values are about the same data."""
    from ..results import Named

    named = [Named(name=name_with_symbol(page.say, value), value=value) for value in values]
    return forest_table(
        page, caption, named,
        first_column=page.say("table.measure"), about=about, names=[about] * len(named),
        threshold=threshold, note=note, counted=counted,
    )  # fmt: skip
