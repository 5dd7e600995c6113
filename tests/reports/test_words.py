"""Every code that a run can put into its results has a sentence in every language.

The codes are gathered from the source itself, so that a new one without words fails here.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from accordeur.data.validation.rules import RULES
from accordeur.metrics.measures import OF_ONE_CATEGORY
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.reports.language import LANGUAGES, Code, Language
from accordeur.reports.notices import explained, notice, told
from accordeur.reports.render import render
from accordeur.reports.value import Notice
from tests.reports import samples
from tests.reports.html_check import checked, english_in

ROOT = Path(__file__).resolve().parents[2]


def trees(*folders: str) -> Iterator[ast.AST]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words_that_name_only_its_figures(language: Code):
    say = Language(language)
    for code in ReasonCode:
        named = {name for _, name, _, _ in Formatter().parse(code.value) if name}
        assert say.names_of(f"reason.{Reason(code).key}") <= named


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (
            Reason(ReasonCode.NOT_TWO_ANNOTATORS, coefficient="κ", n=3, other="conger_kappa"),
            "ils sont 3",
        ),
        (
            Reason(ReasonCode.NOT_COMPUTED_IN_LAYER, measure="gamma", layer="spans"),
            "sur la couche spans",
        ),
        (
            Reason(ReasonCode.FEW_UNITS, n=3, fewest=10),
            "Trop peu d’unités (3)\u00a0: au-dessous de 10",
        ),
        (Reason(ReasonCode.NOT_COMPUTED, measure="gamma"), "n’a pas été calculée"),
        (
            Reason(ReasonCode.UNITS_OVERLAP, measure="uα", n=2, all=5, names="a, b"),
            "d’un même annotateur se chevauchent, comme dans 2 documents",
        ),
        (
            Reason(ReasonCode.UNITS_OF_CATEGORY_OVERLAP, measure="uα", n=2, all=5, names="a, b"),
            "et d’une même catégorie se chevauchent",
        ),
        (
            Reason(ReasonCode.NUMBERS_OF_ANNOTATORS, measure="α_U", numbers="2, 3"),
            "ceux-ci en ont 2, 3",
        ),
    ],
)
def test_reasons_with_figures_are_told_with_them(reason: Reason, words: str):
    assert words in explained(Language("fr"), reason)


def test_every_rule_and_every_problem_of_a_reader_has_words():
    codes = {rule.name for rule in RULES}
    for node in trees("data/readers"):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
            first = node.args[0]
            assert isinstance(first, ast.Constant), ast.dump(first)
            codes.add(str(first.value))
    assert len(codes) > 60
    for language in LANGUAGES:
        say = Language(language)
        assert [code for code in sorted(codes) if not say.knows(f"problem.{code}")] == []
        assert [r.name for r in RULES if not say.knows(f"expectation.{r.name}")] == []


def test_every_finding_names_only_figures_that_the_diagnosis_gives():
    given: dict[str, set[str]] = {}
    nodes = list(trees("metrics/agreement/diagnosis"))
    nodes.sort(key=lambda node: isinstance(node, ast.keyword))
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
            kind = node.args[0]
            assert isinstance(kind, ast.Constant)
            figures = node.args[4]
            given[str(kind.value)] = (
                {
                    str(key.value) if isinstance(key, ast.Constant) else OF_ONE_CATEGORY
                    for key in figures.keys
                }
                if isinstance(figures, ast.Dict)
                else {"n_declared", "n_used", "unused", "bennett_s", "bennett_s_used"}
            )
        elif isinstance(node, ast.keyword) and node.arg == "kind":  # a finding told otherwise
            assert isinstance(node.value, ast.Constant)
            given[str(node.value.value)] = {
                {"pi_within_documents": "pi_within_batches", "n_documents": "n_batches"}.get(k, k)
                for k in given["inhomogeneous_documents"]
            }
    assert len(given) == 14
    for language in LANGUAGES:
        say = Language(language)
        for kind, figures in given.items():
            named = say.names_of(f"finding.{kind}.text")
            assert named <= figures, kind
            unnamed = [n for n in figures - named if not say.knows(f"figure.{n}")]
            assert len(unnamed) <= 2, (kind, unnamed)


def test_every_notice_of_a_task_and_every_remark_of_a_measure_has_words():
    codes: set[str] = set()
    for node in trees("tasks", "flows", "metrics"):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("notice", "Remark"):
            first = node.args[0]
            if isinstance(first, ast.Attribute):
                continue  # the code of a remark, which is gathered where the remark is made
            assert isinstance(first, ast.Constant), ast.dump(first)
            codes.add(str(first.value))
    assert len(codes) > 15
    for language in LANGUAGES:
        say = Language(language)
        assert [code for code in sorted(codes) if not say.knows(f"notice.{code}")] == []


def test_every_stage_of_a_run_has_words():
    stages: set[str] = set()
    for node in trees("flows"):
        if not isinstance(node, ast.Call):
            continue
        of_run = getattr(node.func, "attr", "") == "stage"
        if of_run or getattr(node.func, "id", "") in ("count_shards", "summarise_layers"):
            name = node.args[0 if of_run else 1]
            if isinstance(name, ast.JoinedStr):  # a stage and a layer
                name = name.values[0]
            if isinstance(name, ast.Constant):
                stages.add(str(name.value).strip().replace(" ", "_"))
    assert {"ingest", "align", "reading_grid"} <= stages
    unworded = stages - {"γ", "plan", "trials"}  # a symbol; the stages of studies
    for language in LANGUAGES:
        say = Language(language)
        assert [stage for stage in unworded if not say.knows(f"stage_name.{stage}")] == []


def test_a_notice_is_told_in_the_page_s_language():
    found = notice("rows_rejected", n=8, rows=1549)
    assert found.text.startswith("8 of 1,549 rows were rejected")
    assert told(Language("en"), found) == (found.text, "en")
    said, language = told(Language("fr"), Notice.model_validate_json(found.model_dump_json()))
    assert language == "fr"
    assert said.startswith("8 lignes sur 1\u202f549 ont été refusées")
    assert told(Language("fr"), Notice(text="Something else.")) == ("Something else.", "en")
    assert Notice.model_validate("as it is").text == "as it is"


def test_raw_figures_are_written_as_the_message_asks():
    say = Language("fr")
    figures = {"layer": "x", "n": 3, "symbol": "α", "value": 0.5504, "distance": "ordinal"}
    figures |= {"rate": 0.181, "reference": 25}
    said = say.filled("notice.reference_change", {**figures, "low": math.nan, "high": 0.2})
    assert "α 0,550, distance ordinal" in said
    assert "18,1\u202f%" in said
    assert "non défini" in said


def test_no_english_remains_on_the_french_page():
    """Every text in French, but for what is marked as another language, code and names."""
    page = render(samples.typical(), language="fr")
    assert len(checked(page).words_of("fr")) > 500
    assert english_in(page) == []
    assert english_in(page.replace("Sommaire", "The contents")) == ["The contents"]
