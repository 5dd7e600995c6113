"""Measures, distances, formats, expectations, sections of other packages: built, installed."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from accordeur.data.readers.registry import readers
from accordeur.data.schema import Unit
from accordeur.metrics.agreement.distances import DISTANCES
from accordeur.metrics.measures import COEFFICIENTS
from accordeur.metrics.resampling.grids.corpus_shuffling import DEGRADATIONS
from accordeur.metrics.resampling.synthetic.synthetic_annotators import GENERATORS
from accordeur.reports.errors import ReportError
from accordeur.reports.views.sections import SECTIONS, ordered_sections
from accordeur.testing import (
    check_degradation,
    check_distance,
    check_expectation,
    check_generator,
    check_measure,
    check_object_distance,
    check_reader,
    check_section,
    check_study_variable,
)
from tests.reports import samples

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
KINDS = (
    "measure", "distance", "object_distance", "reader", "expectation", "section", "study",
)  # fmt: skip
BUILD = """
import sys
from hatchling.builders.wheel import WheelBuilder
folder, *kinds = sys.argv[1:]
for kind in kinds:
    list(WheelBuilder(kind).build(directory=folder))
"""
ROWS = "d1 i1 anna 1\nd1 i1 ben 2\nd1 i2 anna 3\nd1 i2 ben 3\nd2 i3 anna 1\nd2 i3 ben 1\n"


def module(kind: str, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HERE / kind / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process where the wheels of the packages are installed."""
    folder = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-c", BUILD, str(folder), *KINDS]
    subprocess.run(command, cwd=HERE, check=True, capture_output=True)
    wheels = [str(one) for one in folder.glob("*.whl")]
    assert len(wheels) == len(KINDS)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*wheels, str(ROOT / "src")])}


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.lines"
    path.write_text(ROWS, encoding="utf-8")
    return path


def run(code: str, environment: dict[str, str], *arguments: str, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


COMMAND = "from accordeur.flows.cli import main; main()"
COMMANDS = """
import shlex, sys
from accordeur.flows.cli import run
for line in sys.stdin:
    try:
        run(shlex.split(line))
    except SystemExit as end:
        assert not end.code, line
    print("\\0")
"""


def test_what_is_installed_is_used_by_the_command(installed: dict[str, str], labels: Path) -> None:
    agree = f"agree {shlex.quote(str(labels))} --json --measure"
    lines = (
        f"{agree} g_index",
        f"{agree} weighted_agreement --distance neighbours",
        f"{agree} mean_distance --distance shared_words",
        "formats",
    )
    measure, distance, of_objects, formats, _ = run(
        COMMANDS, installed, given="\n".join(lines)
    ).split("\0")
    assert '"measure": "g_index"' in measure
    assert "neighbours" in distance
    assert "shared_words" in of_objects
    assert "lines" in formats


@pytest.mark.long
def test_a_campaign_takes_an_installed_distance_and_measure(
    installed: dict[str, str], labels: Path
) -> None:
    campaign = labels.parent / "campaign.toml"
    campaign.write_text(
        '[campaign]\nname = "c"\n[[sources]]\npath = "labels.lines"\n'
        '[layers.labels]\ncategories = ["1", "2", "3"]\ndistance = "neighbours"\n'
        '[items]\nmeasures = ["g_index", "krippendorff_alpha"]\n',
        encoding="utf-8",
    )
    found = run(COMMAND, installed, "check", str(campaign))
    assert "neighbours" not in found  # nothing to say of it
    code = (
        "from accordeur.metrics.agreement.label_matrix import table_matrix\n"
        "from accordeur.metrics.agreement.coefficients import compute_coefficient\n"
        "m = table_matrix(items_by_annotators=[[1, 2], [3, 3]])\n"
        "print(compute_coefficient('weighted_agreement', m, distance='neighbours').value)\n"
    )
    assert float(run(code, installed)) == pytest.approx(0.75)


@pytest.mark.long
def test_an_installed_section_stands_on_the_report(
    installed: dict[str, str], tmp_path: Path
) -> None:
    results = tmp_path / "results.json"
    results.write_text(samples.typical().model_dump_json(), encoding="utf-8")
    code = (
        "import sys, pathlib\n"
        "from accordeur.reports.render import render\n"
        "from accordeur.reports.results import Results\n"
        "found = Results.model_validate_json(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "print(render(found, language='fr'))\n"
    )
    page = run(code, installed, str(results))
    assert "Charge de travail</h2>" in page
    places = [page.index(f'<section id="{name}"') for name in ("campaign", "workload")]
    assert places == sorted(places)
    assert places[1] < page.index('<section id="validation"')


def test_sections_of_others_stand_where_they_say() -> None:
    workload = module("section", "accordeur_workload").WORKLOAD
    again = replace(workload, name="again")
    names = [one.name for one in ordered_sections(SECTIONS, [workload, again])]
    place = names.index("campaign")
    assert names[place : place + 3] == ["campaign", "again", "workload"]
    with pytest.raises(ReportError, match="after 'nowhere', which is not a section: verdict, "):
        ordered_sections(SECTIONS, [replace(workload, after="nowhere")])


def test_a_section_that_breaks_a_rule_is_told_which() -> None:
    workload = module("section", "accordeur_workload").WORKLOAD
    english = {"en": workload.words["en"], "fr": {}}
    for broken, rule in (
        (replace(workload, words=english), "words that fr lacks"),
        (replace(workload, name="load"), "its identifier is 'workload'"),
        (replace(workload, name="verdict"), "is already used by another section"),
        (replace(workload, make=lambda page: None), "gives None"),
        (replace(workload, after="the end"), "is not a section"),
    ):
        with pytest.raises(AssertionError, match=rule):
            check_section(broken, samples.typical())


@pytest.mark.long
def test_a_campaign_takes_an_installed_expectation(installed: dict[str, str], labels: Path) -> None:
    campaigns = []
    for form in ("nfc", "nfd"):
        campaigns.append(labels.parent / f"{form}.toml")
        campaigns[-1].write_text(
            '[campaign]\nname = "c"\n[[sources]]\npath = "labels.lines"\n[[expectations]]\n'
            f'table = "labels"\ntype = "expect_column_values_to_be_{form}"\n'
            'arguments = { column = "category" }\n',
            encoding="utf-8",
        )
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from accordeur.flows.campaign.file.campaign_config import load_campaign\n"
        "from accordeur.flows.campaign.file.declared import require_expectations\n"
        "for file in sys.argv[1:]:\n"
        "    try: require_expectations(load_campaign(Path(file)))\n"
        "    except Exception as error: print(error)\n"
    )
    [of_nfd] = run(code, installed, *map(str, campaigns)).splitlines()
    assert "expectations[0].type: no expectation" in of_nfd
    assert "expect_column_values_to_be_nfd" in of_nfd


def test_an_expectation_keeps_the_contract() -> None:
    expectation = module("expectation", "accordeur_nfc").ExpectColumnValuesToBeNfc
    kept, broken = ([Unit("d", "anna", "T", 0, 1, c)] for c in ("\u00e9", "e\u0301"))
    check_expectation(expectation, {"column": "category"}, kept, broken)
    with pytest.raises(AssertionError, match="wrongly kept"):
        check_expectation(expectation, {"column": "annotator"}, kept, broken)
    with pytest.raises(AssertionError, match="not a condition on single rows"):
        check_expectation(expectation, {"column": "category", "mostly": 0.5}, kept, broken)
    with pytest.raises(AssertionError, match="is not an expectation class"):
        check_expectation(Unit, {}, kept, broken)


def test_a_name_that_is_taken_and_an_object_of_another_kind_are_refused(
    installed: dict[str, str],
) -> None:
    code = (
        "from accordeur.metrics.measure import Measure\n"
        "from accordeur.metrics.plugins import load_plugins\n"
        "for group, known in (('measures', ['g_index']), ('distances', [])):\n"
        "    try: load_plugins(f'accordeur.{group}', Measure, known=known)\n"
        "    except Exception as error: print(str(error).replace('\\n', ' '))\n"
    )
    taken, other = run(code, installed).splitlines()
    assert "'g_index': name 'g_index' is already taken" in taken
    assert re.search(r"neighbours.*is not a Measure", other)


def test_the_examples_keep_the_contracts(labels: Path) -> None:
    check_measure(module("measure", "accordeur_g_index").G_INDEX)
    check_distance(module("distance", "accordeur_neighbours").NEIGHBOURS)
    examples = ("a b", "b c", "a b c", "")
    check_object_distance(module("object_distance", "accordeur_words").SHARED_WORDS, examples)
    check_reader(module("reader", "accordeur_lines").READER, labels)
    check_section(module("section", "accordeur_workload").WORKLOAD, samples.typical())


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_our_coefficients_keep_the_contract(name: str) -> None:
    check_measure(COEFFICIENTS[name])


@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_our_distances_keep_the_contract(name: str) -> None:
    check_distance(DISTANCES[name])


def test_a_format_of_ours_keeps_the_contract(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("anna,A,1,2\nben,A,1,3\n", encoding="utf-8")
    check_reader(readers()["pygamma_csv"], path)


def test_a_measure_that_breaks_a_rule_is_told_which() -> None:
    g_index = module("measure", "accordeur_g_index").G_INDEX
    with pytest.raises(AssertionError, match="where all annotators agree: it must be 1"):
        check_measure(replace(g_index, disagreements=lambda s, d: (s.n_paired, 2 * s.n_paired)))
    with pytest.raises(AssertionError, match="depends on who gave a label"):
        check_measure(replace(COEFFICIENTS["conger_kappa"], anonymous=True))
    with pytest.raises(AssertionError, match="is not in lower_case"):
        check_measure(replace(g_index, name="G index"))


def test_a_distance_that_breaks_a_rule_is_told_which() -> None:
    neighbours = module("distance", "accordeur_neighbours").NEIGHBOURS
    for table, rule in (
        (np.tri, "is not symmetric|itself is not 0"),
        (lambda k: 1.0 - np.tri(k), "is not symmetric"),
        (lambda k: -1.0 + np.eye(k), "negative distance"),
        (lambda k: np.zeros(k), "gives shape"),
    ):
        with pytest.raises(AssertionError, match=rule):
            check_distance(replace(neighbours, table=lambda values, t=table: t(values.size)))


def test_a_reader_that_breaks_a_rule_is_told_which(labels: Path) -> None:
    reader = module("reader", "accordeur_lines").READER
    with pytest.raises(AssertionError, match=r"matches none of the patterns \*\.lines"):
        check_reader(reader, labels.rename(labels.with_suffix(".txt")))
    reader.read = lambda path, options: iter([Unit("d", "anna", "1", 3, 3)])
    labels.with_suffix(".txt").rename(labels)
    with pytest.raises(AssertionError, match="end after it starts"):
        check_reader(reader, labels)


@pytest.mark.long
def test_what_an_installed_package_adds_to_studies_is_studied(
    installed: dict[str, str], tmp_path: Path
) -> None:
    code = """
import sys
from pathlib import Path
from tests.flows.small import labels_csv
from tests.flows.studies import GRID, run_here
folder = Path(sys.argv[1])
labels_csv(folder, n=4)
path = folder / "study.toml"
path.write_text('''
[study]
name = "s"
kind = "synthetic"
trials = 8
[data]
labels = "labels.csv"
ordered = true
[grid]
n_annotators = [4]
generator = ["p1", "copies"]
variables = {share_of_items = [0.5, 1]}
''')
found, _ = run_here(path)
for part in found.parts:
    values = {p.x for one in part.curves if one.name == "by_coefficient" for p in one.points}
    print(part.apart["generator"], part.settings["n_items"], values == {1.025})
path.write_text(GRID.replace('"omission", "category", "false_positives"', '"shorten"'))
print([round(p.y, 1) for p in run_here(path, folder="grid")[0].parts[0].curves[0].points][0])
"""
    found = run(
        code, {**installed, "PYTHONPATH": f"{installed['PYTHONPATH']}:{ROOT}"}, str(tmp_path)
    )
    assert found.split("\n") == [
        "p1 20 False", "p1 40 False", "copies 20 True", "copies 40 True", "1.0", ""
    ]  # fmt: skip


def test_the_contracts_of_what_studies_take() -> None:
    copies = module("study", "accordeur_copies")
    check_degradation(copies.SHORTEN)
    check_generator(copies.COPIES)
    check_study_variable(copies.SHARE_OF_ITEMS, (0.1, 1.0))
    for one in DEGRADATIONS.values():
        check_degradation(one)
    for name, one in GENERATORS.items():
        if name != "p1":
            check_generator(one)
    moved = replace(copies.SHORTEN, change=lambda units, *_: replace(units, ends=units.ends + 1e3))
    with pytest.raises(AssertionError, match="shorten of 0 changes units"):
        check_degradation(moved)
    noisy = replace(copies.COPIES, labels=lambda p, n, _, rng: copies.copies(p, n, 0.5, rng))
    with pytest.raises(AssertionError, match="copies errs on a share of 0"):
        check_generator(noisy)
