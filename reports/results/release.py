"""The section `[release]` of a campaign file, and the results of a release audit.

The keys state what the data cannot: who publishes the corpus, where, under which licence, and the
answers to the questions of the Responsible-AI vocabulary of Croissant (MLCommons 2024, RAI 1.0).
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ...metrics.options import Option
from ..value import Model, Number

AnnotationCreators: TypeAlias = Literal[
    "expert-generated", "crowdsourced", "found", "machine-generated", "other"
]
# SPDX identifiers of licences that allow a text to be republished whole and unchanged.
REDISTRIBUTABLE = re.compile(
    r"(CC0|PDDL|ODbL|ODC-By|CC-BY|CC-BY-SA|CC-BY-NC|CC-BY-NC-SA|CC-BY-ND|CC-BY-NC-ND|Apache|[AL]?GPL"
    r"|CDLA-Permissive|CDLA-Sharing|GFDL|etalab|OGL-UK)-[0-9][\w.-]*"
    r"|MIT|MIT-0|0BSD|BSD-[23]-Clause|Unlicense"
)


@dataclass(frozen=True)
class Creator:
    """A person, with family and given name, or an organisation, with its name."""

    name: Annotated[str, Option("name of an organisation; alternative to a person's names")] = ""
    family: Annotated[str, Option("family name of a person")] = ""
    given: Annotated[str, Option("given names of a person")] = ""
    orcid: Annotated[str, Option("ORCID iD of a person: 0000-0002-1825-0097")] = ""
    affiliation: Annotated[str, Option("organisation of a person")] = ""
    email: Annotated[str, Option("address that may be published")] = ""

    def __post_init__(self) -> None:
        if bool(self.name) == bool(self.family):
            raise ValueError("give a person's family name or an organisation's name")
        if self.orcid and not re.fullmatch(r"(\d{4}-){3}\d{3}[\dX]", self.orcid):
            raise ValueError("orcid must look like 0000-0002-1825-0097, without an address")

    @property
    def full_name(self) -> str:
        return self.name or f"{self.given} {self.family}".strip()


@dataclass(frozen=True)
class AnnotatorFacts:
    """How the annotators were recruited, paid, asked and instructed: `[release.annotators]`."""

    recruitment: Annotated[str, Option("how and where the annotators were recruited")] = ""
    pay: Annotated[str, Option("what they were paid, and how it compares with wages there")] = ""
    consent: Annotated[str, Option("how they agreed to the use of their annotations")] = ""
    ethics_review: Annotated[
        str, Option("which board approved the annotation or exempted it, or why none was asked")
    ] = ""
    instructions: Annotated[
        str,
        Option(
            "file of the instructions that they were given, relative to the campaign file; its "
            "SHA-256 is published"
        ),
    ] = ""


@dataclass(frozen=True)
class ReleaseMetadata:
    """What is published with the corpus; without this section, an audit publishes no annotations.

    An empty section is enough to begin: the audit lists what each standard lacks.
    """

    title: Annotated[str, Option("title of the published corpus; default: campaign.name")] = ""
    version: Annotated[str, Option("version of the release: 1.0.0")] = ""
    date: Annotated[datetime.date | None, Option("day of publication: 2026-03-04")] = None
    url: Annotated[str, Option("address of the page of the corpus")] = ""
    doi: Annotated[str, Option("DOI of this release, without an address: 10.5281/zenodo.123")] = ""
    creators: Annotated[
        tuple[Creator, ...], Option("who made the corpus: one [[release.creators]] each")
    ] = ()
    publisher: Annotated[str, Option("organisation that publishes the corpus")] = ""
    keywords: Annotated[tuple[str, ...], Option("search terms")] = ()
    languages: Annotated[
        tuple[str, ...],
        Option(
            "language codes (BCP 47) of the documents: en, fr-CA; campaign.language is free text"
        ),
    ] = ()
    tasks: Annotated[
        tuple[str, ...], Option("task categories of Hugging Face: token-classification, …")
    ] = ()
    paper: Annotated[str, Option("address or DOI of the paper that describes the corpus")] = ""
    citation: Annotated[
        str, Option("BibTeX entry to cite; default: made from creators, title, date and DOI")
    ] = ""

    texts: Annotated[
        bool,
        Option("publish the texts of the documents; their licence must allow redistribution"),
    ] = False
    text_licence: Annotated[
        str, Option("licence of the texts, as an SPDX identifier; default: campaign.licence")
    ] = ""
    pseudonym_key: Annotated[
        str,
        Option(
            "file with the secret from which this release's pseudonyms are made, relative to the "
            "campaign file; default: a secret in the store, which no bundle contains"
        ),
    ] = ""
    annotators: Annotated[
        AnnotatorFacts, Option("recruitment, pay, consent, ethics review and instructions")
    ] = field(default_factory=AnnotatorFacts)
    demographics: Annotated[
        tuple[str, ...],
        Option(
            "annotator attributes whose group sizes are published, in the classes of the data "
            "statement: age, gender, race or ethnicity, native language, socioeconomic status, "
            "training"
        ),
    ] = ()
    minimum_group: Annotated[
        int,
        Option("minimum size of a demographic group that is published", ge=2),
    ] = 5
    splits: Annotated[
        dict[str, str],
        Option("name of a split → regular expression for the names of its documents"),
    ] = field(default_factory=dict)

    collection: Annotated[str, Option("how the documents were collected")] = ""
    collection_types: Annotated[
        tuple[str, ...],
        Option("kinds of collection: Surveys, Web Scraping, Physical data collection, …"),
    ] = ()
    collected_from: Annotated[datetime.date | None, Option("first day of the collection")] = None
    collected_until: Annotated[datetime.date | None, Option("last day of the collection")] = None
    raw_data: Annotated[str, Option("where the documents come from, before any treatment")] = ""
    sources: Annotated[
        tuple[str, ...], Option("addresses or names of the data that the corpus is derived from")
    ] = ()
    missing_data: Annotated[str, Option("what the collection lacks, and why")] = ""
    imputation: Annotated[str, Option("how gaps in the documents were filled")] = ""
    manipulation: Annotated[str, Option("what was deliberately altered in the documents")] = ""
    preprocessing: Annotated[
        tuple[str, ...], Option("steps from the collected documents to the annotated ones")
    ] = ()
    annotation_protocol: Annotated[
        str, Option("who annotated what, under which instructions, and how items were assigned")
    ] = ""
    annotation_creators: Annotated[
        tuple[AnnotationCreators, ...], Option("who the annotators are, in Hugging Face's terms")
    ] = ()
    platforms: Annotated[
        tuple[str, ...], Option("tools or platforms with which the annotators worked")
    ] = ()
    machine_tools: Annotated[
        tuple[str, ...], Option("software that made annotations or proposed them to annotators")
    ] = ()
    synthetic: Annotated[
        bool | None, Option("whether the corpus contains synthetic (generated) data")
    ] = None
    personal_information: Annotated[
        tuple[str, ...],
        Option('personal and sensitive information in the corpus; "none" if there is none'),
    ] = ()
    biases: Annotated[tuple[str, ...], Option("known biases")] = ()
    limitations: Annotated[tuple[str, ...], Option("known limits")] = ()
    uses: Annotated[tuple[str, ...], Option("intended uses")] = ()
    unsuitable_uses: Annotated[
        tuple[str, ...], Option("uses for which the corpus is not suited, or not meant")
    ] = ()
    sensitive_content: Annotated[
        tuple[str, ...],
        Option('harmful or sensitive content that readers may meet; "none" if there is none'),
    ] = ()
    social_impact: Annotated[str, Option("effects of the corpus on people, good and bad")] = ""
    maintenance: Annotated[
        str, Option("who maintains the corpus, how versions are made and data withdrawn")
    ] = ""

    def __post_init__(self) -> None:
        for name, pattern in self.splits.items():
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"splits.{name} is not a regular expression: {error}") from None
        first, last = self.collected_from, self.collected_until
        if first is not None and last is not None and first > last:
            raise ValueError("collected_from is later than collected_until")
        if self.doi and not re.fullmatch(r"10\.\d{4,9}/\S+", self.doi):
            raise ValueError(f"doi must begin with 10., without an address (found {self.doi!r})")


class ReleaseTable(Model):
    """A table of the release, below `data/` as Parquet and as JSON lines."""

    name: str
    columns: dict[str, str]  # name → string | integer | number
    n_rows: int


class AnnotationsPerItem(Model):
    """Human annotators per item (or per document of units), over all that have an annotator."""

    layer: str
    kind: str  # items | positions | units
    n_items: int  # documents for a layer of units
    fewest: int
    median: Number
    most: int
    categories: dict[str, int] = Field(default_factory=dict)  # labels or units, most used first


class Demographic(Model):
    """Annotators by group; groups below the minimum size are joined in the group ""."""

    attribute: str
    groups: dict[str, int]


class Release(Model):
    """The options of a release audit besides the numbers, and what it publishes."""

    missing: list[str] = Field(default_factory=list)  # of the data statement; see data_statement
    metadata: ReleaseMetadata | None = None  # the section [release]
    tables: list[ReleaseTable] = Field(default_factory=list)
    annotations_per_item: list[AnnotationsPerItem] = Field(default_factory=list)
    demographics: list[Demographic] = Field(default_factory=list)
    withheld: list[str] = Field(default_factory=list)  # attributes whose groups are too small
    instructions_sha256: str = ""  # of the file that release.annotators.instructions names
    hides_annotators: bool = False  # whether the report shows pseudonyms of the campaign
    has_campaign_file: bool = (
        True  # left out of the bundle if it contains a name behind a pseudonym
    )
