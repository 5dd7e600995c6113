"""What `privacy = true` demands of a campaign file: pseudonyms, and no name in a text of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from ....data.intake.hiding import pattern_of_names
from .sources import JUDGE_FACTS

if TYPE_CHECKING:
    from .campaign_config import Config


def require_privacy(config: Config) -> None:
    """Raise ValueError where a file with `privacy = true` names a person or stores texts."""
    if not config.campaign.privacy:
        return
    texts = [f"layers.{name}.distance" for name, one in config.layers.items() if one.of_texts]
    if needs := texts or ["units.trim"] * config.units.trim:
        raise ValueError(f"privacy = true stores no texts: remove {needs[0]}, which needs them")
    people = [one for one in config.annotators.values() if one.role != "system"]
    n_named = sum(not one.pseudonym for one in people)
    if not people or n_named:
        raise ValueError(
            "privacy = true: every human and reference annotator needs a pseudonym in "
            f"[annotators], and {n_named or 'none'} of {len(people)} "
            f"{'lack one' if n_named else 'are declared'}"
        )
    if config.validation.undeclared_annotators != "reject":
        raise ValueError(
            "privacy = true: validation.undeclared_annotators must be 'reject', as only "
            "declared annotators have pseudonyms"
        )
    names = pattern_of_names(name for name, one in config.annotators.items() if one.pseudonym)
    for key, text in _own_texts(config):
        if names is not None and names.search(text):
            raise ValueError(f"privacy = true: {key} contains the name of an annotator; reword it")


def _own_texts(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the texts that the campaign file contributes to the report, with their keys."""
    for key, value in config.campaign.model_dump().items():
        texts = value.items() if isinstance(value, dict) else [(key, value)]
        yield from (("campaign", f"{name} {text}") for name, text in texts)
    for name, who in config.annotators.items():
        yield "a pseudonym in [annotators]", who.pseudonym or ""
        yield "an attribute in [annotators]", " ".join(who.attributes.values())
        for key in JUDGE_FACTS:
            yield f"{key} in [annotators]", getattr(who, key)
        if who.role == "system":
            yield "a system in [annotators]", name
    for k, source in enumerate(config.sources):
        yield f"sources[{k}].batch", source.batch
        yield from ((f"sources[{k}].layer_names", name) for name in source.layer_names.values())
    for name, batch in config.batches.items():
        yield "batches", f"{name} {batch.guideline}"
    for k, one in enumerate(config.expectations):
        yield f"expectations[{k}]", f"{one.description} {one.arguments}"
    if config.release is not None:
        yield "release", str(asdict(config.release))
    yield from ((f"notes[{k}]", note.text) for k, note in enumerate(config.notes))
    for layer in config.layers.values():
        yield from (("universes of a layer", name) for name in layer.universes)
