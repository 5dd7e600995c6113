"""Validation of results documents by an independent validator of JSON schemas."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema

from accordeur.flows.commands.schema_and_compile import results_schema


def errors_in(document: dict[str, Any], kind: str = "Results") -> list[str]:
    """Return where a results.json breaks the schema that `accordeur schema results` prints.

    kind  the kind of document, one of those that the schema accepts
    """
    found = _validator(kind).iter_errors(document)
    return [f"{'/'.join(map(str, one.absolute_path))}: {one.message}" for one in found]


@cache
def _validator(kind: str) -> Any:
    schema = results_schema()
    one = {"$ref": f"#/$defs/{kind}"}
    assert one in schema["anyOf"]
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    return validator({"$defs": schema["$defs"], **one})
