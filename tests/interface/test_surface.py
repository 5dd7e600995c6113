"""What `import accordeur` promises: its names, their options, and what the import costs."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import MISSING, fields

import pytest

import accordeur as acc
from accordeur.interface import keyword_types
from accordeur.tasks.inputs.assessment_options import (
    EstimateOptions,
    MistakeSearchOptions,
    ReplaceOptions,
    ScoreOptions,
)
from accordeur.tasks.inputs.label_options import LabelOptions, PlanOptions
from accordeur.tasks.inputs.unit_options import GammaOptions, UnitWeights
from accordeur.tasks.options import NextOptions

PUBLIC = {
    *("agreement", "coefficient", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha"),
    "category_distances",
    *("modification_rate", "plan", "gamma", "score", "replace", "icc", "read", "run", "open"),
    *("g_study", "limits_of_agreement", "repeatability", "scales"),
    *("k_rater_reliability", "cross_replication"),
    *("soft_labels", "SoftLabels", "compare_groups", "Groups", "mistakes", "Mistakes"),
    *("compare", "Comparison", "confusion_matrix", "estimate", "CorpusEstimate"),
    *("consensus", "Consensus", "kendall_w", "next_labels"),
    *("Value", "Values", "Gamma", "Alignment", "Scores", "Replacement", "Export", "Run"),
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
        "value = accordeur.fleiss_kappa([[1, 1, 2], [1, 2, 2], [2, 1, 2]])\n"
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
        (acc.replace, ReplaceOptions),
        (acc.mistakes, MistakeSearchOptions),
        (acc.estimate, EstimateOptions),
    ],
    ids=lambda one: one.__name__,
)
def test_options_of_the_command_are_options_in_python(call: object, options: type) -> None:
    """Each is a parameter with the same default, or goes through `**options`."""
    parameters = inspect.signature(call).parameters  # type: ignore[arg-type]
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    for one in fields(options):
        name = {"level": "confidence", "distance": "level", "object_distance": "distance"}.get(
            one.name, one.name
        )
        assert name in parameters or takes_any, name
        if name in parameters:
            default = one.default if one.default_factory is MISSING else one.default_factory()
            assert parameters[name].default == default, name


@pytest.mark.parametrize(
    ("keywords", "options"),
    [
        (keyword_types.GammaKeywords, GammaOptions),
        (keyword_types.ScoreKeywords, ScoreOptions),
        (keyword_types.PlanKeywords, PlanOptions),
        (keyword_types.NextKeywords, NextOptions),
        (keyword_types.WeightKeywords, UnitWeights),
    ],
    ids=lambda one: one.__name__,
)
def test_type_checkers_know_each_option(keywords: type, options: type) -> None:
    """A keyword that a checker refuses, or that the function does, is a fault."""
    own = {one.name for one in fields(options)}
    typed = {*keywords.__annotations__}
    named = {"level", "distance", "distances", "measure", "measures", "width", "budget"}
    assert own - typed <= named
    columns = {"document", "annotator", "start", "end", "category", "length", "order"}
    assert typed - own <= columns | {"confidence", "layer", "level", "options"}
