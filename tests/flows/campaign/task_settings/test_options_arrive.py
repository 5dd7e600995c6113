"""Every option of the campaign file on measures changes the settings that its tasks receive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from pydantic import ValidationError

from accordeur.data.store.store import Store
from accordeur.flows.campaign.file.campaign_config import Config
from accordeur.flows.campaign.stages.references_and_scores import reference_settings
from accordeur.flows.campaign.stages.relations import relation_specs
from accordeur.flows.campaign.task_settings import settings_of_tasks as plan
from accordeur.flows.campaign.task_settings.layers_of_campaign import layer_contents, layer_specs
from accordeur.tasks.intake.shards import ShardFacts
from accordeur.tasks.next_round.choose import round_limits

BASE: dict[str, Any] = {
    "campaign": {"name": "c"},
    "sources": [{"path": "x"}],
    "annotators": {"anna": {}, "ben": {}, "sys": {"role": "system"}},
    "layers": {"stance": {"categories": ["a", "b"]}, "events": {"categories": ["A", "B"]}},
    "relations": {"links": {}},
    "units": {"measures": ["gamma", "pairwise_f"]},
    "reading_grid": {},
    "reference": {},
    "replacement": {},
    "estimate": {},
    "judges": {},
}
FACTS = ShardFacts(
    key="",
    label_layers={"stance": {who: {"a": 3, "b": 2} for who in ("anna", "ben", "sys")}},
    unit_layers={"events": {"anna": {"A": 2, "B": 2}}},
    unit_lengths={"events": {"anna": [4, 12]}},
    relation_layers={"links": {"anna": {"Equiv": 1, "Cause": 1}, "ben": {"Cause": 1}}},
    roles={"anna": ["human"], "ben": ["human"], "sys": ["system"]},
    taking_part={layer: dict.fromkeys(("anna", "ben", "sys"), 1) for layer in ("stance", "events")},
)
SECTIONS = (
    "items", "units", "chance", "intervals", "resampling", "reading_grid", "reference",
    "replacement", "groups", "estimate", "judges",
)  # fmt: skip
TOGETHER: dict[str, dict[str, Any]] = {  # options that need another one, or a certain form
    "items.measures": {"measures": ["fleiss_kappa"]},
    "items.groups": {"groups": {"one": ["anna"], "other": ["ben"]}},
    "units.measures": {"measures": ["holistic"]},
    "units.alignments_shown": {"alignments_shown": 30},  # at least a drawing for each page
    "reading_grid.measures": {"measures": ["alpha_u"]},
    "reading_grid.magnitudes": {"magnitudes": [0.0, 0.5]},
    "reading_grid.shifts": {"shifts": [0.0, 0.5]},
    "resampling.reliability": {"reliability": "krippendorff_alpha"},
    "reference.annotator": {"rule": "annotator", "annotator": "anna"},
    "reference.gold": {"rule": "consensus", "gold": "ben"},
    "replacement.positions": {"positions": ["a", "b"]},
    "replacement.earlier": {"earlier": {"sys": "old"}},
    "judges.positions": {"positions": ["a", "b"]},
    "judges.earlier": {"earlier": {"sys": "old"}},
    "judges.bars": {"bars": [{"measure": "recall", "at_least": 0.9}]},
    "estimate.measures": {"measures": ["mean"]},
}
OF_THE_RUN = {  # read by the run itself: which layers are judged, and files of the user
    "replacement.layers", "replacement.lengths", "reference.decisions", "groups.attributes",
    "estimate.layers", "estimate.audit", "judges.layers", "judges.lengths", "judges.confidence",
    "judges.bars", "judges.by",
}  # fmt: skip


def handed(config: Config, folder: Path) -> dict[str, object]:
    """The settings of every kind of task."""
    found = layer_contents(config, [FACTS])
    layers = layer_specs(config, found)
    assert config.replacement is not None
    assert config.estimate is not None
    assert config.judges is not None
    return {
        "sources": plan.source_specs(config),
        "validation": plan.validation_spec(config),
        "layers": layers,
        "items": plan.item_settings(config, "stance"),
        "dissimilarity": plan.dissimilarity_spec(config, "events", found),
        "units": plan.unit_settings(config),
        "gamma": plan.gamma_settings(config),
        "grid": plan.grid_settings(config),
        "relations": relation_specs(config, layers, found),
        "relation values": plan.relation_settings(config),
        "scores": plan.scoring_settings(config),
        "reference": reference_settings(config, Store(str(folder))),
        "replacement": plan.replacement_settings(config, config.replacement),
        "estimate": plan.estimate_options(config.estimate),
        "judges": plan.judge_settings(config, config.judges),
        "next round": round_limits(config.next, config.seed),
    }


def of_section(section: Any) -> Iterator[tuple[str, Any, Any]]:
    """Each option of a section with its type and its default."""
    if is_dataclass(section):
        hints = get_type_hints(type(section))
        for one in fields(section):
            yield one.name, hints[one.name], getattr(section, one.name)
        return
    for name, field in type(section).model_fields.items():
        yield name, field.annotation, getattr(section, name)


def other_values(kind: Any, default: Any) -> Iterator[Any]:
    """Values that an option of this kind may have instead of its default."""
    for part in (kind, *get_args(kind)):
        if get_origin(part) is Literal:
            yield from (choice for choice in get_args(part) if choice != default)
            yield from ([choice] for choice in get_args(part))
    if isinstance(default, bool):
        yield not default
    elif isinstance(default, int | float):
        yield from (default + 1, default / 2, default / 2 + 0.5)
    yield from ("x", 3, 0.3, ["x"], {"x": "x"}, {"x": 1.0})


def changed(section: str, name: str, kind: Any, default: Any) -> Config:
    """The campaign with another value of one option."""
    given = TOGETHER.get(f"{section}.{name}")
    for options in [given] if given else ({name: one} for one in other_values(kind, default)):
        try:
            return Config.model_validate({**BASE, section: {**BASE.get(section, {}), **options}})
        except ValidationError:
            continue
    raise AssertionError(f"{section}.{name}: no other value is accepted")


@pytest.mark.parametrize("section", SECTIONS)
def test_every_option_of_a_section_changes_the_settings_of_a_task(
    section: str, tmp_path: Path
) -> None:
    base = Config.model_validate(BASE)
    before = handed(base, tmp_path)
    lost = []
    for name, kind, default in of_section(getattr(base, section)):
        if f"{section}.{name}" not in OF_THE_RUN:
            after = handed(changed(section, name, kind, default), tmp_path)
            lost += [] if after != before else [name]
    assert lost == []


@pytest.mark.parametrize(
    ("key", "given", "where"),
    [
        ("seed", 7, {"items", "gamma", "grid", "relation values", "scores", "reference",
                     "replacement", "next round"}),
        ("report", {"period": "year"}, {"items", "units", "relation values"}),
        ("report", {"document_pages": 50}, {"units"}),
        ("campaign", {"name": "c", "description": "another text"}, set()),
        ("intervals", {"interval": "annotators"}, {"items", "units"}),
        (
            "intervals",
            {"confidence_level": 0.9},
            {"items", "gamma", "relation values", "scores", "reference"},
        ),
        ("next", {"random_depth": 3}, {"next round"}),
        ("next", {"per_item": 3}, {"next round"}),
        ("next", {"random_share": 0.3}, {"next round"}),
        ("next", {"per_annotator": 3}, {"next round"}),
        ("relations", {"links": {"directed": False}}, {"relations"}),
        ("relations", {"links": {"chains": ["Cause"]}}, {"relations"}),
        (
            "layers",
            {**BASE["layers"], "stance": {"categories": ["a", "b"], "null": "a"}},
            {"items"},
        ),
    ],
)  # fmt: skip
def test_an_option_changes_the_settings_of_its_tasks_and_of_no_other(
    key: str, given: Any, where: set[str], tmp_path: Path
) -> None:
    before = handed(Config.model_validate(BASE), tmp_path)
    after = handed(Config.model_validate({**BASE, key: given}), tmp_path)
    assert {name for name in before if before[name] != after[name]} - {"layers"} == where


def test_privacy_is_no_setting_of_agreement(tmp_path: Path) -> None:
    people = {name: {"pseudonym": f"p{k}"} for k, name in enumerate(("anna", "ben"))} | {
        "sys": {"role": "system"}
    }
    shown = Config.model_validate({**BASE, "annotators": people})
    private = Config.model_validate(
        {**BASE, "annotators": people, "campaign": {"name": "c", "privacy": True}}
    )
    before, after = handed(shown, tmp_path), handed(private, tmp_path)
    differing = {name for name in before if before[name] != after[name]}
    assert differing == {"sources", "validation", "reference"}


@pytest.mark.parametrize(
    "option",
    [
        {"annotator": "anna"}, {"role": "human"}, {"batch": "b"}, {"batch_pattern": "(b)"},
        {"layers": ["stance"]}, {"layer_names": {"a": "b"}}, {"options": {"a": "b"}},
        {"format": "csv"},
    ],
)  # fmt: skip
def test_every_option_of_a_source_reaches_the_reader(option: dict[str, Any]) -> None:
    given = Config.model_validate({**BASE, "sources": [{"path": "x", **option}]})
    [plain], [source] = plan.source_specs(Config.model_validate(BASE)), plan.source_specs(given)
    assert plain != source
