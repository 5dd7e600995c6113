"""A measure name that a command or a report prints may be asked for, by the name as printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.flows.campaign.file.campaign_config import Config, load_campaign
from accordeur.flows.commands.score import as_json
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics import measures
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.tasks.inputs.assessment_options import ScoreOptions
from accordeur.tasks.inputs.measure_names import GATES, require_scores
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.unit_options import GammaOptions
from accordeur.tasks.scores.score_exports import score_exports
from accordeur.tasks.units.gamma_of_exports import gamma
from tests.flows.command_line import accordeur

UNIT_ROWS = [
    f"d{d},{who},{10 * u + moved * (u % 3)},{10 * u + 8},{'XY'[(u + d * moved) % 2]}"
    for d in range(4)
    for moved, who in enumerate(("anna", "ben"))
    for u in range(4)
]
SCALE = '[layers.severity]\ndistance = "interval"\n'
CAMPAIGN = '[campaign]\nname = "x"\n[[sources]]\npath = "."\n'


def units_file(folder: Path) -> Path:
    path = folder / "units.csv"
    path.write_text(
        "\n".join(["document,annotator,start,end,category", *UNIT_ROWS]) + "\n", encoding="utf-8"
    )
    return path


def config_of(folder: Path, more: str) -> Config:
    path = folder / "campaign.toml"
    path.write_text(CAMPAIGN + more, encoding="utf-8")
    return load_campaign(path)


@pytest.mark.parametrize("measure", measures.UNITS)
def test_every_measure_on_units_is_computed_by_its_name(tmp_path: Path, measure: str) -> None:
    asked = GammaOptions(measure=measure, precision=0.2, replicates=20)
    found = gamma([units_file(tmp_path)], Reading(), asked).estimates
    names = {one.measure for one in found}
    assert measure in names
    assert names <= {*measures.MEASURES[measure].gives, "gamma_cat"}
    assert all(one.value <= 1 for one in found if not one.reason)
    assert names <= set(measures.UNITS)


@pytest.mark.parametrize("measure", GATES)
def test_every_name_of_a_run_is_accepted_by_a_gate_and_computed(
    tmp_path: Path, measure: str
) -> None:
    config = config_of(tmp_path, SCALE + f'[[gates]]\nmeasure = "{measure}"\nat_least = 0.1\n')
    computed = (*config.item_measures, *measures.unit_value_names(config.unit_measures))
    if measure in (*measures.ITEMS, *measures.UNITS):
        assert measure in computed


@pytest.mark.parametrize(
    ("section", "measure"),
    [("items", name) for name in measures.ITEMS] + [("units", name) for name in measures.UNITS],
)
def test_every_name_is_accepted_by_its_section(tmp_path: Path, section: str, measure: str) -> None:
    config = config_of(tmp_path, SCALE + f'[{section}]\nmeasures = ["{measure}"]\n')
    assert getattr(config, section).measures == (measure,)


@pytest.mark.parametrize("measure", [*measures.SCORES, *measures.GROUPS_OF_SCORES])
def test_every_name_of_a_score_is_accepted(measure: str) -> None:
    require_scores([measure])


@pytest.mark.long
def test_the_scores_of_units_are_printed_under_names_that_are_accepted(tmp_path: Path) -> None:
    sides = []
    for name in ("anna", "ben"):
        path = tmp_path / f"{name}.csv"
        rows = [row for row in UNIT_ROWS if f",{name}," in row]
        path.write_text("\n".join(["document,annotator,start,end,category", *rows]), "utf-8")
        sides.append(str(path))
    whole = whole_values(sides, ())
    assert {"exact_macro_f", "type_recall", "weighted_slot_error_rate"} <= set(whole)
    assert set(whole) <= set(measures.SCORES)
    for name, value in whole.items():
        assert whole_values(sides, (name,))[name] == value


def whole_values(sides: list[str], measures: tuple[str, ...]) -> dict[str, float]:
    found = score_exports(
        sides[0], sides[1:], options=ScoreOptions(measures=measures, replicates=0)
    )
    return {one.measure: one.value for _, category, one in found.evaluation.rows() if not category}


def test_the_parts_of_the_diarization_error_rate_can_be_asked_for(tmp_path: Path) -> None:
    line = "SPEAKER talk 1 {:.3f} {:.3f} <NA> <NA> {} <NA> <NA>\n"
    gold, system = tmp_path / "gold.rttm", tmp_path / "sys.rttm"
    gold.write_text(line.format(0, 10, "A"), encoding="utf-8")
    system.write_text(line.format(2, 10, "spk1"), encoding="utf-8")
    found = score_exports(str(gold), [str(system)], options=ScoreOptions(measures=("der_missed",)))
    assert [row["measure"] for row in as_json(found)["results"]] == ["der_missed"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["agree", "x.csv", "--measure", "gamma"], "is a measure on units: `accordeur gamma`"),
        (["gamma", "x.csv", "--measure", "cohen_kappa"], "`accordeur agree`"),
        (["gamma", "x.csv", "--measure", "accuracy"], "`accordeur score`"),
        (["plan", "x.csv", "--measure", "u_alpha"], "is a measure on units"),
        (["agree", "x.csv", "--measure", "modification_rate"], "`accordeur resample`"),
        (["gamma", "x.csv", "--measure", "gama"], "did you mean gamma?"),
    ],
)
def test_a_name_of_another_command_says_which(arguments: list[str], said: str) -> None:
    done = accordeur(*arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_chance_corrected_score_is_refused_with_the_reason() -> None:
    for name in (*measures.ITEMS[2:], *measures.UNITS):
        if name not in measures.SCORES and "agreement" not in name:
            with pytest.raises((RoleError, MetricsError)):
                require_scores([name])
    with pytest.raises(RoleError):
        require_scores(["cohen_kappa"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[gates]]\nmeasure = "der"\nat_most = 0.1\n', "`accordeur score`"),
        ('[[gates]]\nmeasure = "modification_rate"\nat_most = 0.1\n', "`accordeur resample`"),
        ('[[gates]]\nmeasure = "gama"\nat_least = 0.1\n', "did you mean gamma?"),
        ('[units]\nmeasures = ["cohen_kappa"]\n', "[items] measures"),
        ('[items]\nmeasures = ["gamma"]\n', "[units] measures"),
        ('[reading_grid]\nmeasures = ["gama"]\n', "did you mean gamma?"),
    ],
)
def test_the_campaign_file_says_where_a_name_belongs(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config_of(tmp_path, text)
    assert said in str(raised.value)
