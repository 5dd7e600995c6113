"""Numbers of the results document: an undefined number is null in JSON, `nan` in Python."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields, is_dataclass
from functools import reduce
from operator import or_
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema
from typing_extensions import TypeAliasType

from ..metrics.coded_warning import CodedWarning
from ..metrics.coded_warning import Finding as CodedFinding
from ..metrics.estimate import Estimate
from ..metrics.reason import Reason, reason_fields, reason_from
from .warnings import finding_from, finding_json, warning_from, warning_json

_FIGURES = {
    "type": "object",
    "additionalProperties": {"anyOf": [{"type": kind} for kind in ("number", "string", "null")]},
}
_INSTANCE = GetPydanticSchema(lambda source, _: core_schema.is_instance_schema(source))
"""A class that is read and written by the functions given with it, not by its own fields."""
_REASON = {
    "reason": {"type": "string", "default": ""},
    "reason_code": {"type": "string"},
    "reason_figures": _FIGURES,
}


def _none_to_nan(value: object) -> object:
    return math.nan if value is None else value


def _nan_to_none(value: float) -> float | None:
    return value if math.isfinite(value) else None


_NUMBER = {"type": ["number", "null"]}
Number = Annotated[
    float,
    BeforeValidator(_none_to_nan),
    PlainSerializer(_nan_to_none, return_type=float | None, when_used="json"),
    WithJsonSchema(_NUMBER),
]


class DocumentSchema(GenerateJsonSchema):
    """JSON schema of a document in which undefined numbers are null, also as a default."""

    def encode_default(self, dft: Any) -> Any:
        found = super().encode_default(dft)
        return _nan_to_none(found) if isinstance(found, float) else found


class Model(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def from_measured(cls, measured: object, **others: object) -> Self:
        """Return the fields that `measured` has under the same names, and `others`.

        measured  of a class of `metrics`; what it has besides is not in the document
        """
        own = {
            name: getattr(measured, name)
            for name in cls.model_fields
            if name not in others and hasattr(measured, name)
        }
        return cls.model_validate(own | others, from_attributes=True)


def _with_reason(schema: dict[str, Any]) -> None:
    schema["properties"] |= _REASON


class Undefinable(Model):
    """Something that may be undefined; the reason is a text, a code and its figures in JSON."""

    model_config: ClassVar[ConfigDict] = ConfigDict(json_schema_extra=_with_reason)

    reason: Annotated[Annotated[Reason, _INSTANCE] | None, WithJsonSchema({"type": "string"})] = (
        None
    )

    @model_validator(mode="before")
    @classmethod
    def _reason_from_json(cls, fields: object) -> object:
        if not isinstance(fields, dict) or not isinstance(fields.get("reason"), str):
            return fields
        own = {key: one for key, one in fields.items() if not key.startswith("reason_")}
        return {**own, "reason": reason_from(fields)}

    @model_serializer(mode="wrap")
    def _reason_to_json(self, fields: SerializerFunctionWrapHandler) -> dict[str, object]:
        return {**fields(self), **reason_fields(self.reason)}


def _estimate_from_json(value: object) -> object:
    return Estimate.from_json(value) if isinstance(value, dict) else value


_INTERVAL = {"type": "array", "prefixItems": [_NUMBER, _NUMBER], "minItems": 2, "maxItems": 2}
_ESTIMATE = {
    "type": "object",
    "properties": {
        "measure": {"type": "string"},
        "value": _NUMBER,
        **_REASON,
        "observed": _NUMBER,
        "expected": _NUMBER,
        "interval": _INTERVAL,
        "level": {"type": "number"},
        "n_items": {"type": "integer"},
        "n_annotators": {"type": "integer"},
        "signature": {"type": "string"},
        "detail": _FIGURES,
    },
    "required": ["measure", "value"],
    "additionalProperties": False,
}
Value = TypeAliasType(
    "Value",
    Annotated[
        Estimate,
        _INSTANCE,
        BeforeValidator(_estimate_from_json),
        PlainSerializer(Estimate.as_json),
        WithJsonSchema(_ESTIMATE),
    ],
)
"""An `Estimate` as a field of the document."""


_TYPES = {float: Number, Estimate: Value}


def _in_document(hint: Any) -> Any:
    """Return the type of a field of a plain class in the document."""
    if is_dataclass(hint) and hint not in _TYPES:
        return Annotated[hint, _PLAIN]
    kind, parts = get_origin(hint), get_args(hint)
    if not parts or kind is Literal:
        return _TYPES.get(hint, hint)
    parts = tuple(map(_in_document, parts))
    return reduce(or_, parts) if kind is UnionType else kind[parts]


def _plain_schema(kind: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    """Declare the fields of a plain frozen class, with undefined numbers as in a `Model`."""
    hints, parts = get_type_hints(kind), []
    for one in fields(kind):
        schema = handler.generate_schema(_in_document(hints[one.name]))
        if one.default is not MISSING:
            schema = core_schema.with_default_schema(schema, default=one.default)
        elif one.default_factory is not MISSING:
            schema = core_schema.with_default_schema(schema, default_factory=one.default_factory)
        title = {"pydantic_js_updates": {"title": one.name.replace("_", " ").title()}}
        parts.append(core_schema.dataclass_field(one.name, schema, metadata=title))
    return core_schema.dataclass_schema(
        kind,
        core_schema.dataclass_args_schema(kind.__name__, parts),
        [one.name for one in fields(kind)],
        ref=f"{kind.__module__}.{kind.__qualname__}",
        slots="__slots__" in vars(kind),
        config={"extra_fields_behavior": "forbid"},
    )


_PLAIN = GetPydanticSchema(_plain_schema)
_Plain = TypeVar("_Plain")
Plain: TypeAlias = Annotated[_Plain, _PLAIN]
"""`Plain[SomeClass]`: a frozen dataclass of `metrics` as a field of the document."""


class Named(Model):
    """A value of a part: a category, a pair ("A × B"), an annotator left out, a document."""

    name: str
    value: Value
    link: str = ""  # address of the part's own page, relative to the report; "" for none


def _warning_from_json(value: object) -> object:
    return warning_from(value) if isinstance(value, (str, dict)) else value


def _finding_from_json(value: object) -> object:
    return finding_from(value) if isinstance(value, dict) else value


_WARNING_SCHEMA = {
    "type": "object",
    "description": "A warning: a code with figures, and its English.",
    "properties": {"code": {"type": "string"}, "text": {"type": "string"}, "figures": _FIGURES},
    "required": ["text"],
    "additionalProperties": False,
}
Notice = TypeAliasType(
    "Notice",
    Annotated[
        CodedWarning,
        _INSTANCE,
        BeforeValidator(_warning_from_json),
        PlainSerializer(warning_json),
        WithJsonSchema(_WARNING_SCHEMA),
    ],
)
"""A `CodedWarning` as a field of the document, with its English text; also a plain text."""

_FINDING_SCHEMA = {
    "type": "object",
    "description": "A diagnosis: what was found, its figures, what to do.",
    "properties": {
        **{name: {"type": "string"} for name in ("rule", "title", "text", "advice")},
        "figures": _FIGURES,
        "severity": {"type": "string", "default": "note"},
    },
    "required": ["rule", "title", "text", "advice"],
    "additionalProperties": False,
}
Finding = TypeAliasType(
    "Finding",
    Annotated[
        CodedFinding,
        _INSTANCE,
        BeforeValidator(_finding_from_json),
        PlainSerializer(finding_json),
        WithJsonSchema(_FINDING_SCHEMA),
    ],
)
"""A finding as a field of the document, with its English text."""
