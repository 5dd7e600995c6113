"""What `import accordeur` promises: its names, their options, and what the import costs."""

from __future__ import annotations

import builtins
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import MISSING, fields

import numpy as np
import pytest

import accordeur as acc
from accordeur.data.renamed_words import MEANT_FUNCTIONS
from accordeur.metrics.errors import MetricsError
from accordeur.tasks.inputs.assessment_options import (
    EstimateOptions,
    MistakeSearchOptions,
    ReplaceOptions,
    ScoreOptions,
)
from accordeur.tasks.inputs.label_options import LabelOptions, PlanOptions
from accordeur.tasks.inputs.unit_options import GammaOptions

ROWS = {"item": ["1", "1"], "annotator": ["a", "b"], "label": ["x", "y"]}
PUBLIC = {
    *("agreement", "coefficient", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha"),
    "category_distances",
    "from_json",
    *(
        "modification_rate",
        "plan",
        "gamma",
        "score",
        "replacement",
        "icc",
        "read",
        "run",
        "open_run",
        "look",
    ),
    *("g_study", "limits_of_agreement", "repeatability", "scales"),
    *("k_rater_reliability", "cross_replication"),
    *("soft_labels", "SoftLabels", "compare_groups", "Groups", "mistakes", "Mistakes"),
    *("annotators", "AnnotatorCards"),
    *("compare", "Comparison", "confusion_matrix", "estimate", "CorpusEstimate"),
    *("consensus", "Consensus", "kendall_w", "next_labels"),
    *("measure", "measures", "Measure", "Measures"),
    *("Plan", "NextLabels", "CategoryDistances", "ConfusionMatrix", "Concordance"),
    *(
        "Value",
        "Values",
        "Gamma",
        "JudgeCheck",
        "judge",
        "SystemRanking",
        "rank",
        "relations",
        "Alignment",
        "Scores",
        "Replacement",
        "Export",
        "Looked",
        "Run",
    ),
}


def test_the_public_names_are_these() -> None:
    """A name that leaves this list breaks notebooks: it is deprecated for a minor version first."""
    assert set(acc.__all__) == PUBLIC
    assert set(dir(acc)) >= PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert (inspect.getdoc(getattr(acc, name)) or "").strip()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'kappa'"):
        _ = acc.kappa


@pytest.mark.parametrize(("old", "new"), [("open", "open_run"), ("replace", "replacement")])
def test_no_name_hides_one_of_python_and_the_old_name_says_the_new_one(old: str, new: str) -> None:
    assert not {*acc.__all__} & {*dir(builtins)}
    with pytest.raises(AttributeError, match=f": call {new}"):
        getattr(acc, old)


@pytest.mark.parametrize("call", sorted(MEANT_FUNCTIONS))
def test_names_of_other_libraries_are_answered_with_a_function_that_exists(call: str) -> None:
    assert callable(getattr(acc, call.partition("(")[0]))
    for name in MEANT_FUNCTIONS[call].split():
        with pytest.raises(AttributeError, match=re.escape(f": call {call}")):
            getattr(acc, name)


def test_every_unknown_keyword_is_named_in_one_message() -> None:
    with pytest.raises(TypeError, match=r"called confidence_level; there is no 'rater': use annot"):
        acc.agreement(ROWS, confidence=0.9, rater="x")


def test_the_import_loads_nothing_and_changes_no_environment() -> None:
    code = (
        "import os, sys\n"
        "before = dict(os.environ)\n"
        "import accordeur\n"
        "assert dict(os.environ) == before\n"
        "heavy = {'numpy', 'pandas', 'pyarrow', 'numba', 'scipy', 'prefect', 'dask'}\n"
        "assert not heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_value_shown_in_a_notebook_loads_no_library_that_it_does_not_use() -> None:
    code = (
        "import sys\n"
        "import accordeur\n"
        "value = accordeur.fleiss_kappa([[1, 1, 2], [1, 2, 2], [2, 1, 2]], rows='items')\n"
        "assert 'Fleiss' in value._repr_html_()\n"
        "heavy = {'pydantic', 'typer', 'rich', 'numba', 'prefect'}\n"
        "assert not heavy & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (acc.agreement, LabelOptions),
        (acc.gamma, GammaOptions),
        (acc.score, ScoreOptions),
        (acc.replacement, ReplaceOptions),
        (acc.mistakes, MistakeSearchOptions),
        (acc.estimate, EstimateOptions),
        (acc.plan, PlanOptions),
    ],
    ids=lambda one: one.__name__,
)
def test_options_of_the_command_are_options_in_python(call: object, options: type) -> None:
    """Each is a parameter with the same default, and keyword-only: `help()` shows all of them."""
    parameters = inspect.signature(call).parameters  # type: ignore[arg-type]
    assert not any(one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL) for one in parameters.values())
    for one in fields(options):
        name = IN_PYTHON.get((options, one.name), IN_PYTHON.get(one.name, one.name))
        assert name in parameters, name
        default = one.default if one.default_factory is MISSING else one.default_factory()
        if name not in ("distance", "measures"):  # a scale is given in place of a distance
            assert parameters[name].default == default, name


IN_PYTHON = {  # field of an option class → keyword
    "lengths": "length",
}


def test_no_function_takes_keywords_that_its_signature_does_not_show() -> None:
    functions = [getattr(acc, name) for name in sorted(PUBLIC)]
    for one in filter(inspect.isfunction, functions):
        kinds = {at.kind for at in inspect.signature(one).parameters.values()}
        assert not kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}, one


COLUMNS = ["item", "annotator", "label", "document", "start", "end", "category"]


def test_columns_are_named_alike_in_every_function() -> None:
    """In one order, with one default; without a column `start` the rows are items."""
    defaults = {name: {"document": None}.get(name, name) for name in COLUMNS}
    for name in sorted(PUBLIC - {"gamma", "plan", "rank", "relations"}):
        call = getattr(acc, name)
        if not inspect.isfunction(call):
            continue
        parameters = inspect.signature(call).parameters
        found = [one for one in parameters if one in COLUMNS]
        assert found in ([], COLUMNS[:4], COLUMNS), name
        for one in found:
            default = None if "matrix" in parameters else defaults[one]
            assert parameters[one].default == default, (name, one)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: acc.agreement(ROWS, level="ordinal"), r"level is called scale .* or confidence"),
        (lambda: acc.agreement(ROWS, order=["x", "y"]), "order is called categories"),
        (lambda: acc.agreement(ROWS, distances={}), "distances is called distance"),
        (lambda: acc.gamma(ROWS, confidence=0.9), "confidence is called confidence_level"),
        (lambda: acc.estimate(ROWS, system="x"), "system is called systems"),
        (lambda: acc.fleiss_kappa(items_by_annotators=[[1]]), 'called rows \\("items" or'),
        (lambda: acc.score(ROWS, ROWS, tagset="xy"), "tagset is called categories"),
        (lambda: acc.agreement(ROWS, replicate=3), "did you mean replicates"),
        (lambda: acc.replacement(ROWS), "replacement: systems is missing"),
        (lambda: acc.plan(ROWS, 0.1), "plan takes pilot without a name"),
        (lambda: acc.gamma(ROWS, sed=1), "gamma: there is no 'sed': did you mean seed"),
    ],
)
def test_an_old_or_unknown_word_is_an_error_that_names_the_new_one(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert isinstance(caught.value, MetricsError)


def test_a_generator_is_taken_in_place_of_a_seed() -> None:
    table = [[1, 2, 1, 2, 3, 1], [1, 2, 2, 2, 3, 1]]
    one, same, other = (
        acc.krippendorff_alpha(*table, rng=np.random.default_rng(at), replicates=50).interval
        for at in (1, 1, 2)
    )
    assert one == same != other
    assert (
        acc.krippendorff_alpha(*table, rng=7).interval
        == acc.krippendorff_alpha(*table, seed=7).interval
    )
    with pytest.raises(MetricsError, match="seed or rng"):
        acc.krippendorff_alpha(*table, rng=7, seed=1)
