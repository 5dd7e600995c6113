"""What each standard requires of a published corpus, and which campaign-file keys provide it.

The headings of a data statement are those of Bender & Friedman 2018, "Data Statements for Natural
Language Processing" (TACL 6, 587–604), that every corpus can answer. Headings are matched in any
case; their text may be in any language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ..results import Campaign
from ..value import Model
from .corpus_to_release import Corpus
from .wording import Wording

FIELDS = ("description", "language", "guideline", "licence", "contact")
HEADINGS = (
    "Curation rationale",
    "Language variety",
    "Speaker demographic",
    "Annotator demographic",
    "Speech situation",
    "Text characteristics",
)


class Standard(StrEnum):
    CROISSANT = "Croissant 1.1"
    RAI = "Croissant RAI 1.0"
    MINIMAL_RAI = "minimal RAI set (NeurIPS 2026)"
    RO_CRATE = "RO-Crate 1.1"
    PROV = "PROV"
    HUGGING_FACE = "Hugging Face dataset card (template of huggingface_hub, November 2026)"
    NEURIPS = "NeurIPS paper checklist (2025)"
    ACL = "ARR Responsible NLP checklist (online form since February 2024)"
    CITATION = "Citation File Format 1.2.0"
    STATEMENT = "data statement (Bender & Friedman 2018)"


class Missing(Model):
    """A property that a standard requires and that has no value."""

    standard: str
    property: str
    key: str  # a key of the campaign file
    required: bool


@dataclass(frozen=True, slots=True)
class Requirement:
    """A property by its name, the key that provides it, and whether it is filled.

    key     a key of [release], or with its section: campaign.licence; "" for measured properties
    filled  decides instead of the key, as for measured properties
    """

    standard: Standard
    name: str
    key: str
    required: bool = False
    filled: Callable[[Corpus], bool] | None = None

    def is_filled(self, corpus: Corpus) -> bool:
        if self.filled is not None:
            return self.filled(corpus)
        section, *names = self.path.split(".")
        given: object = corpus.metadata if section == "release" else corpus.results.campaign
        for name in names:
            given = getattr(given, name, None)
        return bool(given.strip()) if isinstance(given, str) else given not in (None, ())

    @property
    def path(self) -> str:
        return self.key if "." in self.key or not self.key else f"release.{self.key}"


def _measured_demographics(corpus: Corpus) -> bool:
    return any(Wording(corpus, "text").demographics())


def _measured_items(corpus: Corpus) -> bool:
    return bool(corpus.release.annotations_per_item)


def _measured_agreement(corpus: Corpus) -> bool:
    return any(Wording(corpus, "text").agreement())


def _has_spdx(corpus: Corpus) -> bool:
    return bool(corpus.spdx)


def _measured_rows(corpus: Corpus) -> bool:
    return corpus.results.validation is not None


_C, _R, _O = Standard.CROISSANT, Standard.RAI, Standard.RO_CRATE
_P, _H, _F = Standard.PROV, Standard.HUGGING_FACE, Standard.CITATION

_M, _N, _A = Standard.MINIMAL_RAI, Standard.NEURIPS, Standard.ACL
CHECKLISTS = (_N, _A)  # required for a paper: an audit lists them and refuses no release

# RAI 1.0 has no required properties. The minimal set is what authors and checkers report for the
# Evaluations and Datasets track of NeurIPS 2026; `rai:hasSyntheticData` is not in RAI 1.0.
REQUIREMENTS = (
    Requirement(_C, "description", "campaign.description", required=True),
    Requirement(_C, "license", "campaign.licence", required=True),
    Requirement(_C, "creator", "creators", required=True),
    Requirement(_C, "datePublished", "date", required=True),
    Requirement(_C, "url", "url", required=True),
    Requirement(_C, "version", "version"),
    Requirement(_C, "keywords", "keywords"),
    Requirement(_C, "publisher", "publisher"),
    Requirement(_C, "inLanguage", "languages"),
    Requirement(_R, "rai:dataCollection", "collection"),
    Requirement(_R, "rai:dataCollectionType", "collection_types"),
    Requirement(_R, "rai:dataCollectionMissingData", "missing_data"),
    Requirement(_R, "rai:dataCollectionRawData", "raw_data"),
    Requirement(_R, "rai:dataCollectionTimeframe", "collected_from"),
    Requirement(_R, "rai:dataImputationProtocol", "imputation"),
    Requirement(_R, "rai:dataManipulationProtocol", "manipulation"),
    Requirement(_R, "rai:dataPreprocessingProtocol", "preprocessing", filled=_measured_rows),
    Requirement(_R, "rai:dataAnnotationProtocol", "annotation_protocol"),
    Requirement(_R, "rai:dataAnnotationPlatform", "platforms"),
    Requirement(_R, "rai:dataAnnotationAnalysis", "", filled=_measured_agreement),
    Requirement(_R, "rai:annotationsPerItem", "", filled=_measured_items),
    Requirement(_R, "rai:annotatorDemographics", "demographics", filled=_measured_demographics),
    Requirement(_R, "rai:machineAnnotationTools", "machine_tools"),
    Requirement(_R, "rai:dataReleaseMaintenancePlan", "maintenance"),
    Requirement(_R, "rai:personalSensitiveInformation", "personal_information"),
    Requirement(_R, "rai:dataSocialImpact", "social_impact"),
    Requirement(_R, "rai:dataBiases", "biases"),
    Requirement(_R, "rai:dataLimitations", "limitations"),
    Requirement(_R, "rai:dataUseCases", "uses"),
    Requirement(_M, "rai:dataLimitations", "limitations", required=True),
    Requirement(_M, "rai:dataBiases", "biases", required=True),
    Requirement(_M, "rai:personalSensitiveInformation", "personal_information", required=True),
    Requirement(_M, "rai:dataUseCases", "uses", required=True),
    Requirement(_M, "rai:dataSocialImpact", "social_impact", required=True),
    Requirement(_M, "rai:hasSyntheticData", "synthetic", required=True),
    Requirement(_M, "prov:wasDerivedFrom", "sources", required=True),
    Requirement(_O, "datePublished", "date", required=True),
    Requirement(_O, "license", "campaign.licence", required=True),
    Requirement(_O, "description", "campaign.description", required=True),
    Requirement(_O, "author", "creators"),
    Requirement(_O, "publisher", "publisher"),
    Requirement(_P, "prov:wasAttributedTo", "creators"),
    Requirement(_P, "prov:wasDerivedFrom", "sources"),
    Requirement(_H, "license", "campaign.licence", required=True),
    Requirement(_H, "language", "languages"),
    Requirement(_H, "task_categories", "tasks"),
    Requirement(_H, "annotations_creators", "annotation_creators"),
    Requirement(_H, "Annotation process", "annotation_protocol"),
    Requirement(_H, "Who are the annotators?", "release.annotators.recruitment"),
    Requirement(_H, "Bias, Risks, and Limitations", "limitations"),
    Requirement(_H, "Privacy Considerations", "personal_information"),
    Requirement(_H, "Uses", "uses"),
    Requirement(_N, "14: instructions", "release.annotators.instructions", required=True),
    Requirement(_N, "14: compensation", "release.annotators.pay", required=True),
    Requirement(
        _N, "15: approval of a review board", "release.annotators.ethics_review", required=True
    ),
    Requirement(_A, "D1: instructions", "release.annotators.instructions", required=True),
    Requirement(_A, "D2: recruitment", "release.annotators.recruitment", required=True),
    Requirement(_A, "D2: payment", "release.annotators.pay", required=True),
    Requirement(_A, "D3: consent", "release.annotators.consent", required=True),
    Requirement(_A, "D4: ethics review", "release.annotators.ethics_review", required=True),
    Requirement(
        _A, "D5: demographics", "demographics", required=True, filled=_measured_demographics
    ),
    Requirement(_F, "authors", "creators", required=True),
    Requirement(_F, "version", "version"),
    Requirement(_F, "date-released", "date"),
    Requirement(_F, "license", "campaign.licence", filled=_has_spdx),
    Requirement(_F, "doi", "doi"),
)


def missing_information(corpus: Corpus) -> list[Missing]:
    """Return what each standard lacks, in the order of the standards, data statement last."""
    found = [
        Missing(standard=one.standard, property=one.name, key=one.path, required=one.required)
        for one in REQUIREMENTS
        if not one.is_filled(corpus)
    ]
    for name in corpus.release.missing:
        is_heading = " " in name
        key = f'campaign.statement."{name}"' if is_heading else f"campaign.{name}"
        found.append(Missing(standard=Standard.STATEMENT, property=name, key=key, required=True))
    return found


def missing_statement(campaign: Campaign) -> list[str]:
    """Return fields of the campaign, then headings of its statement, that have no text."""
    given = {
        heading.strip().lower() for heading, text in campaign.statement.items() if text.strip()
    }
    missing = [name for name in FIELDS if not getattr(campaign, name).strip()]
    return missing + [heading for heading in HEADINGS if heading.lower() not in given]
