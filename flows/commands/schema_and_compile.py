"""`accordeur schema` and `compile`: commands for set-up and for editors."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from .terminal import print_json


class Schema(StrEnum):
    campaign = "campaign"
    results = "results"


def schema(what: Annotated[Schema, typer.Argument(help="File whose schema is printed.")]) -> None:
    """Print the JSON schema of the campaign file or of results.json."""
    from ...reports.results import Results
    from ..campaign.file.campaign_config import Config

    model = Config if what is Schema.campaign else Results
    print_json(model.model_json_schema())


def compile() -> None:
    """Compile all kernels once, so that later commands start faster."""
    from ..engine.kernels import compile_all

    compile_all()
