"""The section on numeric ratings, in both languages."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import table_matrix
from accordeur.metrics.options import Sampling
from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Figure, Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.results import ItemAgreement
from accordeur.reports.views.ratings import ratings_section
from accordeur.tasks.agreement.rating_study import rating_study
from tests.reports.views.pages import results_with


def layer(**passes) -> ItemAgreement:
    rng = np.random.default_rng(2)
    numbers = np.clip(np.round(rng.normal(4, 2, (20, 1)) + rng.normal(size=(20, 3))), 1, 7)
    tagset = [str(k) for k in range(1, 8)]
    matrix = table_matrix(
        items_by_annotators=numbers.astype(int).astype(str).tolist(),
        annotators=["ann", "ben", "cat"],
        tagset=tagset,
    )
    study = rating_study(matrix, passes, Sampling(replicates=50))
    return ItemAgreement(
        layer="quality",
        tagset=tagset,
        annotators=["ann", "ben", "cat"],
        n_items=20,
        values=[],
        ratings=study,
    )


@pytest.mark.parametrize(
    ("language", "scale", "limits"),
    [
        ("en", "if the labels are categories", "Limits of agreement"),
        ("fr", "si les étiquettes sont des catégories", "Limites d’accord"),
    ],
)
def test_a_layer_of_ratings_has_scale_forecast_limits_and_figure(
    language: str, scale: str, limits: str
) -> None:
    again = table_matrix(items_by_annotators=[["1", "2"], ["3", "3"]], annotators=["1", "2"])
    section = ratings_section(Page(results_with(items=[layer(ann=again)]), Language(language)))
    assert section is not None
    said = " ".join(one.text for one in section.blocks if isinstance(one, Prose))
    assert scale in said
    assert "0.5" in said or "0,5" in said  # the within-annotator standard deviation
    tables = {one.caption: one for one in section.blocks if isinstance(one, Table)}
    assert len(tables[limits].rows) == 3
    [figure] = [one for one in section.blocks if isinstance(one, Figure)]
    assert "Bland" in figure.caption


def test_without_ratings_there_is_no_section() -> None:
    plain = layer().model_copy(update={"ratings": None})
    assert ratings_section(Page(results_with(items=[plain]), Language("en"))) is None
