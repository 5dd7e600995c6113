"""Linear and quadratic weights under their names, and weighted coefficients without a distance."""

from __future__ import annotations

from pathlib import Path

import pytest

import accordeur as acc
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import table_matrix
from accordeur.metrics.close_names import close_names
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.measures import ON_LABELS, UNITS
from tests.flows.in_process import found, said

WORDS = (
    ["low", "mid", "mid", "high", "low", "high", "mid", "low", "high", "mid", "low", "high"],
    ["low", "low", "mid", "high", "mid", "mid", "mid", "low", "high", "high", "high", "high"],
)
ORDER = ("low", "mid", "high")
NUMBERS = ((1, 2, 2, 5, 1, 10, 2, 1, 5, 2, 10, 5), (1, 1, 2, 5, 2, 5, 5, 1, 10, 2, 10, 1))

# scikit-learn 1.9.1: cohen_kappa_score(first, second, labels=order, weights=…)
SKLEARN = (
    (WORDS, ORDER, "linear", 0.4375),
    (WORDS, ORDER, "quadratic", 0.5),
    (NUMBERS, None, "linear_ranks", 0.5058823529411764),
    (NUMBERS, None, "quadratic_ranks", 2 / 3),
)
# irrCAC 0.4.2 (Python): CAC(ratings, weights=…).<method>()["est"]["coefficient_value"]
IRRCAC = {
    ("linear", "weighted_kappa"): 0.514893617021,
    ("linear", "weighted_pi"): 0.514376996805,
    ("linear", "weighted_s"): 0.577777777778,
    ("linear", "gwet_ac2"): 0.58583106267,
    ("linear", "krippendorff_alpha"): 0.534611288605,
    ("quadratic", "weighted_kappa"): 0.679166666667,
    ("quadratic", "weighted_pi"): 0.679110956763,
    ("quadratic", "weighted_s"): 0.738095238095,
    ("quadratic", "gwet_ac2"): 0.746223564955,
    ("quadratic", "krippendorff_alpha"): 0.692481333565,
}
WEIGHTED = ("weighted_agreement", "weighted_s", "weighted_pi", "weighted_kappa", "gwet_ac2")


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.csv"
    rows = [f"{i},{who},{w}" for who, ws in zip("ab", WORDS, strict=True) for i, w in enumerate(ws)]
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize(("labels", "order", "level", "expected"), SKLEARN)
def test_ranks_are_scikit_learns(
    labels: tuple[list[object], list[object]], order: list[str] | None, level: str, expected: float
) -> None:
    value = acc.coefficient(
        "weighted_kappa", *labels, distance=level, categories=order, replicates=0
    )
    assert value.value == pytest.approx(expected, abs=1e-12)
    assert f"distance:{level.removesuffix('_ranks')}_ranks" in value.signature


@pytest.mark.parametrize(("level", "measure"), IRRCAC)
def test_values_are_irrcacs(level: str, measure: str) -> None:
    value = acc.coefficient(measure, NUMBERS, rows="annotators", distance=level, replicates=0)
    assert value.value == pytest.approx(IRRCAC[level, measure], abs=1e-11)
    assert f"distance:{level}_values" in value.signature


def test_the_command_says_ranks(words: Path) -> None:
    options = (
        "--measure",
        "weighted_kappa",
        "--distance",
        "quadratic",
        "--categories",
        "low,mid,high",
    )
    [row] = found("agree", words, *options)["results"]
    assert row["value"] == pytest.approx(0.5)
    assert "quadratic_ranks" in said("agree", words, *options)[1]


def test_order_of_words_must_be_declared(words: Path) -> None:
    _, sentence = said("agree", words, "--measure", "weighted_kappa", "--distance", "linear")
    assert "linear distance needs the order" in sentence
    assert "--categories" in sentence


def test_values_need_numbers(words: Path) -> None:
    _, sentence = said("agree", words, "--measure", "weighted_kappa", "--distance", "linear_values")
    assert "needs numbers" in sentence


@pytest.mark.parametrize("measure", WEIGHTED)
def test_weighted_coefficient_without_distance_is_refused(measure: str, words: Path) -> None:
    commands = (
        ("agree", words),
        ("agree", words, "--against", words),
        ("plan", words),
        ("plan", words, "--distance", "nominal"),
    )
    for command in commands:
        code, sentence = said(*command, "--measure", measure)
        assert code == 2
        assert sentence.startswith(f"{measure} needs a distance"), sentence
        assert "--distance, one of ordinal, interval, ratio, linear, linear_ranks" in sentence
        assert len(sentence) <= 400
    with pytest.raises(MetricsError, match=r"needs a distance.*give scale or distance"):
        acc.coefficient(measure, WORDS, rows="annotators")
    with pytest.raises(MetricsError, match=r"needs a distance.*give scale or distance"):
        acc.agreement(
            {"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]}, measures=measure
        )


def test_without_weights_each_is_its_unweighted_coefficient() -> None:
    from accordeur.metrics.measures import unweighted_name

    matrix = table_matrix(annotators_by_items=NUMBERS)
    for measure in WEIGHTED:
        same = compute_coefficient(unweighted_name(measure), matrix).value
        assert compute_coefficient(measure, matrix).value == pytest.approx(same, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("alpha", "krippendorff_alpha"),
        ("α", "krippendorff_alpha"),
        ("AC1", "gwet_ac1"),
        ("gwet-ac1", "gwet_ac1"),
        ("kappa", "cohen_kappa"),
        ("kapa", "cohen_kappa"),
        ("Krippendorf", "krippendorff_alpha"),
        ("fleis", "fleiss_kappa"),
        ("pi", "scott_pi"),
        ("weigthed_kappa", "weighted_kappa"),
    ],
)
def test_misspelt_measures(given: str, meant: str, words: Path) -> None:
    assert meant in close_names(given, ON_LABELS)
    _, sentence = said("agree", words, "--measure", given)
    assert "did you mean" in sentence
    assert len(sentence) <= 400


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("quadratc", "quadratic"),
        ("linaer", "linear"),
        ("mazi", "masi"),
        ("jacard", "jaccard"),
        ("intervall", "interval"),
        ("Ordinal", "ordinal"),
    ],
)
def test_misspelt_distances(given: str, meant: str, words: Path) -> None:
    _, sentence = said("agree", words, "--distance", given)
    assert f"did you mean {meant}?" in sentence
    assert len(sentence) <= 400
    with pytest.raises(MetricsError, match=rf"no distance '{given}'; did you mean {meant}\?"):
        acc.coefficient("krippendorff_alpha", WORDS, rows="annotators", distance=given)


def test_misspelt_measures_of_units() -> None:
    assert close_names("gama", UNITS) == ["gamma"]
    assert close_names("gamma-cat", UNITS) == ["gamma_cat"]
    assert close_names("bleu", ON_LABELS) == []


def test_misspelt_choices() -> None:
    rows = {"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]}
    with pytest.raises(MetricsError, match=r"interval is 'analitic': did you mean analytic\?"):
        acc.agreement(rows, interval="analitic")


HEAD = '[campaign]\nname = "c"\n[[sources]]\npath = "labels.csv"\n'
ASKED = '[items]\nmeasures = ["krippendorff_alpha", "weighted_kappa"]\n'
SEVERITY = '[layers.severity]\ncategories = ["low", "mid", "high"]\ndistance = "quadratic"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (ASKED, r"weighted_kappa needs a distance.*give \[layers\.<name>\] distance"),
        ('[resampling]\nreliability = "weighted_pi"\n', "weighted_pi needs a distance"),
        (
            SEVERITY + '[[gates]]\nmeasure = "gwet_ac2"\nlayer = "topic"\nat_least = 0.6\n',
            r"gwet_ac2 needs a distance.*\[layers\.topic\]",
        ),
        (SEVERITY.replace("quadratic", "quadratc"), r"did you mean quadratic\?"),
        ('[items]\nmeasures = ["alpha"]\n', "did you mean krippendorff_alpha"),
    ],
)
def test_campaign_files(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(HEAD + text)
    with pytest.raises(ConfigError, match=sentence):
        load_campaign(path)


def test_a_layer_without_distance_has_the_unweighted_coefficient(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(HEAD + ASKED + SEVERITY)
    config = load_campaign(path)
    assert config.measures_of("severity") == ("krippendorff_alpha", "weighted_kappa")
    assert config.measures_of("topic") == ("krippendorff_alpha", "conger_kappa")


def test_a_circle_is_chosen_with_its_length(tmp_path: Path) -> None:
    """23 h and 1 h are 2 hours apart, which a circle of the range of the labels does not show."""
    path = tmp_path / "hours.csv"
    rows = ("1,a,1", "1,b,23", "2,a,8", "2,b,9", "3,a,14", "3,b,14", "4,a,22", "4,b,1")
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n")
    options = ("--measure", "krippendorff_alpha", "--distance")
    [row] = found("agree", path, *options, "circular/24")["results"]
    hours = [[1, 8, 14, 22], [23, 9, 14, 1]]
    assert (
        row["value"]
        == acc.krippendorff_alpha(
            hours, rows="annotators", distance="circular/24", replicates=0
        ).value
    )
    assert "distance:circular/24" in row["signature"]
    assert "circular/24 for hours" in said("agree", path, *options, "circular")[1]
    assert "circumference above 0" in said("agree", path, *options, "circular/x")[1]
