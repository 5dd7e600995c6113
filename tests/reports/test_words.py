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

from accordeur.data.readers import unreadable
from accordeur.data.row_account import RowAccount
from accordeur.data.validation.rules import RULES
from accordeur.metrics.coded_warning import CodedWarning, add_reason
from accordeur.metrics.measures import OF_ONE_CATEGORY
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.reports.account import account_sentence
from accordeur.reports.language import LANGUAGES, TERMINAL, Code, Language
from accordeur.reports.render import render
from accordeur.reports.results import Results
from accordeur.reports.warnings import (
    in_english,
    reason_text,
    warning_from,
    warning_json,
    warning_sentence,
)
from tests.reports import samples
from tests.reports.html_check import checked, english_in

EMPTY = {"campaign": {"name": "c"}, "run": {"version": "1", "input_hash": ""}}
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
            "mais il y en a 3",
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
            "d’un même annotateur se chevauchent. Documents dans ce cas\u00a0: 2 sur 5",
        ),
        (
            Reason(ReasonCode.UNITS_OF_CATEGORY_OVERLAP, measure="uα", n=2, all=5, names="a, b"),
            "et d’une même catégorie se chevauchent",
        ),
        (
            Reason(ReasonCode.NUMBERS_OF_ANNOTATORS, measure="α_U", numbers="2, 3"),
            "Nombres d’annotateurs ici\u00a0: 2, 3",
        ),
    ],
)
def test_reasons_with_figures_are_told_with_them(reason: Reason, words: str):
    assert words in reason_text(Language("fr"), reason)


def test_every_rule_and_every_problem_of_a_reader_has_words():
    codes = {rule.name for rule in RULES}
    for node in trees("data/readers"):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
            first = node.args[0]
            is_named = isinstance(first, ast.Name)  # a constant that several readers share
            assert is_named or isinstance(first, ast.Constant), ast.dump(first)
            codes.add(getattr(unreadable, first.id) if is_named else str(first.value))
    assert len(codes) > 60
    for language in LANGUAGES:
        say = Language(language)
        assert [code for code in sorted(codes) if not say.knows(f"problem.{code}")] == []
        assert [r.name for r in RULES if not say.knows(f"expectation.{r.name}")] == []


def made(kind: str, *folders: str) -> Iterator[tuple[str, ast.expr | None, list[str]]]:
    """Code, figures and own messages of what is made of a kind in the source."""
    for node in trees(*folders):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == kind:
            codes = [one for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
            has_own = isinstance(node.args[-1], ast.Tuple)
            own = ast.literal_eval(node.args[-1]) if has_own else ()
            for code in codes or [None]:
                assert code is not None or isinstance(node.args[0], ast.Name), ast.dump(node)
                figures = node.args[1] if node.args[1:] else None
                yield "" if code is None else str(code.value), figures, list(own)


def test_every_finding_names_only_figures_that_the_diagnosis_gives():
    given: dict[str, set[str]] = {}
    for code, figures, _ in made("Finding", "metrics"):
        if isinstance(figures, ast.Dict):
            given[code] = {
                str(key.value) if isinstance(key, ast.Constant) else OF_ONE_CATEGORY
                for key in figures.keys
            }
    given["unused_categories"] = {
        "n_declared", "n_used", "unused", "bennett_s", "bennett_s_used"
    }  # fmt: skip
    given["inhomogeneous_batches"] = {
        {"pi_within_documents": "pi_within_batches", "n_documents": "n_batches"}.get(k, k)
        for k in given["inhomogeneous_documents"]
    }
    assert len(given) == 15
    for language in LANGUAGES:
        say = Language(language)
        for kind, figures in given.items():
            named = say.names_of(f"finding.{kind}.text")
            assert named <= figures, kind
            unnamed = [n for n in figures - named if not say.knows(f"figure.{n}")]
            assert len(unnamed) <= 2, (kind, unnamed)


def test_every_warning_has_words_that_the_terminal_knows():
    warnings = list(made("CodedWarning", "tasks", "flows", "metrics"))
    assert len({code for code, _, _ in warnings}) > 60
    for language in LANGUAGES:
        say = Language(language, TERMINAL)
        for code, _, own in warnings:
            keys = own or ([f"warning.{code}"] if code else [])
            assert [key for key in keys if not say.knows(key)] == []


STAGE_ARGUMENTS = {  # of functions that are given names of stages
    "stage": [0],
    "count_shards": [1],
    "summarise_layers": [1],
    "measure_layers": [1, 2],
}


def test_every_stage_of_a_run_has_words():
    stages: set[str] = set()
    for node in trees("flows"):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
        for name in (node.args[at] for at in STAGE_ARGUMENTS.get(called, ())):
            if isinstance(name, ast.JoinedStr):  # a stage and a layer
                name = name.values[0]
            if isinstance(name, ast.Constant):
                stages.add(str(name.value).strip().replace(" ", "_"))
    assert {"ingest", "align", "reading_grid"} <= stages
    unworded = stages - {"γ", "plan", "trials"}  # a symbol; the stages of studies
    for language in LANGUAGES:
        say = Language(language)
        assert [stage for stage in unworded if not say.knows(f"stage_name.{stage}")] == []


def test_a_warning_is_worded_in_the_page_s_language():
    found = CodedWarning("rows_rejected", {"n": 1549})
    assert in_english(found).startswith("1,549 rows rejected")
    assert warning_sentence(Language("en"), found) == (in_english(found), "en")
    assert warning_from(warning_json(found)) == found
    said, language = warning_sentence(Language("fr"), found)
    assert language == "fr"
    assert said.startswith("Lignes rejetées\u00a0: 1\u202f549")


def test_a_warning_of_another_version_keeps_its_sentence():
    said = "Something else."
    of_other_figures = {"code": "enough", "text": said, "figures": {"mean": 20}}
    for fields in ({"code": "of_tomorrow", "text": said}, of_other_figures, said):
        found = Results.model_validate({**EMPTY, "alerts": [fields]})
        assert warning_sentence(Language("fr"), found.alerts[0]) == ("Something else.", "en")
        assert found.model_dump(mode="json")["alerts"][0]["text"] == "Something else."


def test_figures_that_are_words_are_in_the_language():
    names = {"layer": "", "what": "categories", "n_names": 2, "names": "'a', 'A'"}
    assert in_english(CodedWarning("names_alike", names)).startswith("the categories 'a', 'A' are")
    assert "catégories" in warning_sentence(Language("fr"), CodedWarning("names_alike", names))[0]
    reason = add_reason(Reason(ReasonCode.ONE_ANNOTATOR), {"layer": "x"})
    said = CodedWarning("no_reading_table", reason)
    assert "because fewer than two annotators" in in_english(said)
    assert "fewer" not in warning_sentence(Language("fr"), said)[0]


def test_raw_figures_are_written_as_the_message_asks():
    say = Language("fr")
    figures = {"layer": "x", "n": 3, "symbol": "α", "value": 0.5504, "distance": "ordinal"}
    figures |= {"rate": 0.181, "reference": 25}
    said = say.filled("warning.reference_change", {**figures, "low": math.nan, "high": 0.2})
    assert "α 0,550, distance ordinal" in said
    assert "18,1\u202f%" in said
    assert "non défini" in said


def test_a_page_explains_the_rules_that_rejected_rows():
    account = RowAccount(n_read=4, rejected={"label_given": 1, "start_before_end": 2, "mine": 1})
    assert account_sentence(account, Language("fr"), explained=True) == (
        "4 lignes en entrée\u202f; mesurées\u00a0: 0, rejetées\u00a0: 4 "
        "(2 start_before_end\u00a0: le début n’est pas avant la fin\u202f; "
        "1 label_given\u00a0: la ligne n’a pas d’étiquette\u202f; 1 mine)"
    )
    assert "(2 start_before_end, 1 label_given, 1 mine)" in account_sentence(
        account, Language("fr")
    )


def test_no_english_remains_on_the_french_page():
    """Every text in French, but for what is marked as another language, code and names."""
    page = render(samples.typical(), language="fr")
    assert len(checked(page).words_of("fr")) > 500
    assert english_in(page) == []
    assert english_in(page.replace("Sommaire", "The contents")) == ["The contents"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_keys_of_the_campaign_file_instead_of_options_of_commands(language: Code):
    results = samples.typical()
    warned = results.model_copy(update={"alerts": [CodedWarning("turned_tables")]})
    shown = render(warned, language=language)
    assert "<code>options = { layout = &#34;transposed&#34; }</code> " in shown
    assert "--option" not in shown
    assert "<code>accordeur adjudicate" not in shown


def test_a_reason_in_a_sentence_is_never_cut_and_its_names_are() -> None:
    reason = Reason(ReasonCode.UNREACHABLE, coefficient="a" * 300, value=0.512, lowest=0.636)
    for code in LANGUAGES:
        said, _ = warning_sentence(
            Language(code), CodedWarning("no_reading_table", add_reason(reason, {"layer": "x"}))
        )
        assert " … " not in said
        assert len(said) < 450
    told = in_english(CodedWarning("no_reading_table", add_reason(reason, {"layer": "x"})))
    whole = ReasonCode.UNREACHABLE.value.format(coefficient="", value=0.512, lowest=0.636)
    before, after = whole.split("reach  of")
    assert told.startswith(f"x: no reading table, because {before}reach ")
    assert told.endswith(f" of{after}.")
