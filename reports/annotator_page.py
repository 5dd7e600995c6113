"""The page of one annotator: what goes well, what to look at, places, figures. No rank."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from ..metrics.annotator_card import FEWEST, AnnotatorCard, CardCategory, CardDirection, is_above
from .annotators import label_in_words
from .columns import interval, number, text
from .language import Language
from .page.blocks import Block, Bullets, Facts, Prose, Section
from .page.page import Page
from .page.tables import table
from .results.annotators import AnnotatorCards

_MOST_SENTENCES = 3


def card_sections(page: Page, found: AnnotatorCards, card: AnnotatorCard) -> list[Section]:
    say = page.say
    lead = say("annotators.good_lead", layer=found.layer)
    good = _bullets(say, _what_goes_well(say, found, card))
    look = list(_what_to_look_at(say, found, card))
    places = [*_places(page, card)]
    made = [
        Section("good", say("annotators.good"), [good], lead=lead, is_brief=True),
        Section("look", say("annotators.look"), look, lead=say("annotators.look_lead")),
        Section("places", say("annotators.places"), places, lead=say("annotators.places_lead")),
        Section("figures", say("annotators.figures"), list(_figures(page, found, card))),
    ]
    return [one for one in made if one.blocks]


def _bullets(say: Language, sentences: Iterable[str]) -> Bullets:
    return Bullets([(one, say.code) for one in sentences])


def _what_goes_well(say: Language, found: AnnotatorCards, card: AnnotatorCard) -> Iterator[str]:
    decided = card.decided
    if not found.of_units:
        yield say("annotators.your_labels", n=say.integer(card.n_labels))
    if decided.n:
        share = say.percent(decided.value, 0)
        same = say.integer(decided.value * decided.n)
        yield say("annotators.decided", n=say.integer(decided.n), same=same, share=share)
    if card.differs and card.difference.value > 0:
        yield say("annotators.above", **_beside(say, card))
    elif not card.differs and not card.declines and not math.isnan(card.p_value):
        yield say("annotators.not_different", **_beside(say, card))
    elif not decided.n:
        yield say("annotators.few")
    habits = {one.instead for one in card.categories if one.systematic}
    clear = [one for one in card.categories if one.same.n >= FEWEST and one.category not in habits]
    if clear:
        best = max(clear, key=lambda one: (one.same.lower, one.category))
        yield say("annotators.best", category=best.category, **_of_all(say, best, best.same.value))
    if card.found.n and not _is_missing(card):
        n_found = say.integer(card.found.value * card.found.n)
        yield say("annotators.found_units", found=n_found, n=say.integer(card.found.n))
    if card.reference_found.n:
        found_of, exact_of = (
            say.integer(one.value * one.n) for one in (card.reference_found, card.reference_exact)
        )
        n_all = say.integer(card.reference_found.n)
        yield say("annotators.reference_units", found=found_of, exact=exact_of, n=n_all)
    if card.accuracy.n:
        right = {"share": say.percent(card.accuracy.value, 0), "n": say.integer(card.accuracy.n)}
        if math.isnan(card.accuracy_of_others):
            yield say("annotators.right_alone", **right)
        else:
            yield say("annotators.right", others=say.percent(card.accuracy_of_others, 0), **right)
    if card.retest is not None and card.retest.reason is None:
        again = "annotators.again_units" if found.of_units else "annotators.again"
        yield say(again, share=say.percent(card.retest.value, 0))


def _what_to_look_at(say: Language, found: AnnotatorCards, card: AnnotatorCard) -> Iterator[Block]:
    """Yield what is beyond chance, then what is more frequent than with the others."""
    sure, hints = list(_beyond_chance(say, found, card)), list(_hints(say, card))
    if not sure and not hints:
        yield _bullets(say, [say("annotators.nothing_to_change")])
    for key, sentences in (("sure", sure), ("hints", hints)):
        if sentences:
            yield Prose(say(f"annotators.{key}"))
            yield _bullets(say, sentences)


def _beyond_chance(say: Language, found: AnnotatorCards, card: AnnotatorCard) -> Iterator[str]:
    habits = sorted(
        (one for one in card.categories if one.systematic),
        key=lambda one: (-one.n_instead, one.category),
    )
    for one in habits[:_MOST_SENTENCES]:
        yield _choice(say, one)
    if card.differs and card.difference.value < 0:
        yield say("annotators.below", **_beside(say, card))
    leaning = {one.of: one for one in card.directions if one.leans}
    for direction in leaning.values():
        yield _direction(say, found, direction)
    if "length" in leaning and "start" not in leaning:
        length = leaning["length"]
        yield say(f"annotators.ends_{'later' if length.above > length.below else 'earlier'}")
    if card.declines:
        yield _decline(say, card)
    pace = card.pace
    if pace is not None and pace.drifts:
        seconds = {"first": say.integer(pace.first), "last": say.integer(pace.last)}
        yield say("annotators.faster" if pace.last < pace.first else "annotators.slower", **seconds)


def _hints(say: Language, card: AnnotatorCard) -> Iterator[str]:
    clear = [one for one in card.categories if one.n_instead and one.is_frequent]
    rest = sorted(
        (one for one in clear if not one.systematic), key=lambda one: (-one.n_instead, one.category)
    )
    for one in rest[:_MOST_SENTENCES]:
        yield _choice(say, one)
    alone = round(card.alone.value * card.alone.n) if card.alone.n else 0
    if _is_missing(card) and all(one.instead for one in clear):  # else said by category
        n = round((1 - card.found.value) * card.found.n)
        shares = _shares(say, n, card.found.n, 1 - card.found_of_others)
        yield say("annotators.missed", **shares)
    if is_above(alone, card.alone.n, card.alone_of_others):
        shares = _shares(say, alone, card.alone.n, card.alone_of_others)
        yield say("annotators.marked_alone", **shares)


def _is_missing(card: AnnotatorCard) -> bool:
    """Whether the annotator misses more units of the others than they do."""
    n = round((1 - card.found.value) * card.found.n) if card.found.n else 0
    return is_above(n, card.found.n, 1 - card.found_of_others)


def _choice(say: Language, one: CardCategory) -> str:
    return say(
        "annotators.systematic" if one.systematic else "annotators.choice",
        decision=one.category,
        own=label_in_words(say, one.instead),
        **_shares(say, one.n_instead, one.same.n, one.share_of_others),
    )


def _shares(say: Language, n: int, of_all: int, of_others: float) -> dict[str, str]:
    return {
        "n": say.integer(n),
        "all": say.integer(of_all),
        "share": say.percent(n / of_all, 0),
        "others": say.percent(of_others, 0),
    }


def _direction(say: Language, found: AnnotatorCards, one: CardDirection) -> str:
    """Return how often labels are lower and higher, or units earlier, later, longer, shorter."""
    return say(
        f"annotators.{one.of}_beside",
        n=say.integer(one.n),
        scale=" < ".join(found.scale),
        below=say.percent(one.below, 0),
        above=say.percent(one.above, 0),
    )


def _decline(say: Language, card: AnnotatorCard) -> str:
    first, last = card.batches[0], card.batches[-1]
    return say(
        "annotators.decline",
        first=first.batch,
        last=last.batch,
        own_first=say.percent(first.agreement, 0),
        others_first=say.percent(first.others, 0),
        own_last=say.percent(last.agreement, 0),
        others_last=say.percent(last.others, 0),
    )


def _beside(say: Language, card: AnnotatorCard) -> dict[str, str]:
    """Agreement on the items where the others can be compared among themselves, and theirs."""
    own = card.others + card.difference.value
    return {"own": say.percent(own, 0), "others": say.percent(card.others, 0)}


def _of_all(say: Language, one: CardCategory, share: float) -> dict[str, str]:
    return {"n": say.integer(share * one.same.n), "all": say.integer(one.same.n)}


def _places(page: Page, card: AnnotatorCard) -> Iterator[Block]:
    """Yield a table of places for each direction of units, then that of the labels."""
    say = page.say
    lists = [(say(f"annotators.{one.of}_of"), one.places) for one in card.directions if one.places]
    for title, places in (*lists, (say("annotators.decisions"), card.places)):
        if places:
            yield table(
                say, title, places,
                text(
                    say("annotators.place"),
                    lambda one: " · ".join(part for part in (one.document, one.where) if part),
                ),
                text(say("annotators.yours"), lambda one: label_in_words(say, one.own)),
                text(
                    say("annotators.theirs"),
                    lambda one: say(
                        "annotators.theirs_of",
                        decision=label_in_words(say, one.decision),
                        n=say.integer(one.n_decided),
                        all=say.integer(one.n_others),
                    ),
                ),
            )  # fmt: skip


def _figures(page: Page, found: AnnotatorCards, card: AnnotatorCard) -> Iterator[Block]:
    say = page.say
    level = say.percent(found.level, 0)

    def figure(value: float, bounds: tuple[float, float] = (math.nan, math.nan)) -> str:
        return f"{say.percent(value, 0)} {say.interval(bounds, '0%')}".strip()

    rows = [
        (say("annotators.agreement_of"), figure(card.agreement.value, card.agreement.interval)),
        (say("annotators.others_of"), figure(card.others)),
    ]
    if card.accuracy.n:
        accuracy = figure(card.accuracy.value, card.accuracy.interval)
        rows.append((say("annotators.accuracy_of"), accuracy))
    if card.pace is not None:
        time = say(
            "annotators.time_value",
            hours=say.number(card.pace.hours, 1),
            seconds=say.integer(card.pace.median),
        )
        rows.append((say("annotators.time"), time))
    yield Facts(rows)
    if card.categories:
        yield table(
            say, say("annotators.categories"), card.categories,
            text(say("annotators.category"), lambda one: one.category),
            number(say("annotators.n"), lambda one: one.same.n),
            number(say("annotators.same"), lambda one: one.same.value, "0%"),
            interval(
                say("annotators.interval", of=say("annotators.same"), level=level),
                lambda one: one.same.interval, "0%",
            ),
            text(
                say("annotators.instead_title"),
                lambda one: label_in_words(say, one.instead) if one.n_instead else "",
            ),
            number(say("annotators.times"), lambda one: one.n_instead),
        )  # fmt: skip
    if card.batches:
        yield table(
            say, say("annotators.batches"), card.batches,
            text(say("annotators.batch"), lambda one: one.batch),
            number(say("annotators.n"), lambda one: one.n),
            number(say("annotators.you"), lambda one: one.agreement, "0%"),
            number(say("annotators.others"), lambda one: one.others, "0%"),
        )  # fmt: skip
