"""Campaign file in a bundle: the settings under which its published tables give its values again.

Readers without the exports run it: `accordeur run release/measure_tables.toml`. It has neither
names of annotators nor sources besides the tables, and leaves out what needs texts or roles other
than `human`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ....data.label_sets import JOINT
from ....metrics.measures import ON_LABELS, UNITS
from ....reports.results.release import ReleaseTable
from ....tasks.layers import LayerSpec
from ....tasks.references.release import slug
from ....tasks.release.release_tables import FOLDER
from ...toml_file import toml_text
from ..file.campaign_config import Config

_TABLES = ("labels", "units", "relations")
_SETTINGS = {"items", "units", "chance", "intervals", "resampling", "relations", "layers", "seed"}
_OF_ANNOTATORS_OR_TEXTS = {"items": {"groups"}, "units": {"trim"}}
_STORE = "../measured_"  # beside the bundle, which would not be verified with additional files


def published_campaign(
    config: Config,
    tables: Sequence[ReleaseTable],
    layers: Sequence[LayerSpec],
    units: Collection[str],
) -> str:
    """Return the campaign file in TOML, or "" if the tables alone cannot give the same values.

    That is so if a distance needs texts, if labels were chosen because they were informative, or
    if bounds count several things.

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
