"""Croissant 1.1 with the vocabulary RAI 1.0 (MLCommons), as JSON-LD.

Sources: the Croissant Format Specification 1.1 and the Croissant RAI Specification 1.0. Property
names are taken from the vocabulary file and the property table, which agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..results.release import Creator, ReleaseTable
from .citation import bibtex
from .corpus_to_release import BundleFile, Corpus, licence_url
from .wording import Wording

FILE = "croissant.json"
CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
_PLAIN = (
    "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field",
    "fileObject", "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset",
    "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated",
    "replace", "samplingRate", "separator", "source", "subField", "transform",
)  # fmt: skip
_TYPES = {"string": "sc:Text", "integer": "sc:Integer", "number": "sc:Float"}
_TABLE_END = ".parquet"


def context(language: str) -> dict[str, object]:
    """Return the `@context` of the specification, with the vocabulary of PROV."""
    plain: dict[str, object] = {name: f"cr:{name}" for name in _PLAIN}
    return plain | {
        "@language": language,
        "@vocab": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "dct": "http://purl.org/dc/terms/",
        "description": {"@container": "@language"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
        "name": {"@container": "@language"},
        "prov": "http://www.w3.org/ns/prov#",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "sc": "https://schema.org/",
    }


def croissant(corpus: Corpus) -> dict[str, object]:
    """Return the whole document."""
    campaign, metadata = corpus.results.campaign, corpus.metadata
    found: dict[str, object] = {
        "@context": context(corpus.code),
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS_TO),
        "name": corpus.title,
        "description": campaign.description,
        "license": _licences(corpus),
        "url": metadata.url or corpus.identifier,
        "identifier": corpus.identifier,
        "version": metadata.version,
        "datePublished": metadata.date.isoformat() if metadata.date else "",
        "inLanguage": list(metadata.languages),
        "keywords": list(metadata.keywords),
        "creator": [agent(one) for one in metadata.creators],
        "publisher": {"@type": "sc:Organization", "name": metadata.publisher}
        if metadata.publisher
        else "",
        "citeAs": bibtex(corpus),
        "citation": metadata.paper,
        "isLiveDataset": False,
    }
    found |= dict(responsible_ai(corpus))
    found["distribution"] = [_file(file) for file in corpus.data_files]
    found["recordSet"] = [_record_set(corpus, table) for table in corpus.release.tables]
    return {name: value for name, value in found.items() if value not in ("", [], None)}


def _licences(corpus: Corpus) -> object:
    """Return the licence, and the licence of the texts if they are published under another one."""
    texts = licence_url(corpus.metadata.text_licence) if corpus.metadata.texts else ""
    both = [corpus.licence_url, texts]
    return both if texts not in ("", corpus.licence_url) else corpus.licence_url


def agent(creator: Creator) -> dict[str, object]:
    """Describe a person or an organisation in terms of schema.org."""
    if creator.name:
        found: dict[str, object] = {"@type": "sc:Organization", "name": creator.name}
    else:
        found = {
            "@type": "sc:Person",
            "name": creator.full_name,
            "familyName": creator.family,
            "givenName": creator.given,
        }
    if creator.orcid:
        found["@id"] = f"https://orcid.org/{creator.orcid}"
    if creator.affiliation:
        found["affiliation"] = {"@type": "sc:Organization", "name": creator.affiliation}
    found["email"] = creator.email
    return {name: value for name, value in found.items() if value}


def responsible_ai(corpus: Corpus) -> Iterator[tuple[str, object]]:
    """Return properties of RAI 1.0 with a text, and provenance; measured texts come last."""
    given, said = corpus.metadata, Wording(corpus, "text")
    protocol = [given.annotation_protocol, *said.annotators(), *said.guideline()]
    period = [day.isoformat() for day in (given.collected_from, given.collected_until) if day]
    one: dict[str, Sequence[str]] = {
        "rai:dataCollection": [given.collection],
        "rai:dataCollectionMissingData": [given.missing_data],
        "rai:dataCollectionRawData": [given.raw_data],
        "rai:dataImputationProtocol": [given.imputation],
        "rai:dataManipulationProtocol": [given.manipulation],
        "rai:dataAnnotationProtocol": protocol if given.annotation_protocol else [],
        "rai:annotationsPerItem": [*said.per_item()],
        "rai:dataSocialImpact": [given.social_impact],
    }
    many: dict[str, Sequence[str]] = {
        "rai:dataCollectionType": given.collection_types,
        "rai:dataCollectionTimeframe": period,
        "rai:dataPreprocessingProtocol": [*given.preprocessing, *said.rows()],
        "rai:dataAnnotationPlatform": given.platforms,
        "rai:dataAnnotationAnalysis": [
            *said.agreement(),
            *said.references(),
            *said.errors(),
            *said.estimates(),
            *said.individual(),
        ],
        "rai:annotatorDemographics": [*said.demographics()],
        "rai:machineAnnotationTools": given.machine_tools,
        "rai:dataReleaseMaintenancePlan": [given.maintenance],
        "rai:personalSensitiveInformation": given.personal_information,
        "rai:dataBiases": given.biases,
        "rai:dataLimitations": [*given.limitations, *said.limits()] if given.limitations else [],
        "rai:dataUseCases": given.uses,
    }
    yield from ((name, " ".join(filter(None, texts))) for name, texts in one.items())
    yield from ((name, [text for text in texts if text]) for name, texts in many.items())
    if given.synthetic is not None:
        yield "rai:hasSyntheticData", given.synthetic
    yield "prov:wasDerivedFrom", [_source_reference(one) for one in given.sources]
    yield "prov:wasGeneratedBy", [*_activities(corpus)]


def _source_reference(source: str) -> dict[str, object]:
    is_address = "://" in source
    return {"@id": source} if is_address else {"@type": "prov:Entity", "name": source}


def _activities(corpus: Corpus) -> Iterator[dict[str, object]]:
    """Describe how the corpus was made: collection, annotation, measurement."""
    say, given = corpus.say, corpus.metadata
    for name, text in (("collection", given.collection), ("annotation", given.annotation_protocol)):
        if text:
            yield {
                "@type": "prov:Activity",
                "name": say(f"passport.{name}"),
                "description": text,
            }
    yield {
        "@type": "prov:Activity",
        "name": say("passport.generated"),
        "prov:wasAssociatedWith": {
            "@type": "prov:SoftwareAgent",
            "name": "Accordeur",
            "softwareVersion": corpus.results.run.version,
        },
    }


def _file(file: BundleFile) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": file.format,
        "sha256": file.sha256,
    }


def _record_set(corpus: Corpus, table: ReleaseTable) -> dict[str, object]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": corpus.say(f"passport.table.{table.name}"),
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{table.name}/{column}",
                "name": column,
                "description": corpus.column_text(table.name, column),
                "dataType": _TYPES[kind],
                **_field_links(table.name, column),
                "source": {
                    "fileObject": {"@id": f"{table.name}{_TABLE_END}"},
                    "extract": {"column": column},
                },
            }
            for column, kind in table.columns.items()
        ],
    }


def _field_links(table: str, column: str) -> dict[str, object]:
    """Return links to the documents of the release, and to the annotator of an annotation."""
    if column == "document" and table != "documents":
        return {"references": {"field": {"@id": "documents/document"}}}
    if column == "annotator":
        return {"equivalentProperty": "prov:wasAttributedTo"}
    return {}
