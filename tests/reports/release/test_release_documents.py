"""Documents of a release: every number is followed, and nothing that is not given is said."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from typing import Any

import pytest
import yaml

from accordeur.flows.release_audit import missing_required_keys
from accordeur.reports.language import LANGUAGES, Code
from accordeur.reports.release.corpus_to_release import BundleFile, Corpus
from accordeur.reports.release.documents import release_documents
from accordeur.reports.release.requirements import (
    CHECKLISTS,
    REQUIREMENTS,
    Standard,
    missing_information,
)
from accordeur.reports.results import Release, Results
from accordeur.reports.results.release import (
    AnnotationsPerItem,
    AnnotatorFacts,
    Creator,
    Demographic,
    ReleaseMetadata,
    ReleaseTable,
)
from tests.flows.releases import RELEASE
from tests.reports.release.citations import at, citations, is_shown, without_citations
from tests.reports.samples import pathological, typical

DATA = BundleFile.of("data/labels.parquet", b"not read here")


def metadata() -> ReleaseMetadata:
    import tomllib

    from pydantic import TypeAdapter

    return TypeAdapter(ReleaseMetadata).validate_python(tomllib.loads(RELEASE)["release"])


def corpus(
    given: ReleaseMetadata,
    code: Code = "en",
    results: Results | None = None,
    licence: str = "CC-BY-4.0",
) -> Corpus:
    release = Release(
        metadata=given,
        tables=[ReleaseTable(name="labels", columns={"document": "string"}, n_rows=1234)],
        annotations_per_item=[
            AnnotationsPerItem(
                layer="stance", kind="items", n_items=232, fewest=2, median=2.5, most=3
            )
        ],
        demographics=[Demographic(attribute="first language", groups={"French": 7, "": 6})],
        withheld=["age"],
        instructions_sha256="ab12" * 16,
    )
    whole = results or typical()
    campaign = whole.campaign.model_copy(update={"licence": licence})
    return Corpus(
        whole.model_copy(update={"release": release, "campaign": campaign}), (DATA,), code
    )


def texts(value: Any) -> list[str]:
    """Every text in a JSON document."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("results", [typical, pathological])
@pytest.mark.parametrize("code", LANGUAGES)
def test_each_number_is_what_stands_at_its_place(code: Code, results: Any) -> None:
    made = corpus(metadata(), code, results())
    documents = release_documents(made)
    n_followed = 0
    found: list[tuple[str, str]] = []
    for text in texts(json.loads(documents["croissant.json"])):
        found += citations(text)
    for shown, pointer in found:
        assert is_shown(at(made.json, pointer), shown, code), (shown, pointer)
        n_followed += 1
    assert n_followed > 10


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_measured_sentence_has_a_number_without_its_place(code: Code) -> None:
    made = corpus(replace(ReleaseMetadata(), limitations=("Small.",)), code)
    document = json.loads(release_documents(made)["croissant.json"])
    measured = [
        text
        for name in ("rai:dataAnnotationAnalysis", "rai:annotationsPerItem", "rai:dataLimitations")
        for text in texts(document[name])
    ]
    assert len(measured) > 10
    for text in measured:
        words = re.sub(r"\([^()]*\b\d{4}\)", "", without_citations(text))  # a year in a name
        assert not re.search(r"(?<![A-Za-zα-ω])\d", words), text


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_card_is_prose_with_the_unit_and_method_of_each_interval(code: Code) -> None:
    made = corpus(metadata(), code)
    card = release_documents(made)["README.md"].decode()
    assert "results.json#" not in card
    assert not re.search(r" \{[a-z_]+\}", card)
    assert "()" not in card  # values of results without unit and method are shown without them
    assert card.count("ab12" * 16) == 1
    for given in ("Asked by mail.", "Nothing.", "In writing.", "instructions.md"):
        assert given in card
    assert "`document` (string): " in card


def test_the_card_says_what_was_not_stated_and_how_to_measure_again() -> None:
    given = metadata()
    card = release_documents(corpus(given))["README.md"].decode()
    assert "Not stated" not in card
    assert "accordeur run measure_tables.toml" not in card  # the bundle has no such file
    silent = replace(given, annotators=AnnotatorFacts(recruitment="Asked by mail.", pay=" "))
    made = corpus(silent)
    again = replace(made, files=(*made.files, BundleFile.of("measure_tables.toml", b"")))
    card = release_documents(again)["README.md"].decode()
    assert "Not stated by the publisher: pay, consent and ethics review." in card
    assert "`accordeur run measure_tables.toml`, in this folder" in card


def test_the_card_names_each_layer_without_a_reference() -> None:
    """A reference may be built, exported by a curator (which no rule describes), or missing."""

    def named(results: Results) -> list[str]:
        card = release_documents(corpus(metadata(), results=results))["README.md"].decode()
        return re.findall(r"There is no reference for the layer “(\w+)”", card)

    whole = typical()
    layers = [one.layer for one in (*whole.items, *whole.units)]
    humans = [one for one in whole.annotators if one.role == "human"]
    alone = whole.model_copy(update={"annotators": humans, "references": [], "relations": []})
    assert named(alone) == list(dict.fromkeys(layers))
    built = whole.references[:1]
    left = [one for one in named(alone) if one != built[0].layer]
    assert named(alone.model_copy(update={"references": built})) == left
    curator = humans[0].model_copy(update={"role": "reference"})
    assert named(alone.model_copy(update={"annotators": [*humans, curator]})) == []


def test_the_card_states_version_date_gates_and_one_reference_of_two() -> None:
    whole = typical()
    built = whole.references[0]
    twice = whole.model_copy(update={"references": [built, built]})
    card = release_documents(corpus(metadata(), results=twice))["README.md"].decode()
    assert "\nVersion 1.0.0, 2026-03-04.\n" in card
    assert card.count("* Quality gate: ") == len(whole.gates) > 0
    assert f"each item of the layer “{built.layer}” (of units, each document) has one" in card
    assert card.count(f"How often the reference for the layer “{built.layer}” is wrong was") <= 1


def test_what_checklists_ask_of_authors_is_listed_by_their_question() -> None:
    lacking = missing_information(corpus(ReleaseMetadata()))
    asked = {(one.standard, one.property): one.key for one in lacking}
    assert asked[Standard.ACL, "D4: ethics review"] == "release.annotators.ethics_review"
    assert asked[Standard.NEURIPS, "14: compensation"] == "release.annotators.pay"
    assert not missing_required_keys([one for one in lacking if one.standard in CHECKLISTS])


def test_what_is_not_given_is_left_out_and_listed() -> None:
    made = corpus(ReleaseMetadata())
    documents = release_documents(made)
    croissant = json.loads(documents["croissant.json"])
    listed = {(one.standard, one.property) for one in missing_information(made)}
    for one in REQUIREMENTS:
        if one.standard.startswith("Croissant"):
            assert (one.name in croissant) != ((one.standard, one.name) in listed), one.name
    assert "CITATION.cff" not in documents  # the format requires an author
    assert json.loads(documents["missing.json"]) != []


def test_a_full_section_lacks_nothing_and_every_property_is_there() -> None:
    made = corpus(metadata())
    assert missing_information(made) == []
    croissant = json.loads(release_documents(made)["croissant.json"])
    names = {one.name for one in REQUIREMENTS if one.standard.startswith(("Croissant", "minimal"))}
    assert names - croissant.keys() == set()


def test_a_licence_that_is_no_identifier_is_not_claimed_to_be_one() -> None:
    made = corpus(metadata(), licence="CC BY 4.0")
    documents = release_documents(made)
    assert "license" not in yaml.safe_load(documents["CITATION.cff"])
    header = yaml.safe_load(documents["README.md"].decode().split("---\n")[1])
    assert (header["license"], header["license_name"]) == ("other", "CC BY 4.0")
    assert [one.key for one in missing_information(made)] == ["campaign.licence"]


def test_each_key_of_a_requirement_is_a_key_of_the_campaign_file() -> None:
    known = {f"release.{one.name}" for one in fields(ReleaseMetadata)}
    known |= {f"release.annotators.{one.name}" for one in fields(AnnotatorFacts)}
    known |= {"campaign.licence", "campaign.description"}
    assert {one.path for one in REQUIREMENTS} - known == {""}


def test_headers_are_yaml_and_hostile_names_stay_text() -> None:
    hostile = 'A "corpus": {with} # signs\nand lines'
    given = replace(metadata(), title=hostile, creators=(Creator(name="O'Neil: & Co"),))
    documents = release_documents(corpus(given))
    header = documents["README.md"].decode().split("---\n")[1]
    assert yaml.safe_load(header)["pretty_name"] == hostile
    assert yaml.safe_load(header)["size_categories"] == ["1K<n<10K"]
    cited = yaml.safe_load(documents["CITATION.cff"])
    assert cited["title"] == hostile
    assert cited["authors"] == [{"name": "O'Neil: & Co"}]


def test_the_activities_that_generated_the_release_are_asserted() -> None:
    made = corpus(metadata())
    documents = release_documents(made)
    version, given = made.results.run.version, made.metadata
    activities = json.loads(documents["croissant.json"])["prov:wasGeneratedBy"]
    collection, annotation, measurement = activities
    assert collection["description"] == given.collection
    assert annotation["description"] == given.annotation_protocol
    assert measurement["prov:wasAssociatedWith"]["name"] == "Accordeur"
    assert measurement["prov:wasAssociatedWith"]["softwareVersion"] == version
    assert {one["@type"] for one in activities} == {"prov:Activity"}
    generated = {
        (one["prov:entity"], one["prov:activity"])
        for one in json.loads(documents["prov.json"])["wasGeneratedBy"].values()
    }
    assert generated == {
        ("release:documents", "release:collection"),
        ("release:exports", "release:annotation"),
        ("release:corpus", "release:audit"),
    }
    bare = corpus(replace(given, collection="", annotation_protocol=""))
    [only] = json.loads(release_documents(bare)["croissant.json"])["prov:wasGeneratedBy"]
    assert only == measurement


def test_readers_of_provenance_and_crates_read_them(tmp_path: Any) -> None:
    from prov.model import ProvDocument
    from rocrate.rocrate import ROCrate

    for path, content in release_documents(corpus(metadata())).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / DATA.path).write_bytes(b"not read here")
    document = ProvDocument.deserialize(str(tmp_path / "prov.json"), format="json")
    assert "wasDerivedFrom(release:corpus, release:exports" in document.get_provn()
    assert "wasGeneratedBy(release:corpus, release:audit" in document.get_provn()
    crate = ROCrate(str(tmp_path))
    assert crate.name == "A published corpus"
    files = {entity.id for entity in crate.data_entities}
    assert files >= {DATA.path, "croissant.json", "prov.json", "README.md"}
