"""The campaign file: TOML, read once, validated as a whole, passed on as plain values.

Errors name the key, the value and what is allowed. `accordeur schema campaign` prints the JSON
schema, with which editors complete and check the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from ....data.intake.hiding import pattern_of_names
from ....metrics.measures import unweighted_name
from ....metrics.options import Chance, Sampling
from ....metrics.validity_separation import is_chance_corrected
from ....reports.results.release import REDISTRIBUTABLE, ReleaseMetadata
from ....tasks.options import MistakeOptions, NextOptions
from ...schedule.notify_config import Notify
from ...shared_sections import StoreSection
from ...toml_file import ConfigError, Section, read_toml
from .measure_keys import (
    CampaignIntervals,
    CampaignResampling,
    Estimate,
    Groups,
    Items,
    Judges,
    Ranking,
    ReadingGrid,
    Reference,
    RelationLayer,
    Replacement,
    Units,
)
from .paths import path_from
from .run_sections import (
    CampaignEngine,
    CampaignReport,
    CampaignSection,
    Expectation,
    Expected,
    Gate,
    Note,
    Trigger,
    Validation,
)
from .sources import JUDGE_FACTS, Annotator, Batch, Layer, Source


class Config(Section):
    """A whole campaign file."""

    campaign: CampaignSection
    sources: tuple[Source, ...] = Field(
        min_length=1, description="the exports: one [[sources]] each"
    )
    annotators: dict[str, Annotator] = Field(
        default_factory=dict,
        description="name in the exports → role and pseudonym of the annotator",
    )
    layers: dict[str, Layer] = Field(
        default_factory=dict, description="name → categories and distance of the layer"
    )
    batches: dict[str, Batch] = Field(
        default_factory=dict, description="name → guideline version of the batch of documents"
    )
    items: Items = Items()
    units: Units = Units()
    chance: Chance = Chance()
    intervals: CampaignIntervals = CampaignIntervals()
    resampling: CampaignResampling = CampaignResampling()
    relations: dict[str, RelationLayer] = Field(
        default_factory=dict, description="layer of relations → how it is compared"
    )
    reading_grid: ReadingGrid | None = Field(
        None,
        description="without this section, γ is read off a small simulated campaign only; an "
        "empty section uses the defaults; trials = 0: no reading",
    )
    reference: Reference | None = Field(
        None, description="without this section, no reference is built from the annotations"
    )
    groups: Groups = Groups()
    mistakes: MistakeOptions = MistakeOptions()
    replacement: Replacement | None = Field(
        None, description="without this section, no system is judged as a replacement"
    )
    judges: Judges | None = Field(
        None, description="without this section, no system is checked as a judge"
    )
    ranking: Ranking | None = Field(
        None, description="without this section, no systems are ranked from preferences"
    )
    estimate: Estimate | None = Field(
        None, description="without this section, nothing is estimated about the whole corpus"
    )
    release: ReleaseMetadata | None = Field(
        None,
        description="without this section, `accordeur audit` publishes no annotations and writes "
        "no metadata of data repositories",
    )
    next: NextOptions = NextOptions()
    gates: tuple[Gate, ...] = Field((), description="conditions that the run must meet: [[gates]]")
    expect: tuple[Expected, ...] = Field(
        (), description="work that is expected to arrive: [[expect]]"
    )
    notes: tuple[Note, ...] = Field(
        (), description="events of the campaign, marked on axes of dates: [[notes]]"
    )
    validation: Validation = Validation()
    expectations: tuple[Expectation, ...] = Field(
        (), description="additional validation rules: [[expectations]]"
    )
    engine: CampaignEngine = CampaignEngine()
    store: StoreSection = StoreSection()
    report: CampaignReport = CampaignReport()
    notify: Notify = Notify()
    trigger: Trigger = Trigger()
    seed: int = Field(0, ge=0, description="seed of all random draws")

    @property
    def sampling(self) -> Sampling:
        """How the campaign's intervals are computed."""
        return Sampling(self.intervals.replicates, self.intervals.confidence_level, self.seed)

    @property
    def hides_annotators(self) -> bool:
        """Whether this file contains data to be kept private, such as names behind pseudonyms."""
        return self.campaign.privacy or any(who.pseudonym for who in self.annotators.values())

    @property
    def declares_annotators(self) -> bool:
        """Whether only annotators who are in this file are measured.

        A human with a role or a pseudonym, or an empty entry, says who may annotate. A fact such as
        `left = true` does not, and neither does the role of a system, a reference or an audit.
        """
        says_who = any(
            not {"left", "attributes"} & fields or {"role", "pseudonym"} & fields
            for fields in (
                who.model_fields_set for who in self.annotators.values() if who.role == "human"
            )
        )
        is_closed = self.campaign.privacy or says_who
        return is_closed and self.validation.undeclared_annotators == "reject"

    @property
    def item_measures(self) -> tuple[str, ...]:
        """Coefficients on items, and ICCs, named in [items] and in gates."""
        from ....metrics.measures import ON_LABELS

        return self._add_gate_measures(self.items.measures, ON_LABELS)

    def measures_of(self, layer: str) -> tuple[str, ...]:
        """`item_measures` of a layer: without a distance, weighted ones under unweighted names."""
        if self._weighs(layer):
            return self.item_measures
        return tuple(dict.fromkeys(unweighted_name(name) for name in self.item_measures))

    def reliability_of(self, layer: str) -> str | None:
        """Return the coefficient of k-rater reliability, under the name that it has in a layer."""
        asked = self.resampling.reliability
        return asked if asked is None or self._weighs(layer) else unweighted_name(asked)

    def _weighs(self, layer: str) -> bool:
        """Whether a layer declares a distance between its categories."""
        declared = self.layers.get(layer, Layer())
        return bool(declared.distances) or declared.distance_name != "nominal"

    @property
    def unit_measures(self) -> tuple[str, ...]:
        """Measures on units named in [units] and in gates."""
        from ....metrics.measures import UNITS, unit_value_names

        given = unit_value_names(self.units.measures)
        of_gates = [name for name in UNITS if name not in given]
        return self._add_gate_measures(self.units.measures, of_gates)

    def _add_gate_measures(
        self, measures: tuple[str, ...], names: Collection[str]
    ) -> tuple[str, ...]:
        of_gates = [gate.measure for gate in self.gates if gate.measure in names]
        return tuple(dict.fromkeys((*measures, *of_gates)))

    def shown_as(self, annotator: str) -> str:
        """Return the pseudonym of an annotator, or the name if there is none."""
        known = self.annotators.get(annotator)
        return (known and known.pseudonym) or annotator

    @property
    def names_in_exports(self) -> dict[str, str]:
        """Pseudonym → name in the exports, the inverse of `shown_as` where these differ."""
        return {who.pseudonym: name for name, who in self.annotators.items() if who.pseudonym}

    @model_validator(mode="after")
    def _privacy_names_nobody(self) -> Config:
        if not self.campaign.privacy:
            return self
        texts = [f"layers.{name}.distance" for name, one in self.layers.items() if one.of_texts]
        if needs := texts or ["units.trim"] * self.units.trim:
            raise ValueError(f"privacy = true stores no texts: remove {needs[0]}, which needs them")
        people = [
            (k, one) for k, one in enumerate(self.annotators.values(), 1) if one.role != "system"
        ]
        lacking = [f"number {k}, {one.role}" for k, one in people if not one.pseudonym]
        if not people or lacking:
            which = f" ({'; '.join(lacking[:5])}{'; …' * (len(lacking) > 5)})" * bool(lacking)
            raise ValueError(
                "privacy = true: every annotator who is not a system needs a pseudonym in "
                f"[annotators], and {len(lacking) or 'none'} of {len(people)} "
                f"{'lack one' if lacking else 'are declared'}{which}"
            )
        if self.validation.undeclared_annotators != "reject":
            raise ValueError(
                "privacy = true: validation.undeclared_annotators must be 'reject', as only "
                "declared annotators have pseudonyms"
            )
        names = pattern_of_names(name for name, one in self.annotators.items() if one.pseudonym)
        for key, text in self._own_texts():
            if names is not None and names.search(text):
                raise ValueError(
                    f"privacy = true: {key} contains the name of an annotator; reword it"
                )
        return self

    def _own_texts(self) -> Iterator[tuple[str, str]]:
        """Yield the texts that the campaign file contributes to the report, with their keys."""
        for key, value in self.campaign.model_dump().items():
            texts = value.items() if isinstance(value, dict) else [(key, value)]
            yield from (("campaign", f"{name} {text}") for name, text in texts)
        for name, who in self.annotators.items():
            yield "a pseudonym in [annotators]", who.pseudonym or ""
            yield "an attribute in [annotators]", " ".join(who.attributes.values())
            for key in JUDGE_FACTS:
                yield f"{key} in [annotators]", getattr(who, key)
            if who.role == "system":
                yield "a system in [annotators]", name
        for k, source in enumerate(self.sources):
            yield f"sources[{k}].batch", source.batch
            yield from ((f"sources[{k}].layer_names", name) for name in source.layer_names.values())
        for name, batch in self.batches.items():
            yield "batches", f"{name} {batch.guideline}"
        for k, one in enumerate(self.expectations):
            yield f"expectations[{k}]", f"{one.description} {one.arguments}"
        for key in ("gates", "expect"):
            yield from (
                (f"{key}[{k}].owner", one.owner) for k, one in enumerate(getattr(self, key))
            )
        if self.release is not None:
            yield from ((f"release.{key}", str(one)) for key, one in asdict(self.release).items())
        yield from ((f"notes[{k}]", note.text) for k, note in enumerate(self.notes))
        for layer in self.layers.values():
            yield from (("universes of a layer", name) for name in layer.universes)

    @model_validator(mode="after")
    def _deliveries_have_one_order(self) -> Config:
        kinds = {type(one.delivery) for one in self.sources if one.delivery is not None}
        if len(kinds) > 1:
            raise ValueError(
                "sources: delivery is a number in one source and a date in another, which have no "
                "order: give numbers to all, or dates"
            )
        return self

    @model_validator(mode="after")
    def _texts_may_be_published(self) -> Config:
        if self.release is None or not self.release.texts:
            return self
        if self.campaign.privacy:
            raise ValueError("privacy = true publishes no texts: remove release.texts")
        licence = self.release.text_licence or self.campaign.licence
        if not REDISTRIBUTABLE.fullmatch(licence):
            raise ValueError(
                f"release.texts: the licence {licence!r} is not known to allow redistribution: "
                "give release.text_licence as the SPDX identifier of one that does, such as "
                "CC-BY-4.0, or remove texts"
            )
        return self

    @model_validator(mode="after")
    def _weighted_measures_have_a_distance(self) -> Config:
        from ....metrics.agreement.distance_checks import require_distance

        if not any(map(self._weighs, self.layers)):
            asked = (*self.item_measures, self.resampling.reliability or "")
            require_distance(asked, declare="[layers.<name>] distance")
        for gate in self.gates:
            if gate.layer is not None and not self._weighs(gate.layer):
                require_distance((gate.measure,), declare=f"[layers.{gate.layer}] distance")
        return self

    @model_validator(mode="after")
    def _no_coefficient_of_a_system(self) -> Config:
        systems = {
            shown
            for name, who in self.annotators.items()
            if who.role == "system"
            for shown in (name, who.pseudonym or name)
        }
        for gate in self.gates:
            if gate.of in systems and is_chance_corrected(gate.measure):
                raise ValueError(
                    f"gates: {gate.measure} of {gate.of!r}, which is a system: no coefficient of "
                    "agreement is computed with a system. Put the gate on advantage, with a "
                    "section [replacement] (`accordeur replace`), or on a score, or state a bar in "
                    "[[judges.bars]]"
                )
        return self

    @model_validator(mode="after")
    def _pseudonyms_are_apart(self) -> Config:
        shown = [who.pseudonym or name for name, who in self.annotators.items()]
        for name in shown:
            if shown.count(name) > 1:
                raise ValueError(f"two annotators would both be shown as {name!r}")
        return self


def load_campaign(path: Path) -> Config:
    """Read a campaign file; its paths are resolved relative to its folder.

    Raises ConfigError with one line per mistake.
    """
    given_config = read_toml(path, Config)
    config = _with_paths_from(path.resolve().parent, given_config)
    given = config.release and config.release.annotators.instructions
    if given and Path(given).resolve() == path.resolve():
        raise ConfigError(
            f"{path}: release.annotators.instructions: this is the campaign file: give the file of "
            "the instructions that the annotators read, or remove the key"
        )
    return config


def _with_paths_from(folder: Path, config: Config) -> Config:
    """Make every path absolute; URLs, "" and None are unchanged."""

    def anchored(path: str | None) -> str | None:
        return path and path_from(folder, path)

    def paths_in(section: Any, *keys: str) -> Any:
        return section and replace(section, **{k: anchored(getattr(section, k)) for k in keys})

    return config.model_copy(
        update={
            "sources": tuple(
                one.model_copy(update={"path": anchored(one.path)}) for one in config.sources
            ),
            "store": config.store.model_copy(update={"url": anchored(config.store.url)}),
            "report": config.report.model_copy(update={"index": anchored(config.report.index)}),
            "annotators": {
                name: one.model_copy(update={"distributions": anchored(one.distributions)})
                for name, one in config.annotators.items()
            },
            "groups": paths_in(config.groups, "attributes"),
            "reference": paths_in(config.reference, "decisions"),
            "mistakes": paths_in(config.mistakes, "judgments", "audited"),
            "replacement": paths_in(config.replacement, "lengths"),
            "judges": paths_in(config.judges, "lengths", "confidence", "by"),
            "ranking": paths_in(config.ranking, "preferences"),
            "release": config.release
            and replace(
                paths_in(config.release, "pseudonym_key"),
                annotators=paths_in(config.release.annotators, "instructions"),
            ),
            "layers": {name: one.with_paths_from(folder) for name, one in config.layers.items()},
        }
    )
