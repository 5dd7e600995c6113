"""`accordeur schema` and `compile`: commands for set-up and for editors."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from .terminal import print_json


class Schema(StrEnum):
    campaign = "campaign"
    results = "results"


def schema(what: Annotated[Schema, typer.Argument(help="File whose schema is printed.")]) -> None:
    """Print the JSON schema of the campaign file or of results.json, of a campaign or a study."""
    if what is Schema.results:
        print_json(results_schema())
        return
    from ..campaign.file.campaign_config import Config

    print_json(Config.model_json_schema())


def results_schema() -> dict[str, Any]:
    """Return the JSON schema of every results.json that is written."""
    from pydantic import TypeAdapter

    from ...reports.results import Results
    from ...reports.study.study_results import StudyResults
    from ...reports.value import DocumentSchema

    documents: TypeAdapter[Results | StudyResults] = TypeAdapter(Results | StudyResults)
    return documents.json_schema(schema_generator=DocumentSchema)


def compile() -> None:
    """Compile all kernels once, so that later commands start faster."""
    from ..engine.kernels import compile_all

    compile_all()
