"""Argilla 2: the records of `dataset.records.to_json`, nested or flattened, and of its server.

Documented in Argilla's "Import and export records". Nested records have `fields`, `responses`
(by question: value, user_id, in some versions status) and `suggestions`; flattened ones have
`question.responses`, `question.responses.users`, `question.responses.status`. Records of the server
(`/api/v1/datasets/ID/records?include=responses`) have a list of responses, each of a user with
`values` by question.

Conventions:
* the document is the record's `id`; its text is the field named by the option `field`, else the
  field `text`, else the first text field. Offsets are code points (Argilla's server is Python);
* the annotator is the user id, the layer the question. A list of spans makes units; a label,
  several labels or a rating are the labels of the document; in a ranking each ranked value is an
  item `document/value` and its rank is the label. The export does not distinguish free-text
  questions from label questions: select the latter with `layers`;
* submitted responses are read (the nested layout without a status holds only these); drafts and
  discarded responses are counted as excluded, and a user with only these has not finished the
  record. An empty list is an answer without a label or unit (`common.records.empty_answers`);
* suggestions belong to a system named by their agent, or else `suggestion` (`suggestions=skip`
  excludes them).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from ...errors import DataError
from ...schema import ExclusionReason, Label, Record, Role, State, Unit
from ..base import SourceOptions
from ..common.files.json_stream import JsonObject, first_object, iter_objects
from ..common.naming import source_name
from ..common.records.empty_answers import EmptyOption
from ..common.records.make_records import make_document, make_rejected
from ..common.records.unit_maker import UnitMaker, json_name, json_offset, json_strings
from ..common.span_rules import Problem
from ..options import Option

_OWN_KEYS = frozenset({"id", "external_id", "_server_id", "status", "inserted_at", "updated_at"})


@dataclass(frozen=True, slots=True)
class _Response:
    question: str
    user: str
    value: Any
    status: str

    @property
    def is_submitted(self) -> bool:
        return self.status in ("", "submitted")


@dataclass(frozen=True)
class ArgillaOptions(EmptyOption):
    field: Annotated[
        str, Option("the field that holds the text", unset="`text`, else the first text field")
    ] = ""
    suggestions: Annotated[
        Literal["read", "skip"], Option("suggestions of models", values={"read": "as systems"})
    ] = "read"


class ArgillaReader:
    NAME = "argilla"
    DESCRIPTION = "Argilla 2 records as JSON"
    PATTERNS: tuple[str, ...] = ("*.json", "*.jsonl")
    OPTIONS = ArgillaOptions

    def probe(self, path: Path) -> bool:
        first = first_object(path) if path.is_file() else None
        if first is None:
            return False
        responses = first.get("responses")
        of_server = isinstance(responses, list) and "dataset_id" in first
        nested = isinstance(first.get("fields"), dict) and (
            isinstance(responses, dict) or of_server
        )
        flat = any(k.endswith((".responses", ".suggestion")) for k in first)
        return nested or (flat and "id" in first)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        seen: set[int] = set()
        for location, record in iter_objects(path):
            if isinstance(record, Problem):
                yield make_rejected(record, source=source, location=location)
                continue
            document = json_name(record.get("id"))
            problem = None
            if not document:
                problem = Problem("no_document", "", "the record has no `id`")
            elif hash(document) in seen:
                problem = Problem("duplicate_id", document, f"record {document!r} occurs twice")
            if problem is not None:
                yield make_rejected(problem, source=source, location=location, document=document)
                continue
            seen.add(hash(document))
            yield from _record(record, document, location, source, options)
        if not seen:
            raise DataError(f"{source}: contains no Argilla record (`fields`, `responses`)")


def _record(
    record: JsonObject, document: str, location: str, source: str, options: SourceOptions
) -> Iterator[Record]:
    own = options.of_format(ArgillaOptions)
    text = _text(record, own)
    yield make_document(document, source, options, text=text)
    length = -1 if text is None else len(text)
    users: dict[str, list[_Response]] = {}
    for response in _responses(record):
        users.setdefault(response.user, []).append(response)
    for user, responses in users.items():
        maker = UnitMaker(document, user, source, options, length, text)
        if not user:
            for response in responses:
                problem = Problem("no_annotator", str(response.value)[:80], "no user id")
                yield maker.rejected(problem, location, Label.TABLE)
            continue
        for response in responses:
            if response.is_submitted:
                yield from _values(maker, response, location)
            else:
                discarded = response.status == "discarded"
                reason = ExclusionReason.CANCELLED if discarded else ExclusionReason.DRAFT
                yield maker.excluded(reason, location)
        if any(response.is_submitted for response in responses):
            yield from maker.finished()
        else:
            yield maker.assignment(State.UNFINISHED)
    if not users:
        nobody = UnitMaker(document, "", source, options)
        yield nobody.excluded(ExclusionReason.NOT_ANNOTATED, location, table=Label.TABLE)
    agents: dict[str, UnitMaker] = {}
    for response in _suggestions(record):
        maker = agents.setdefault(
            response.user,
            UnitMaker(document, response.user, source, options, length, text, Role.SYSTEM),
        )
        if own.suggestions == "skip":
            yield maker.excluded(ExclusionReason.ANNOTATOR_EXCLUDED, location)
        else:
            yield from _values(maker, response, location)
    if own.suggestions != "skip":
        for maker in agents.values():
            yield maker.assignment()


def _text(record: JsonObject, own: ArgillaOptions) -> str | None:
    fields = record.get("fields")
    if not isinstance(fields, dict):
        fields = {k: v for k, v in record.items() if k not in _OWN_KEYS and "." not in k}
    texts = {key: value for key, value in fields.items() if isinstance(value, str)}
    if own.field:
        return texts.get(own.field)
    return texts.get("text", next(iter(texts.values()), None))


def _responses(record: JsonObject) -> Iterator[_Response]:
    nested = record.get("responses")
    if isinstance(nested, list) and all(_is_of_server(one) for one in nested):
        for one in nested:
            user, status = json_name(one.get("user_id")), json_name(one.get("status"))
            for question, given in (one.get("values") or {}).items():
                value = given.get("value") if isinstance(given, dict) else given
                yield _Response(question, user, value, status)
        return
    if nested and not isinstance(nested, dict):
        yield _Response("responses", "", nested, "")
    if isinstance(nested, dict):
        for question, given in nested.items():
            for each in given if isinstance(given, list) else [given]:
                if isinstance(each, dict):
                    user, status = json_name(each.get("user_id")), json_name(each.get("status"))
                    yield _Response(question, user, each.get("value"), status)
                else:
                    yield _Response(question, "", each, "")
        return
    for key, values in record.items():
        if key.endswith(".responses") and values is not None:
            values = values if isinstance(values, list) else [values]
            users = _names_or_blanks(record.get(f"{key}.users"), len(values))
            states = _names_or_blanks(record.get(f"{key}.status"), len(values))
            for value, user, status in zip(values, users, states, strict=True):
                yield _Response(key.removesuffix(".responses"), user, value, status)


def _is_of_server(response: Any) -> bool:
    return isinstance(response, dict) and isinstance(response.get("values"), dict | None)


def _names_or_blanks(found: Any, length: int) -> list[str]:
    names = [json_name(each) for each in found] if isinstance(found, list) else []
    return names if len(names) == length else [""] * length


def _suggestions(record: JsonObject) -> Iterator[_Response]:
    nested = record.get("suggestions")
    if isinstance(nested, dict):
        for question, given in nested.items():
            if isinstance(given, dict) and given.get("value") is not None:
                agent = json_name(given.get("agent")) or "suggestion"
                yield _Response(question, agent, given["value"], "")
        return
    for key, value in record.items():
        if key.endswith(".suggestion") and value is not None:
            agent = json_name(record.get(f"{key}.agent")) or "suggestion"
            yield _Response(key.removesuffix(".suggestion"), agent, value, "")


def _values(maker: UnitMaker, response: _Response, location: str) -> Iterator[Record]:
    """Yield the records of one answer to one question."""
    layer, value = response.question, response.value
    if not maker.wants(layer):
        yield maker.excluded(ExclusionReason.OTHER_LAYER, location)
        return
    if json_name(value) or isinstance(value, str):
        yield maker.label([json_name(value)], layer=layer, location=location)
        return
    labels = json_strings(value)
    if labels:
        yield maker.label(labels, layer=layer, several=True, location=location)
    elif labels == [] and maker.role is not Role.SYSTEM:
        maker.note_empty(location, layers=(layer,))
    elif labels is None and isinstance(value, list):
        for index, entry in enumerate(value):
            yield _entry(maker, entry, layer, f"{layer}:{index}", location)
    elif labels is None:
        problem = Problem("unknown_answer", str(value)[:80], f"not an answer to {layer!r}")
        yield maker.rejected(problem, location, Label.TABLE)


def _entry(maker: UnitMaker, entry: Any, layer: str, unit: str, location: str) -> Record:
    """Yield the record of a span, or of a value with its rank."""
    maker.annotated = True
    entry = entry if isinstance(entry, dict) else {}
    if json_name(entry.get("value")) and json_name(entry.get("rank")):
        item = f"{maker.document}/{json_name(entry['value'])}"
        return maker.label([json_name(entry["rank"])], layer=layer, item=item, location=location)
    start, end = json_offset(entry.get("start")), json_offset(entry.get("end"))
    if start is None or end is None:
        problem = Problem("not_an_offset", str(entry)[:80], "neither a span nor a ranked value")
        return maker.rejected(problem, location, Unit.TABLE)
    return maker.unit(
        unit,
        start,
        end,
        json_name(entry.get("label")),
        layer=layer,
        source_offsets=f"{start} {end}",
        location=location,
    )


READER = ArgillaReader()
