"""The state of results as plain values for JSON, and back.

Plain values are themselves; everything else is a mapping with one key, which says what it is. Of
classes, only the dataclasses, named tuples, models, enumerations and results of Accordeur are
written and read; the fields of objects are set without running their code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from ..metrics.estimate import Estimate
from ..metrics.item_name import ItemName
from .frames import frame_kind, make_frame

_ROOT = __name__.partition(".")[0]
Made = TypeVar("Made")


def plain(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a state as plain ones. Raises TypeError for one that has no form."""
    return {name: _plain(one) for name, one in state.items()}


def objects(state: Mapping[str, Any]) -> dict[str, Any]:
    """Inverse of `plain`. Raises ValueError for what it did not write."""
    return {name: _object(one) for name, one in state.items()}


def with_state(kind: type[Made], state: Mapping[str, Any]) -> Made:
    """Return an object of a class with these fields, without running its code."""
    made = object.__new__(kind)
    for name, one in state.items():
        object.__setattr__(made, name, one)
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return {"enum": [_name(type(value)), value.value]}
    if isinstance(value, ItemName):
        return {"item": [value.document, value.item]}
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, float | np.number):
        number = value.item() if isinstance(value, np.number) else value
        return number if math.isfinite(number) else {"number": str(number)}
    if type(value) is list:
        return [_plain(one) for one in value]
    if isinstance(value, np.ndarray):
        return {"array": [value.dtype.str, list(value.shape), _plain(value.ravel().tolist())]}
    if isinstance(value, tuple):
        if hasattr(value, "_fields"):
            return {"row": [_name(type(value)), [_plain(one) for one in value]]}
        return {"tuple": [_plain(one) for one in value]}
    if isinstance(value, dict | MappingProxyType):
        return {"map": [[_plain(key), _plain(one)] for key, one in value.items()]}
    return _plain_object(value)


def _plain_object(value: Any) -> dict[str, Any]:
    kind = type(value)
    if (library := frame_kind(value)) is not None:
        import narwhals as nw

        columns = nw.from_native(value, eager_only=True).to_dict(as_series=False)
        return {"frame": [library, plain(columns)]}
    if hasattr(kind, "from_dict"):
        return {"result": [_name(kind), value.to_dict()]}
    if kind is Estimate:
        return {"estimate": value.as_json()}
    if is_dataclass(value):
        own = {one.name: getattr(value, one.name) for one in fields(value)}
        return {"object": [_name(kind), plain(own)]}
    if hasattr(kind, "model_fields"):
        own = {name: getattr(value, name) for name in kind.model_fields}
        return {"model": [_name(kind), plain(own)]}
    raise TypeError(f"a {kind.__name__} cannot be written as JSON")


def _object(value: Any) -> Any:
    if isinstance(value, list):
        return [_object(one) for one in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise ValueError("not written by to_dict() of a result")
    ((form, given),) = value.items()
    return _READ[form](given) if form in _READ else _unknown(form)


def _unknown(form: str) -> Any:
    raise ValueError(f"not written by to_dict() of a result: {form!r}")


def _array(given: Sequence[Any]) -> Any:
    dtype, shape, values = given
    return np.array(_object(values), np.dtype(dtype)).reshape(shape)


def _row(given: Sequence[Any]) -> Any:
    name, values = given
    return _class(name)._make([_object(one) for one in values])


def _instance(given: Sequence[Any]) -> Any:
    name, state = given
    return with_state(_class(name), objects(state))


def _model(given: Sequence[Any]) -> Any:
    name, state = given
    return _class(name).model_construct(**objects(state))


def _result(given: Sequence[Any]) -> Any:
    name, content = given
    return _class(name).from_dict(content)


def _frame(given: Sequence[Any]) -> Any:
    library, columns = given
    return make_frame(objects(columns), library)


_READ: Mapping[str, Any] = MappingProxyType(
    {
        "enum": lambda given: _class(given[0])(given[1]),
        "item": lambda given: ItemName(*given),
        "number": float,
        "array": _array,
        "row": _row,
        "tuple": lambda given: tuple(_object(one) for one in given),
        "map": lambda given: {_object(key): _object(one) for key, one in given},
        "object": _instance,
        "estimate": Estimate.from_json,
        "result": _result,
        "model": _model,
        "frame": _frame,
    }
)


def _name(kind: type) -> str:
    """Return where a class of Accordeur is, such as `metrics.estimate.Estimate`."""
    root, _, within = kind.__module__.partition(".")
    if root != _ROOT:
        raise TypeError(f"a {kind.__name__} of {root} cannot be written as JSON")
    return f"{within}.{kind.__qualname__}"


def _class(name: str) -> Any:
    """Return the class of that name. Raises ValueError if Accordeur has none."""
    module, _, own = name.rpartition(".")
    try:
        kind = getattr(import_module(f"{_ROOT}.{module}"), own)
    except (ImportError, AttributeError):
        kind = None
    if not isinstance(kind, type) or not (
        is_dataclass(kind)
        or issubclass(kind, Enum)
        or hasattr(kind, "from_dict")
        or hasattr(kind, "_fields")
        or hasattr(kind, "model_fields")
    ):
        raise ValueError(f"there is no result {name!r} in this version of Accordeur")
    return kind
