"""Checks of the campaign's [reference] section and its decisions, as in a run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ...data.errors import DataError
from ...metrics.errors import MetricsError
from ...metrics.references.adjudication import require_valid_decision
from ...tasks.intake.layer_contents import OF_SCORES, Contents
from ...tasks.references.decided_cases import place_of
from ...tasks.wording import counted
from ..campaign.file.campaign_config import Config
from ..campaign.file.reference import decisions_declared, require_reference
from ..campaign.task_settings.layers_of_campaign import layer_spec
from ..toml_file import ConfigError
from .layer_findings import LayerFound


def reference_errors(
    config: Config, contents: Contents, layers: Sequence[LayerFound]
) -> Iterator[str]:
    """Yield errors that would stop a run: the first error of the file, else invalid decisions."""
    pseudonyms = {name: who.pseudonym or name for name, who in config.annotators.items()}
    of_decisions = {layer.name: layer for layer in layers if layer.kind != "relations"}
    humans_of = {
        name: [pseudonyms.get(who, who) for who in layer.humans]
        for name, layer in of_decisions.items()
    }
    try:
        require_reference(config, humans_of)
    except (ConfigError, DataError) as error:
        yield str(error)
        return
    tagsets: dict[str, tuple[str, ...]] = {}
    for name, decision in decisions_declared(config):
        try:
            if name not in tagsets:
                kind = of_decisions[name].kind
                found = contents.layer(name, is_items=kind == "items")
                tagsets[name] = layer_spec(found, kind, config, OF_SCORES).tagset
            require_valid_decision(decision, tagsets[name], called=place_of(decision))
        except ConfigError:
            continue  # no order is declared, which is reported for the layer
        except MetricsError as error:
            yield f"{error}; a run stops here while the disagreement exists"


def inapplicable_decisions(config: Config, documents: Collection[str]) -> Iterator[str]:
    """Yield a warning about decisions on disagreements that no longer exist."""
    try:
        declared = decisions_declared(config)
    except DataError:
        return  # reported as an error that stops the run
    gone = [one for one in declared if one[1].document not in documents]
    if gone:
        name, decision = gone[0]
        yield (
            f"{counted(len(gone), 'decision')} on documents that no export holds, "
            f"the first on {place_of(decision)} in layer {name}: not applied"
        )
