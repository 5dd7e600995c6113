"""Stage of a release audit that writes the published annotations and their campaign file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ....data.label_sets import JOINT
from ....data.store.store import Store
from ....data.untrusted.files import sha256_of_file
from ....metrics.measures import ON_LABELS, UNITS
from ....reports.release.card import TABLES_AGAIN
from ....reports.results.release import AnnotatorFacts, Release, ReleaseMetadata, ReleaseTable
from ....tasks.intake.layer_contents import Contents
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layer_results import read_results
from ....tasks.layers import LayerSpec
from ....tasks.references.release import slug
from ....tasks.release.pseudonyms import Pseudonyms, demographics_of, release_key
from ....tasks.release.release_spec import ReleaseSpec
from ....tasks.release.release_tables import (
    FOLDER,
    annotations_per_item,
    offset_units,
    write_tables,
)
from ...toml_file import toml_text
from ..file.campaign_config import Config
from ..file.declared import attributes_of_annotators
from ..file.measure_keys import UNNAMED_RELATIONS
from ..run import Run
from .references_and_scores import reference_settings

_TABLES = ("labels", "units", "relations")
_SETTINGS = {"items", "units", "chance", "intervals", "resampling", "relations", "layers", "seed"}
_OF_ANNOTATORS_OR_TEXTS = {"items": {"groups"}, "units": {"trim"}}
_STORE = "../measured_"  # beside the bundle, which would not be verified with additional files


def publish_annotations(
    run: Run,
    shards: Sequence[ValidatedShard],
    layers: Sequence[LayerSpec],
    found: Contents,
    summaries: Sequence[str],
) -> Release:
    """Write the tables of the release beside the report, and describe them.

    Runs in this process, the only one that reads the secret of the pseudonyms. Without a section
    [release], nothing is written.
    """
    config = run.config
    metadata = config.release
    if metadata is None:
        return Release(has_campaign_file=not config.hides_annotators)
    store = Store(run.store_url)
    keys = [shard.key for shard in shards]
    contents = [read_results(store, path) for path in summaries]
    humans = [name for name, role in found.roles.items() if role == "human"]
    pseudonyms = {one.pseudonym for one in config.annotators.values()}
    spec = ReleaseSpec(
        keys=keys,
        layers=layers,
        relations={name: name or UNNAMED_RELATIONS for name in found.relations},
        humans=humans,
        references=[
            (reference.layer, reference.rule, one.place)
            for one in contents
            if one.place
            for reference in one.references
        ],
        settings=reference_settings(config, store),
        metadata=metadata,
        pseudonyms=Pseudonyms(release_key(store, metadata.pseudonym_key), metadata.version),
        is_private=config.campaign.privacy,
    )
    instructions = metadata.annotators.instructions
    with run.stage("release data", 1):
        tables = write_tables(store, spec, f"{run.request.folder}/{FOLDER}")
        if again := published_campaign(config, tables, layers, offset_units(store, keys)):
            store.write_bytes(f"{run.request.folder}/{TABLES_AGAIN}", again.encode())
        groups, withheld = demographics_of(
            _attributes_of(humans, metadata.demographics, attributes_of_annotators(config)),
            metadata.minimum_group,
        )
        return Release(
            metadata=replace(metadata, pseudonym_key="", annotators=_without_folder(metadata)),
            instructions_sha256=sha256_of_file(instructions) if instructions else "",
            tables=tables,
            annotations_per_item=annotations_per_item(store, keys, layers),
            demographics=groups,
            withheld=withheld,
            hides_annotators=not set(humans) - pseudonyms,
            has_campaign_file=not config.hides_annotators,
        )


def _without_folder(metadata: ReleaseMetadata) -> AnnotatorFacts:
    """Return the facts with the name of the file of instructions, as its folder is private."""
    named = Path(metadata.annotators.instructions).name
    return replace(metadata.annotators, instructions=named)


def _attributes_of(
    annotators: Sequence[str], chosen: Sequence[str], known: Mapping[str, Mapping[str, str]]
) -> list[dict[str, str]]:
    """Return the known values of the chosen attributes for each annotator."""
    return [
        {name: known[name][one] for name in chosen if one in known.get(name, {})}
        for one in annotators
    ]


def published_campaign(
    config: Config,
    tables: Sequence[ReleaseTable],
    layers: Sequence[LayerSpec],
    units: Collection[str],
) -> str:
    """Return the campaign file in TOML, or "" if the tables alone cannot give the same values.

    Readers without the exports run it: `accordeur run release/measure_tables.toml`. It has neither
    names of annotators nor sources besides the tables, and leaves out what needs texts or roles
    other than `human`. The tables do not suffice if a distance needs texts, if labels were chosen
    because they were informative, or if bounds count several things.

    units  what the bounds of the documents count
    """
    published = [table.name for table in tables if table.name in _TABLES]
    needs_texts = any(layer.of_texts for layer in config.layers.values())
    if not published or len(units) > 1 or needs_texts or any(layer.adaptive for layer in layers):
        return ""
    settings = config.model_dump(
        mode="json", exclude_defaults=True, include=_SETTINGS, exclude=_OF_ANNOTATORS_OR_TEXTS
    )
    separator = {"separator": JOINT} if any(layer.sets for layer in layers) else {}
    counted = {"offset_unit": "".join(units)} if units else {}
    of_table = {"labels": separator, "units": counted}
    sources = [
        {"path": f"{FOLDER}/{name}.parquet", "format": "table"}
        | ({"options": of_table[name]} if of_table.get(name) else {})
        for name in published
    ]
    gates = [
        gate.model_dump(mode="json", exclude_defaults=True, exclude={"owner"})
        for gate in config.gates
        if gate.of is None
        and gate.not_below is None
        and gate.measure in {*ON_LABELS, *UNITS}
        and gate.over == "campaign"
    ]
    named = config.campaign.name, config.release.version if config.release else ""
    values = {
        "seed": config.seed,
        "campaign": {"name": config.campaign.name},
        "sources": sources,
        **settings,
        "reading_grid": {"trials": 0},  # simulated, not measured
        "store": {"url": _STORE + slug(" ".join(named).strip())},
    }
    return toml_text(values | ({"gates": gates} if gates else {}))
