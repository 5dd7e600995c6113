"""The campaign, its annotators and batches, and the state of the work."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import Field

from ..value import Model

DELIVERIES = ("batch", "time")  # kinds of points that follow one another in time


class Note(Model):
    """An event of the campaign, marked on time axes."""

    date: str  # ISO 8601
    text: str


class Campaign(Model):
    name: str
    description: str = ""
    language: str = ""
    guideline: str = ""
    licence: str = ""
    contact: str = ""
    statement: dict[str, str] = Field(default_factory=dict)  # data statement: heading → text
    tagset: list[str] = Field(default_factory=list)
    tagsets: dict[str, list[str]] = Field(default_factory=dict)  # layer → categories
    privacy: bool = False
    notes: list[Note] = Field(default_factory=list)


class Annotator(Model):
    name: str
    role: str
    n_documents: int = 0
    n_units: int = 0
    n_labels: int = 0


class Batch(Model):
    """A delivery of documents under one version of the guideline."""

    name: str
    guideline: str = ""
    n_documents: int = 0
    first: str = ""  # ISO 8601 times of the first and last annotation, if the exports have them
    last: str = ""
    states: dict[str, int] = Field(default_factory=dict)  # state → number of assignments


def point_kinds_of_deliveries(batches: Sequence[Batch]) -> tuple[str, ...]:
    """Return the kinds of points that are deliveries, the preferred one first.

    Batches that were annotated side by side (the last one began before the first one ended) come
    after periods. Batches without times follow one another only if their names are numbered.
    """
    named = [one for one in batches if one.name]
    dated = sorted((one for one in batches if one.first), key=lambda one: one.first)
    if not all(one.first or re.search(r"\d", one.name) for one in named):
        return DELIVERIES[1:]
    is_parallel = len(dated) > 1 and dated[-1].first < dated[0].last
    return DELIVERIES[::-1] if is_parallel else DELIVERIES


class Coverage(Model):
    """States of work by document and annotator; `states[d][a]` is a `data.schema.State`."""

    layer: str = ""  # "" for the furthest state over all layers
    documents: list[str]  # at most a few hundred; `tables/assignments.parquet` has all
    annotators: list[str]
    states: list[list[str]]
    n_documents: int
    counts: dict[str, int] = Field(default_factory=dict)  # state → number, over all documents
    by_annotator: dict[str, dict[str, int]] = Field(default_factory=dict)  # the same by annotator
