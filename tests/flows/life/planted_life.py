"""The life of a campaign: texts, right annotations, annotators of known quality, deliveries.

Nothing here imports the product. A campaign has two layers: entities (spans, a file of doccano for
each annotator) and sentiment (a label for each sentence, in a table). Every document is annotated
by three of the annotators who are there at that time; the documents of the pilot by all.

    deliveries/pilot              all four annotators
    deliveries/week-1             the first delivery
    deliveries/week-2             guideline 2: the category EVENT; `ben` has left, `eve` came
    deliveries/week-3, week-4 …   more
    deliveries/correction         week 2 of `cleo` again: in one document she corrected what she had
                                  marked wrong
    deliveries/again              week 1 of `dora` again: she corrected all documents
    deliveries/tagger             what a system gives for every document but those of the pilot

An annotator errs at a sentence with their error rate; at a span, with that rate each, they miss it,
cut its last word off, or take another category. So each right span is one place of an alignment.

The table of labels has the time of each. An annotator labels the documents of a week one after the
other on its Monday, some `SECONDS` each.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

CATEGORIES = ("LOC", "ORG", "PER")
NEW_CATEGORY = "EVENT"
SENTIMENTS = ("negative", "neutral", "positive")
N_SENTENCES = 4
ERRORS = {"ada": 0.02, "ben": 0.06, "cleo": 0.04, "dora": 0.15, "eve": 0.05, "tagger": 0.07}
FIRST, LEAVES, COMES, CHANGE = ("ada", "ben", "cleo", "dora"), "ben", "eve", 2  # in week 2
SYSTEM, PILOT, CORRECTS, SENDS_AGAIN = "tagger", "pilot", "cleo", "dora"
SECONDS = {"ada": 80, "ben": 60, "cleo": 120, "dora": 30, "eve": 100}
FIRST_MONDAY = datetime(2026, 3, 2, 9)
NAMES = {
    "PER": ("Ida Holm", "Jon Brandt", "Mara Weiss", "Otto Lind", "Rosa Diaz"),
    "LOC": ("Lyon", "the Old Harbour", "Graz", "Mill Street", "Turku"),
    "ORG": ("the City Council", "Nordbank", "the Tram Company", "Weber & Sons"),
    "EVENT": ("the Spring Fair", "the flood of 1954", "the General Strike"),
}
SENTENCES = {
    "negative": ("{0} lost the case against {1}.", "Sadly, {0} closed the road to {1}."),
    "neutral": ("{0} wrote to {1} on Monday.", "According to {0}, the files are in {1}."),
    "positive": ("{0} was delighted by {1}.", "Happily, {0} saved {1} from ruin."),
}
CAMPAIGN = """[campaign]
name = "Letters to the editor"
description = "Persons, places and organisations in letters, and the sentiment of each sentence."
language = "en"
guideline = "1"
licence = "CC-BY-4.0"
contact = "letters@example.org"

[[sources]]
path = "exports/*/entities/*.jsonl"    # doccano: a file for each annotator
format = "doccano"
layer_names = { "" = "entities" }
delivery = 1

[[sources]]
path = "exports/*/sentiment.csv"
format = "table"
layer_names = { "" = "sentiment" }
options = { time = "when" }

[layers.entities]
categories = ["LOC", "ORG", "PER"]

[layers.sentiment]
categories = ["negative", "neutral", "positive"]

[validation]
rejected_at_most = 0.02

[[gates]]
measure = "gamma"
layer = "entities"
at_least = 0.6

[[gates]]
measure = "krippendorff_alpha"
layer = "sentiment"
at_least = 0.5

[report]
period = "week"
"""


@dataclass(frozen=True, order=True)
class Span:
    start: int
    end: int
    category: str


@dataclass
class Document:
    """A text with its right annotations, and those of each annotator.

    marked  name → for each right span what they marked there, or None
    given   name → a label for each sentence
    ended   name → when the last sentence was labelled; systems and the pilot have no times
    """

    name: str
    delivery: str
    text: str
    spans: list[Span]
    labels: list[str]
    marked: dict[str, list[Span | None]] = field(default_factory=dict)
    given: dict[str, list[str]] = field(default_factory=dict)
    ended: dict[str, datetime] = field(default_factory=dict)

    def humans(self) -> list[str]:
        return sorted(set(self.marked) - {SYSTEM})


@dataclass
class Life:
    """All documents of a campaign, in the order of their deliveries."""

    seed: int
    documents: dict[str, Document]

    def of(self, *deliveries: str) -> list[Document]:
        return [one for one in self.documents.values() if one.delivery in deliveries]

    def corrected(self) -> Life:
        """Return the campaign after `CORRECTS` put right her worst document of week 2."""
        worst = max(
            (one for one in self.of("week-2") if CORRECTS in one.marked),
            key=lambda one: sum(
                a != b for a, b in zip(one.marked[CORRECTS], one.spans, strict=True)
            ),
        )
        return self._put_right(CORRECTS, [worst])

    def sent_again(self) -> Life:
        """Return the campaign after `SENDS_AGAIN` put all her documents of week 1 right."""
        own = [one for one in self.of("week-1") if SENDS_AGAIN in one.marked]
        return self._put_right(SENDS_AGAIN, own)

    def _put_right(self, who: str, documents: Iterable[Document]) -> Life:
        after = {
            one.name: replace(one, marked={**one.marked, who: list(one.spans)}) for one in documents
        }
        return replace(self, documents={**self.documents, **after})

    def answer(self, document: str, sentence: int, who: str) -> str:
        """Return the label that an annotator gives when asked later, the same each time."""
        place = [self.seed, int(document), sentence, sorted(ERRORS).index(who)]
        right = self.documents[document].labels[sentence]
        return _given(np.random.default_rng(place), [right], ERRORS[who])[0]


def plant(seed: int, *, weeks: int = 2, per_week: int = 12, in_pilot: int = 10) -> Life:
    """Draw a campaign. Documents of week 3 are called 3001, 3002 …; those of the pilot 1, 2 …"""
    rng = np.random.default_rng(seed)
    documents: dict[str, Document] = {}
    for week in range(weeks + 1):
        delivery = f"week-{week}" if week else PILOT
        for k in range(per_week if week else in_pilot):
            one = _document(rng, str(1000 * week + k + 1), delivery, events=week >= CHANGE)
            for who in [*_annotators(week, k), *([SYSTEM] if week else [])]:
                one.marked[who] = _marked(rng, one, ERRORS[who])
                one.given[who] = _given(rng, one.labels, ERRORS[who])
            documents[one.name] = one
    _set_times(documents.values(), np.random.default_rng([seed, len(documents)]))
    return Life(seed, documents)


def _set_times(documents: Iterable[Document], rng: np.random.Generator) -> None:
    now: dict[tuple[str, str], datetime] = {}
    for one in documents:
        if one.delivery == PILOT:
            continue
        week = int(one.delivery.partition("-")[2])
        for who in one.humans():
            before = now.get((one.delivery, who), FIRST_MONDAY + timedelta(weeks=week - 1))
            seconds = SECONDS[who] * rng.uniform(0.5, 1.5)
            now[one.delivery, who] = before + timedelta(seconds=round(seconds))
            one.ended[who] = now[one.delivery, who]


def _annotators(week: int, k: int) -> list[str]:
    """Return the annotators of document `k` of a week: all in the pilot, then three in turn."""
    there = [who for who in FIRST if week < CHANGE or who != LEAVES]
    there += [COMES] if week >= CHANGE else []
    return there if week == 0 else sorted(there[(k + j) % len(there)] for j in range(3))


def _document(rng: np.random.Generator, name: str, delivery: str, *, events: bool) -> Document:
    text, spans, labels = "", [], []
    categories = [*CATEGORIES, *([NEW_CATEGORY] if events else [])]
    for _ in range(N_SENTENCES):
        labels.append(str(rng.choice(SENTIMENTS)))
        before, _, rest = str(rng.choice(SENTENCES[labels[-1]])).partition("{0}")
        between, _, after = rest.partition("{1}")
        for chunk in (before, between):
            category = str(rng.choice(categories))
            named = str(rng.choice(NAMES[category]))
            text += chunk
            spans.append(Span(len(text), len(text) + len(named), category))
            text += named
        text += f"{after} "
    return Document(name, delivery, text.rstrip(), spans, labels)


def _marked(rng: np.random.Generator, document: Document, error: float) -> list[Span | None]:
    """Return what an annotator marks at each right span; at one of them at least."""
    categories = sorted({span.category for span in document.spans} | set(CATEGORIES))
    found: list[Span | None] = []
    for span in document.spans:
        drawn = rng.random()
        other = str(rng.choice([one for one in categories if one != span.category]))
        last = document.text[: span.end].rfind(" ", span.start)
        if drawn < error:
            found.append(None)
        elif drawn < 2 * error and last > 0:
            found.append(Span(span.start, last, span.category))
        elif 2 * error <= drawn < 3 * error:
            found.append(Span(span.start, span.end, other))
        else:
            found.append(span)
    return found if any(found) else list(document.spans)


def _given(rng: np.random.Generator, labels: Sequence[str], error: float) -> list[str]:
    wrong = rng.random(len(labels)) < 2 * error
    drawn = [str(rng.choice([one for one in SENTIMENTS if one != label])) for label in labels]
    return [new if bad else old for new, bad, old in zip(drawn, wrong, labels, strict=True)]


def write_life(folder: Path | str, life: Life) -> None:
    """Write the deliveries and a campaign file for the first of them."""
    folder = Path(folder)
    deliveries: dict[str, list[Document]] = {}
    for one in life.documents.values():
        deliveries.setdefault(one.delivery, []).append(one)
    for name, documents in deliveries.items():
        annotators = sorted({who for one in documents for who in one.humans()})
        write_delivery(folder / "deliveries" / name, documents, annotators)
    annotated = [one for one in life.documents.values() if SYSTEM in one.marked]
    write_delivery(folder / "deliveries" / SYSTEM, annotated, [SYSTEM])
    correction = folder / "deliveries" / "correction"
    again = folder / "deliveries" / "again" / "entities"
    correction.mkdir()
    again.mkdir(parents=True)
    write_spans(correction / f"{CORRECTS}.jsonl", life.corrected().of("week-2"), CORRECTS)
    write_spans(again / f"{SENDS_AGAIN}.jsonl", life.sent_again().of("week-1"), SENDS_AGAIN)
    (folder / "exports").mkdir()
    (folder / "campaign.toml").write_text(CAMPAIGN, encoding="utf-8")


def write_delivery(folder: Path, documents: Iterable[Document], annotators: Sequence[str]) -> None:
    """Write the exports of some documents: a folder of spans, a table of labels."""
    documents = list(documents)
    (folder / "entities").mkdir(parents=True)
    for who in annotators:
        write_spans(folder / "entities" / f"{who}.jsonl", documents, who)
    rows = [
        (one.name, f"s{k + 1}", who, label, *_time_of(one, who, k))
        for one in documents
        for who in annotators
        for k, label in enumerate(one.given.get(who, ()))
    ]
    header = ("document", "item", "annotator", "label", "when")
    write_table(folder / "sentiment.csv", header[: len(rows[0])], rows)


def _time_of(document: Document, who: str, sentence: int) -> tuple[str, ...]:
    """Return when a sentence was labelled, the last one at the end; () where it is not known."""
    if who not in document.ended:
        return ()
    before = timedelta(seconds=5 * (N_SENTENCES - 1 - sentence))
    return ((document.ended[who] - before).isoformat(),)


def write_spans(path: Path, documents: Iterable[Document], who: str) -> None:
    """Write the spans of an annotator, as doccano does: a line for each document."""
    lines = [
        {"id": int(one.name), "text": one.text,
         "label": [[span.start, span.end, span.category] for span in one.marked[who] if span]}
        for one in documents
        if who in one.marked
    ]  # fmt: skip
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def write_table(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
