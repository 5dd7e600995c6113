"""The study file: what is wrong is one sentence that names the key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from accordeur.data.errors import DataError
from accordeur.flows.campaign.file.measure_keys import ReadingGrid
from accordeur.flows.study.study_config import load_study
from accordeur.flows.study.study_inputs import read_inputs_of
from accordeur.flows.study.study_plan import cell_specs
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.agreement.label_matrix import LabelMatrix

HEAD = '[study]\nname = "s"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[study]\nname = "s"\n', "study.kind: is missing"),
        (HEAD + 'kind = "guess"\n', "study.kind: must be"),
        (
            HEAD + 'kind = "synthetic"\nseeds = 1\n',
            "did you mean seed? allowed here: name",
        ),
        (
            HEAD + 'kind = "synthetic"\n[grid]\nn_annotator = [3]\n',
            "grid.n_annotator: unknown key; did you mean n_annotators?",
        ),
        (HEAD + 'kind = "synthetic"\n[grid]\nties = []\n', "ties is an empty list"),
        (HEAD + 'kind = "synthetic"\n[grid]\nties = ["random", "random"]\n', "names a value twice"),
        (
            HEAD + 'kind = "synthetic"\n[grid]\np2 = [[0.4, 0.1]]\n',
            "p2 [0.4, 0.1] is not an interval",
        ),
        (
            HEAD + 'kind = "synthetic"\n[grid]\nmagnitude = [0, 1]\n',
            "grid.magnitude has no meaning in a study of kind 'synthetic'; its grid has",
        ),
        (
            HEAD + 'kind = "synthetic"\n[dissimilarity]\nbeta = 2\n',
            "dissimilarity has no meaning in a study of kind 'synthetic'",
        ),
        (
            HEAD + 'kind = "reading_grid"\n[data]\ncampaign = "c.toml"\nunits = ["u"]\n',
            "give either labels, units or campaign",
        ),
        (
            HEAD + 'kind = "reading_grid"\n[data]\ncampaign = "c.toml"\n[dissimilarity]\n',
            "the campaign in data.campaign has its own",
        ),
        (
            HEAD + 'kind = "synthetic"\ncoefficients = ["kappa"]\n',
            "unknown coefficient 'kappa'; ",
        ),
        (
            HEAD + 'kind = "synthetic"\ncoefficients = ["weighted_kappa"]\n',
            "weighted_kappa needs a distance between the categories",
        ),
        (HEAD + 'kind = "synthetic"\ndistance = "near"\n', "no distance 'near'"),
        (HEAD + 'kind = "subsets"\n', "a study of kind 'subsets' needs data.labels"),
        (
            HEAD + 'kind = "subsets"\ntrials = 5\n[data]\nlabels = "l.csv"\n',
            "study.trials: a study of subsets has as many trials as there are subsets",
        ),
        (
            HEAD
            + 'kind = "synthetic"\n[data]\nlabels = "l.csv"\n[grid]\nties = ["nearest_mean"]\n',
            "grid.ties: nearest_mean takes the mean of the labels",
        ),
        (
            HEAD + 'kind = "synthetic"\n[data]\nlabels = "l.csv"\n[grid]\nmerged = ["three"]\n',
            "grid.merged names 'three'; declared: none",
        ),
        (
            HEAD + 'kind = "synthetic"\n[data]\nlabels = "l.csv"\n[grid]\nn_categories = [3]\n',
            "grid.n_categories: the label table in data.labels has its own",
        ),
        (
            HEAD + 'kind = "synthetic"\n[items]\nprevalence = [0.5, 0.3, 0.2]\n',
            "items.prevalence is of 3 categories; grid.n_categories must be [3]",
        ),
        (
            HEAD + 'kind = "reading_grid"\n[grid]\nmagnitude = [0, 1.5]\n',
            "grid.magnitude: the curve of omission needs two magnitudes up to 1",
        ),
        (
            HEAD + 'kind = "reading_grid"\n[grid]\ndegradation = ["omision"]\n',
            "degradation names 'omision'; did you mean omission? ",
        ),
        (
            HEAD + 'kind = "synthetic"\n[grid]\nvariables = {length = [1]}\n',
            "variables names 'length'; known: none",
        ),
        (HEAD + 'kind = "reading_grid"\n[grid]\nmagnitude = [0.5]\n', "at least two magnitudes"),
        (
            HEAD + 'kind = "reading_grid"\n[grid]\nn_annotators = [2]\nn_perfect = [3]\n',
            "more perfect annotators than annotators",
        ),
        (
            HEAD + 'kind = "reading_grid"\n[data]\nlabels = "l.csv"\n',
            "a reading grid needs units: give data.units",
        ),
        (
            HEAD
            + 'kind = "reference_models"\n[data]\nlabels = "l.csv"\n[grid]\nmodel = ["oracle"]\n',
            "no reference model 'oracle'; known: majority",
        ),
        ("[study\n", "is not TOML"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_study(written(tmp_path, text))
    assert sentence in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert "study.toml" in str(caught.value)


def test_paths_are_relative_to_the_study_file(tmp_path: Path) -> None:
    config = load_study(
        written(tmp_path, HEAD + 'kind = "subsets"\n[data]\nlabels = "labels.csv"\n')
    )
    assert config.data.labels == str(tmp_path / "labels.csv")
    assert config.store.url == str(tmp_path / "runs")
    made = load_study(written(tmp_path, HEAD + 'kind = "synthetic"\n'))
    assert made.data.labels == ""
    assert made.trials == 2000


def test_the_grid_is_every_combination_once(tmp_path: Path) -> None:
    text = (
        HEAD + 'kind = "synthetic"\n[grid]\ngenerator = ["p1", "item_by_item"]\n'
        'influence = [0, 1, 2]\nties = ["random", "abstain"]\n'
    )
    specs = cell_specs(load_study(written(tmp_path, text)), None)
    # three influences of p1; the older generator knows no p1, so its three would be the same
    assert len(specs) == 2 * (3 + 1)
    assert len({spec.name for spec in specs}) == len(specs)


def test_a_longer_list_keeps_the_names_that_seeds_come_from(tmp_path: Path) -> None:
    short = HEAD + 'kind = "synthetic"\n[grid]\nties = ["random"]\n'
    longer = HEAD + 'kind = "synthetic"\n[grid]\nties = ["abstain", "random"]\n'
    [name] = [s.name for s in cell_specs(load_study(written(tmp_path, short)), None)]
    assert name in [s.name for s in cell_specs(load_study(written(tmp_path, longer)), None)]


def test_a_single_category_has_no_category_errors(tmp_path: Path) -> None:
    text = HEAD + 'kind = "reading_grid"\n[units]\ncategories = ["A"]\n'
    kinds = {s["degradation"] for s in cell_specs(load_study(written(tmp_path, text)), None)}
    assert kinds == {"shift", "omission", "false_positives", "split", "merge"}


def test_every_example_of_the_documentation_is_a_study_file(tmp_path: Path) -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "studies.md"
    examples = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    *studies, of_campaign = examples
    kinds = [load_study(written(tmp_path, example)).study.kind for example in studies]
    assert (
        TypeAdapter(ReadingGrid).validate_python(
            {**tomllib.loads(of_campaign)["reading_grid"], "measures": []}
        )
        == ReadingGrid()
    )  # "these are the defaults"
    assert kinds == ["subsets", "synthetic", "reference_models", "reading_grid", "reading_grid"]


def test_columns_with_other_names_are_named_as_in_a_campaign_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("case,rater,rating\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n", "utf-8")
    text = HEAD + 'kind = "subsets"\n[data]\nlabels = "t.csv"\n'
    with pytest.raises(DataError, match=r'options = \{ .*annotator = "rater"'):
        read_inputs_of(load_study(written(tmp_path, text)))
    text += 'options = { item = "case", annotator = "rater", label = "rating" }\n'
    found = read_inputs_of(load_study(written(tmp_path, text))).inputs
    assert isinstance(found, LabelMatrix)
    assert found.annotators == ("a", "b")
