"""Sections of the campaign file on its exports: sources, batches, annotators, layers."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from ....data.whole_numbers import without_decimals
from ....metrics.agreement.distance_table import DistanceTable
from ....tasks.inputs.distance_options import is_distance_file, read_distances
from ...secret_settings import require_elsewhere
from ...toml_file import Section
from .paths import path_from

RoleName = Literal["human", "system", "reference", "audit"]
Name = Annotated[str, Field(min_length=1)]
Category = Annotated[str, AfterValidator(without_decimals)]  # as labels are read


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a regular expression. Raises ValueError, in one sentence, if it is invalid."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from None


def _offered_distance(
    name: str | dict[str, dict[str, float]],
) -> str | dict[str, dict[str, float]]:
    from ....metrics.agreement.distances import list_other_distances

    if isinstance(name, dict) or is_distance_file(name):
        return name
    if name not in (offered := _layer_distances()):
        raise ValueError(f"no distance {name!r}; {list_other_distances(name, offered)}")
    return name


def _layer_distances() -> tuple[str, ...]:
    """Return the distances of a layer: between categories, and between objects."""
    from ....metrics.agreement.distances import OFFERED
    from ....metrics.objects.registry import OBJECT_DISTANCES

    return (*OFFERED, *OBJECT_DISTANCES)


def _list_distances(schema: dict[str, Any]) -> None:
    schema["anyOf"].insert(0, {"enum": [*_layer_distances()]})


LayerDistance = Annotated[
    str | dict[str, dict[str, float]],
    AfterValidator(_offered_distance),
    Field(json_schema_extra=_list_distances),
]


class Source(Section):
    """One export, or several of the same format."""

    path: Name = Field(description="file, folder or glob, relative to the campaign file")
    address: str = Field(
        "",
        description="where the export is, if it is no file: https://, s3://, gs://. Each run keeps "
        "it as `path`, if it changed",
    )
    authorization: str = Field(
        "",
        description="value of the header Authorization, such as `Token abc`, or of another header "
        "(`X-Argilla-Api-Key: abc`), for an address that needs one: $NAME (environment) or "
        "block:NAME (Secret block of Prefect)",
    )
    format: str = Field(
        "auto", description="a name listed by `accordeur formats`; auto: recognised from the file"
    )
    annotator: str | None = Field(
        None, description="name of the annotator, for formats that do not give it"
    )
    role: RoleName | None = Field(None, description="role of every annotator in this source")
    batch: str = Field("", description="batch of every document in this source")
    batch_pattern: str = Field(
        "",
        description="used if `batch` is not given: regular expression whose first group, matched "
        "in the document's name, is its batch",
    )
    delivery: int | date | None = Field(
        None,
        description="number or date of the delivery: of an annotator's work on a document that is "
        "in several sources, the copy of the last delivery counts. Default: the copy that the "
        "export's own times say is the last; copies that differ and have no times are rejected",
    )
    layers: tuple[str, ...] = Field((), description="keep only these layers; empty: all")
    layer_names: dict[str, str] = Field(
        default_factory=dict,
        description='name of a layer in the export → its name in the campaign; "": no name',
    )
    query: str = Field(
        "",
        description="one SELECT of DuckDB over the file as the table `source`: its rows are read "
        "instead of the file's",
    )
    options: dict[str, str] = Field(
        default_factory=dict,
        description="the format's own options (accordeur formats)",
        validate_default=True,
    )

    @field_validator("options")
    @classmethod
    def _with_query(cls, value: dict[str, str], given: ValidationInfo) -> dict[str, str]:
        """Add the query, which is an option of the format table."""
        return {"query": given.data["query"], **value} if given.data.get("query") else value

    @field_validator("authorization")
    @classmethod
    def _is_elsewhere(cls, value: str) -> str:
        return require_elsewhere(value, "token")

    @model_validator(mode="after")
    def _address_is_safe(self) -> Source:
        if self.address and not re.match(r"(https?|s3|gs|gcs)://", self.address):
            raise ValueError(
                "address begins with https://, s3:// or gs://; a file is given as path"
            )
        parts = urlsplit(self.address)
        if parts.password:
            raise ValueError("address contains a password: give it with `authorization`")
        is_open = parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "localhost")
        if self.authorization and is_open:
            raise ValueError("address: http:// would send the token unencrypted: use https://")
        if self.address and any(mark in self.path for mark in "*?["):
            raise ValueError("path: name the file or folder in which the export is kept")
        return self

    @field_validator("batch_pattern")
    @classmethod
    def _one_group(cls, value: str) -> str:
        if value and compile_pattern(value).groups < 1:
            raise ValueError("put the batch's part of the name in parentheses, as in '^([^-]+)-'")
        return value


class Batch(Section):
    """Properties of a batch besides its documents, which the sources assign."""

    guideline: str = Field(
        "", description="version of the guideline, if it differs from the campaign's"
    )


JUDGE_FACTS = ("version", "prompt", "decoding")
"""Keys of a system that the report on a judge shows."""


class Annotator(Section):
    role: RoleName = Field(
        "human",
        description="only humans take part in agreement; systems are scored against a reference; "
        "an audit is right labels of some items, which estimate the error of the reference",
    )
    pseudonym: str | None = Field(None, description="shown instead of the name, everywhere")
    attributes: dict[str, str] = Field(
        default_factory=dict,
        description='what is known of the annotator: {country = "IN", expert = "yes"}; groups are '
        "compared by it, and a release may count them (release.demographics)",
    )
    left: bool | date = Field(
        False,
        description="true, or the day: the annotator has left the campaign and gets no work from "
        "`accordeur next`; what the annotator annotated counts as before",
    )
    not_assigned: str = Field(
        "",
        description="for a system: regular expression for the names of documents that were not "
        "assigned to it; other reference documents that it lacks are scored as wrong",
    )
    version: str = Field("", description="of a system: the model and its version")
    prompt: str = Field("", description="of a system: its prompt, or where the prompt is published")
    decoding: str = Field("", description="of a system: temperature and other settings")

    distributions: str = Field(
        "",
        description="for a system: table of its distributions, relative to this file: `item`, "
        "`document` and a column for each category; [reference] soft scores them",
    )

    def has_left(self, today: date) -> bool:
        return self.left if isinstance(self.left, bool) else self.left <= today

    @field_validator("not_assigned")
    @classmethod
    def _pattern(cls, value: str) -> str:
        compile_pattern(value)
        return value

    @model_validator(mode="after")
    def _only_systems_are_scored(self) -> Annotator:
        for key in ("not_assigned", "distributions", *JUDGE_FACTS):
            if getattr(self, key) and self.role != "system":
                raise ValueError(
                    f'{key} applies to systems only: give role = "system", or remove it'
                )
        return self


class Layer(Section):
    """One annotation question: its categories, and the distance between them."""

    kind: Literal["items", "units", "positions"] | None = Field(
        None,
        description=(
            "items: labels on given items; units: spans located by the annotators; positions: "
            "units at given places (tokens), measured as labels on items. Default: recognised "
            "from the exports"
        ),
    )
    categories: tuple[Category, ...] = Field((), description="all categories, in the scale's order")
    scale: Literal["nominal", "ordinal", "interval", "ratio"] = Field(
        "nominal", description="scale of the categories, whose distance has the same name"
    )
    distance: LayerDistance = Field(
        "nominal",
        description="another distance between categories: jaccard, masi and passonneau2004 "
        "compare sets of labels; layers of units allow nominal, ordinal (by rank), interval and "
        "tree (by paths); the distance of objects, such as word_error, reads each label as an "
        "object. Or distances of pairs, 0..1; other pairs have 1: {Former = {New = 0.5}}; or the "
        "path of a table of distances or of a taxonomy (.txt, one category per line, indented "
        "below its parent)",
    )
    separator: str | None = Field(
        None,
        min_length=1,
        description="what separates the parts of a category for distance = tree; default: /",
    )
    circumference: float | None = Field(
        None,
        gt=0,
        description="length of the whole circle for distance = circular, such as 24 for "
        "hours or 360 for degrees. Default: one more than the range of the declared categories",
    )
    unlabelled: bool = Field(False, description="units may have no category")
    null: str | None = Field(
        None, description="category for an absent phenomenon: agreement is also given without it"
    )
    universes: dict[str, str] = Field(
        default_factory=dict,
        description="subsets of items on which agreement is also given: name → regular "
        "expression, searched for in `document, item` (`^may-`: documents whose "
        "names begin with may-; `, q7$`: item q7 of each document)",
    )

    @property
    def distances(self) -> dict[str, dict[str, float]] | str:
        """The declared distances of pairs, or the path of their table; {} for a named distance."""
        is_named = isinstance(self.distance, str) and not is_distance_file(self.distance)
        return {} if is_named else self.distance

    @property
    def distance_name(self) -> str:
        """The named distance; nominal beside a table."""
        return self.scale if self.distances or self.distance == "nominal" else str(self.distance)

    @property
    def table_of_distances(self) -> DistanceTable:
        """The declared distances. Raises MetricsError for impossible ones, DataError for a file."""
        if isinstance(self.distances, str):
            return read_distances(Path(self.distances))
        return DistanceTable(
            tuple(
                (first, second, value)
                for first, others in self.distances.items()
                for second, value in others.items()
            )
        )

    def with_paths_from(self, folder: Path) -> Layer:
        """Return the layer with the path of its distances relative to the folder."""
        if isinstance(self.distances, dict):
            return self
        return self.model_copy(update={"distance": path_from(folder, self.distances)})

    @property
    def of_texts(self) -> bool:
        """Whether the labels are objects that are text of the corpus."""
        from ....metrics.objects.registry import OBJECT_DISTANCES

        return (
            self.distance_name in OBJECT_DISTANCES and OBJECT_DISTANCES[self.distance_name].is_text
        )

    @field_validator("universes")
    @classmethod
    def _patterns(cls, value: dict[str, str]) -> dict[str, str]:
        for pattern in value.values():
            compile_pattern(pattern)
        return value

    @model_validator(mode="after")
    def _distances_fit_the_categories(self) -> Layer:
        if self.scale != "nominal" and self.distance != "nominal":
            raise ValueError("give a scale or a distance, not both: each is a distance")
        if isinstance(self.distances, dict):
            self.table_of_distances.require_declared(self.categories)
        if self.circumference is not None and self.distance_name != "circular":
            raise ValueError(
                f'circumference applies only to distance = "circular"; the distance is '
                f"{self.distance_name}"
            )
        if self.separator is not None and self.distance_name != "tree":
            raise ValueError(
                f'separator applies only to distance = "tree"; the distance is {self.distance_name}'
            )
        if len(set(self.categories)) != len(self.categories):
            raise ValueError("a category is declared twice")
        if self.null is not None and self.categories and self.null not in self.categories:
            raise ValueError(
                f"null is {self.null!r}, which is not in the categories "
                f"({', '.join(self.categories)})"
            )
        return self
