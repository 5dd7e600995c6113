"""How the page names intervals for new annotators, and shows k-rater reliability."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.k_rater import k_rater_reliability
from accordeur.metrics.agreement.label_matrix import LabelMatrix, table_matrix
from accordeur.metrics.options import AgreementSampling, Sampling
from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Table
from accordeur.reports.page.page import Page
from accordeur.reports.page.values import value_view
from accordeur.reports.results import ItemAgreement, Resampling, Results
from accordeur.reports.views.items import items_section
from accordeur.reports.views.resampling import resampling_section
from accordeur.reports.views.statement import limit_keys
from tests.reports.views.pages import results_with

SAMPLING = Sampling(replicates=50)


def labels(n_annotators: int) -> LabelMatrix:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 40)[:, None]
    codes = np.where(rng.random((40, n_annotators)) < 0.8, truth, 1 - truth)
    return table_matrix(items_by_annotators=codes.tolist(), tagset=["0", "1"])


def results(n_annotators: int) -> Results:
    matrix = labels(n_annotators)
    new_annotators = AgreementSampling(SAMPLING.replicates, interval="annotators")
    values = evaluate_matrix(matrix, measures=["fleiss_kappa"], sampling=new_annotators)
    agreement = ItemAgreement(
        layer="stance",
        tagset=["0", "1"],
        annotators=list(matrix.annotators),
        n_items=40,
        values=values,
    )
    study = Resampling(
        layer="stance",
        ties="random",
        n_annotators=n_annotators,
        n_items=40,
        points=[],
        reliability=k_rater_reliability(matrix, measure="fleiss_kappa", sampling=SAMPLING),
    )
    return results_with(items=[agreement], resampling=[study])


@pytest.mark.parametrize(
    ("language", "card", "note", "column"),
    [
        ("en", "95% CI for new annotators [", "for new annotators of the same pool", "together"),
        ("fr", "pour de nouveaux annotateurs [", "nouveaux annotateurs de la même", "réunis"),
    ],
)
def test_the_page_says_that_intervals_are_for_new_annotators(
    language: str, card: str, note: str, column: str
) -> None:
    found = results(4)
    page = Page(found, Language(language))
    assert card in value_view(page, found.items[0].values[0]).interval_long
    items, resampling = items_section(page), resampling_section(page)
    assert items is not None
    assert resampling is not None
    [coefficients] = [one for one in items.blocks if isinstance(one, Table)]
    assert note in coefficients.note
    table = [one for one in resampling.blocks if isinstance(one, Table)][-1]
    assert column in table.columns[1].text
    assert [row[0].text for row in table.rows] == ["1", "2"]
    assert "interval_annotators" in limit_keys(found)


def test_the_page_says_why_two_annotators_have_no_such_interval() -> None:
    found = results(2)
    items = items_section(Page(found, Language("en")))
    assert items is not None
    [coefficients] = [one for one in items.blocks if isinstance(one, Table)]
    assert "they need at least three annotators" in coefficients.note
    assert "interval" in limit_keys(found)
