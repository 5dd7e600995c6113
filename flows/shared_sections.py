"""Sections shared by campaign and study files: [engine], [store], [report]."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from .toml_file import Section


class Engine(Section):
    """Where the work is executed; campaign files are otherwise independent of it."""

    dask: str = Field(
        "local",
        description="local, a scheduler's address (tcp://…), or a cluster class "
        "(dask_jobqueue.SLURMCluster)",
    )
    workers: int = Field(2, ge=1, description="number of Dask workers, unless adaptive")
    adaptive: bool = Field(False, description="start and stop workers as needed, up to `workers`")
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="arguments of the cluster class"
    )
    documents_per_batch: int = Field(
        200, ge=1, description="number of documents that one task measures"
    )
    retries: int = Field(2, ge=0, description="how often a failed task is retried")

    @field_validator("dask")
    @classmethod
    def _known_engine(cls, value: str) -> str:
        if value == "local" or "://" in value or "." in value:
            return value
        raise ValueError(
            "give 'local', a scheduler's address such as 'tcp://10.0.0.5:8786', or a cluster "
            "class such as 'dask_jobqueue.SLURMCluster'"
        )


class StoreSection(Section):
    url: str = Field("runs", description="folder (relative to the campaign file) or s3://… URL")


class Report(Section):
    language: Literal["en", "fr"] = Field(
        "en", description="language of the report: English or French"
    )
