"""Precision of a campaign to come, references of models, plans of studies."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import AgreementSampling, Sampling
from accordeur.metrics.resampling.grids.perfect_campaign import uniform_campaign
from accordeur.metrics.resampling.label_pilot import pilot_variance, scale_to_interval
from accordeur.metrics.resampling.planning import PilotVariance, allocate_budget
from accordeur.metrics.resampling.planning_error import (
    interval_of_plan_figure,
    pilots_without_each_group,
)
from accordeur.metrics.resampling.reference_stability import MODELS, count_changed_labels
from accordeur.metrics.resampling.study import (
    Batch,
    GridCell,
    Study,
    SyntheticCell,
    batch_size_for,
    plan_batches,
    run_trials,
)
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.metrics.resampling.synthetic.synthetic_annotators import Synthesis, item_profile


def _population(campaign, n_items, n, seed):
    """Items of random difficulty, annotators alike: a campaign of any size from one population."""
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 3, (n_items, 1))
    hard = rng.beta(1, 2, (n_items, 1))
    lot = rng.integers(0, 3, (n_items, n))
    return campaign(np.where(rng.random((n_items, n)) > hard, base, lot), 3)


def test_planned_width_is_the_width_that_campaigns_get(campaign):
    pilot = pilot_variance(_population(campaign, 400, 5, 0))
    for n_items, n in ((100, 3), (60, 5)):
        values = [
            compute_coefficient("krippendorff_alpha", _population(campaign, n_items, n, seed)).value
            for seed in range(1, 300)
        ]
        width = 2 * 1.96 * np.std(values, ddof=1)
        assert pilot.width(n_items, n) == pytest.approx(width, rel=0.2)


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.45])
@pytest.mark.parametrize("n", [2, 3])
def test_a_campaign_that_lacks_as_many_labels_as_its_pilot_has_the_planned_width(
    campaign, missing, n
):
    """Items with one label only widen the interval of a large campaign as they do the pilot's."""

    def lacking(n_items, seed):
        whole = _population(campaign, n_items, 3, seed)
        lacks = np.random.default_rng(seed + 1).random(whole.codes.shape) < missing
        lacks[lacks.all(axis=1), 0] = False
        return replace(whole, codes=np.where(lacks, -1, whole.codes).astype(np.int32))

    pilot = pilot_variance(lacking(1500, 0))
    values = [
        compute_coefficient(
            "krippendorff_alpha", lacking(500, seed).select_annotators(range(3 - n, 3))
        ).value
        for seed in range(10, 260)
    ]
    width = 2 * stats.t.ppf(0.975, 499) * np.std(values, ddof=1)
    assert pilot.width(500, n) == pytest.approx(width, rel=0.12)


def test_documents_for_a_width_inverts_it(campaign):
    pilot = pilot_variance(_population(campaign, 150, 4, 1))
    for new in (False, True):
        n_documents = pilot.documents_for(0.25, 4, new_annotators=new)
        assert n_documents is not None
        assert pilot.width(n_documents, 4, new_annotators=new) <= 0.25
        assert pilot.width(n_documents - 1, 4, new_annotators=new) > 0.25
    assert pilot.documents_for(1e-6, 4, new_annotators=True) is None
    assert pilot.width(50, 4, level=0.99) > pilot.width(50, 4)


def test_few_documents_need_student(campaign):
    """Five documents of variance 1 each: 2 · t(4) / √5, t of .975 being 2.776."""
    found = pilot_variance(_population(campaign, 30, 3, 6))
    pilot = replace(found, variance=np.ones(2))
    assert pilot.width(5, 2) == pytest.approx(2 * 2.776445 / 5**0.5)
    assert pilot.documents_for(2 * 2.776446 / 5**0.5, 2) == 5
    assert pilot.documents_for(2 * 2.776444 / 5**0.5, 2) == 6
    assert pilot.unrounded_documents_for(2 * 1.959964, 2) == pytest.approx(1)
    assert pilot.documents_for(100, 2) == 2  # of one there is no interval


def test_budget_lines_stay_within_the_budget(campaign):
    pilot = pilot_variance(_population(campaign, 80, 3, 2))
    lines = allocate_budget(pilot, 500, cost_per_label=2.0, cost_per_annotator=40.0)
    assert [line.annotators for line in lines] == list(range(2, 11))
    for line in lines:
        assert line.cost <= 500
        assert line.labels == line.documents * line.annotators
    assert lines[0].documents == (500 - 80) // 4
    assert allocate_budget(pilot, 90, cost_per_label=2.0, cost_per_annotator=40.0)[0].documents == 2
    assert allocate_budget(pilot, 87, cost_per_label=2.0, cost_per_annotator=40.0) == ()


@pytest.mark.long
def test_how_sure_a_plan_is(campaign):
    """The interval of a pilot's number holds that of the population about 19 times in 20."""
    truth = pilot_variance(_population(campaign, 20_000, 3, 99)).documents_for(0.1, 3)
    held, estimates = 0, []
    for seed in range(60):
        pilot = pilot_variance(matrix := _population(campaign, 40, 3, seed))
        low, high = interval_of_plan_figure(
            lambda one: one.documents_for(0.1, 3), pilot, pilots_without_each_group(matrix)
        )
        held += low <= truth <= high
        estimates.append(pilot.documents_for(0.1, 3))
    assert 52 <= held <= 60
    assert np.mean(estimates) == pytest.approx(truth, rel=0.1)


def test_a_figure_that_is_unknown_without_a_part_has_no_interval(campaign):
    pilot = pilot_variance(matrix := _population(campaign, 30, 3, 4))
    left_out = pilots_without_each_group(matrix, groups=5)
    assert len(left_out) == 5
    assert np.isnan(interval_of_plan_figure(lambda one: None, pilot, left_out)).all()
    assert np.isnan(interval_of_plan_figure(lambda one: 3.0, pilot, left_out[:1])).all()
    assert np.isnan(interval_of_plan_figure(lambda one: 3.0, pilot, left_out)).all()  # no spread
    assert np.isnan(interval_of_plan_figure(_width_of_100, pilot, [*left_out, None])).all()


def _width_of_100(pilot: PilotVariance) -> float:
    return pilot.width(100, 3)


def test_the_range_is_of_students_t_on_logarithms(campaign):
    pilot = pilot_variance(matrix := _population(campaign, 6, 3, 4))
    left_out = pilots_without_each_group(matrix)
    known = np.log([_width_of_100(one) for one in left_out])
    error = math.sqrt(5 / 6 * ((known - known.mean()) ** 2).sum())
    own = math.log(_width_of_100(pilot))
    expected = np.exp(stats.t.interval(0.95, 5, own, error))
    assert interval_of_plan_figure(_width_of_100, pilot, left_out) == pytest.approx(expected)


def test_a_pilot_in_which_one_item_differs_has_no_range(campaign):
    """Without this item nothing varies, and without any other one the plan is the same."""
    matrix = campaign([[0, 0], [0, 0], [1, 1], [1, 1], [1, 1], [0, 1]], 2)
    pilot, left_out = pilot_variance(matrix), pilots_without_each_group(matrix)
    assert (len(left_out), left_out.count(None)) == (6, 1)
    found = interval_of_plan_figure(lambda one: one.width(100, 2), pilot, left_out)
    assert np.isnan(found).all()


def test_sizes_of_large_crews_are_in_steps(campaign):
    pilot = pilot_variance(_population(campaign, 30, 39, 5), subsets=2)
    assert pilot.annotators.tolist() == [*range(2, 13), 15, 19, 24, 30, 38, 39]


def test_planning_refuses_what_it_cannot_do(campaign):
    with pytest.raises(MetricsError, match="at least two annotators"):
        pilot_variance(campaign([[0], [1]], 2))
    with pytest.raises(MetricsError, match="no standard error"):
        pilot_variance(campaign([[0, 0], [0, 0]], 2))
    with pytest.raises(MetricsError, match="does not vary"):
        pilot_variance(campaign([[0, 0], [1, 1], [1, 1]], 2))
    pilot = pilot_variance(_population(campaign, 30, 3, 3))
    with pytest.raises(MetricsError, match="2 annotators"):
        pilot.width(10, 1)
    with pytest.raises(MetricsError, match="must be positive"):
        pilot.documents_for(0, 3)
    with pytest.raises(MetricsError, match="budget"):
        allocate_budget(pilot, 0)


def test_stability_of_the_majority_is_its_modification_rate(emotion):
    exact = modification_rate(emotion, ks=[5, 15], ties="abstain", n_replicates=0)
    whole = MODELS["majority"](emotion)
    sampled = np.array(
        [
            [
                count_changed_labels(emotion, MODELS["majority"], whole, k=k, trial=t)
                for t in range(300)
            ]
            for k in (5, 15)
        ]
    )
    changed, compared = sampled.sum(axis=1).T
    assert changed / compared == pytest.approx(exact.rate, abs=0.01)
    n_labelled = int((whole >= 0).sum())
    assert compared / (300 * n_labelled) == pytest.approx(1 - exact.abstained, abs=0.01)


@pytest.mark.parametrize("model", sorted(MODELS))
def test_every_model_settles_as_annotators_join(emotion, model):
    small = replace(
        emotion, codes=emotion.codes[:40, :12], annotators=emotion.annotators[:12], roles=()
    )
    labels_of = MODELS[model]
    whole = labels_of(small)

    def change(k: int) -> float:
        counts = [
            count_changed_labels(small, labels_of, whole, k=k, trial=trial) for trial in range(3)
        ]
        changed, compared = np.array(counts).sum(axis=0)
        return changed / compared

    with_eleven = change(11)
    assert with_eleven <= change(3)
    assert change(12) == 0
    assert change(11) == with_eleven


def test_a_subset_without_labels_compares_nothing(campaign):
    matrix = campaign([[0, -1, -1], [1, 1, -1]], 2)
    whole = matrix.codes[:, 0]
    found = {
        count_changed_labels(matrix, lambda some: some.codes[:, 0], whole, k=1, trial=trial)
        for trial in range(20)
    }
    assert found == {(0, 0), (0, 1), (0, 2)}  # the third, the second, the first annotator


def _study(emotion, trials=40):
    profile = item_profile(emotion)
    return Study(
        "emotion",
        (
            SyntheticCell("reported", profile),
            SyntheticCell("alike", profile, Synthesis(p2=(0.2, 0.2))),
        ),
        trials=trials,
    )


def test_a_plan_covers_what_is_not_done(emotion):
    study = _study(emotion, 100)
    batches = plan_batches(study, batch_size=30, done={"reported": range(10, 50)})
    assert batches[:3] == (
        Batch("reported", 0, 10), Batch("reported", 50, 30), Batch("reported", 80, 20),
    )  # fmt: skip
    assert sum(batch.count for batch in batches) == 160
    assert plan_batches(study, done={"reported": range(100), "alike": set(range(100))}) == ()


def test_a_study_of_a_million_trials_is_planned_in_no_time(emotion):
    study = _study(emotion, 500_000)
    size = batch_size_for(0.01)
    assert size == 1500
    batches = plan_batches(study, batch_size=size)
    assert sum(batch.count for batch in batches) == 1_000_000
    assert len(batches) == 2 * math.ceil(500_000 / 1500)


def test_an_interrupted_study_ends_with_the_same_rows(emotion):
    study = pickle.loads(pickle.dumps(_study(emotion)))
    cell = study.cell("reported")
    unbroken = run_trials(cell, 0, 40, study=study.root)
    kept = [run_trials(cell, 8, 8, study=study.root)]
    rest = [
        run_trials(cell, batch.first, batch.count, study=study.root)
        for batch in plan_batches(study, batch_size=7, done={"reported": kept[0]["trial"].tolist()})
        if batch.cell == "reported"
    ]
    parts = sorted(kept + rest, key=lambda part: part["trial"][0])
    for name, column in unbroken.items():
        assert (np.concatenate([part[name] for part in parts]) == column).all()
    other = run_trials(study.cell("alike"), 0, 40, study=study.root)
    assert not (other["conger_kappa"] == unbroken["conger_kappa"]).all()


def _first_share(continua):
    return float(np.mean([(c.owners == 0).mean() for c in continua]))


def test_a_grid_cell_is_a_point_of_a_curve(reading_curve):
    model = uniform_campaign()
    cell = GridCell("omission .4", _first_share, model, "omission", 0.4)
    rows = run_trials(cell, 0, 5, study="s#0")
    assert list(rows) == ["trial", "value"]
    curve = reading_curve(
        _first_share, model, "omission", magnitudes=(0, 0.4), trials=5, study="s#0/omission .4"
    )
    assert rows["value"].mean() == pytest.approx(curve.mean[1])
    assert cell.settings["degradation"] == "omission"


def test_studies_are_checked(emotion):
    cell = _study(emotion).cells[0]
    with pytest.raises(MetricsError, match="no cell"):
        Study("empty", ())
    with pytest.raises(MetricsError, match="two cells named 'reported'"):
        Study("twice", (cell, cell))
    with pytest.raises(MetricsError, match="1 or more"):
        Study("none", (cell,), trials=0)
    with pytest.raises(MetricsError, match="has no cell 'other'"):
        _study(emotion).cell("other")
    with pytest.raises(MetricsError, match="batch_size"):
        plan_batches(_study(emotion), batch_size=0)
    with pytest.raises(MetricsError, match="at least one"):
        run_trials(cell, 0, 0, study="s")


@pytest.mark.parametrize("interval", ["bootstrap", "annotators"])
@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(
    ("n_items", "n", "measure"),
    [(40, 3, "krippendorff_alpha"), (25, 4, "conger_kappa"), (60, 3, "gwet_ac1")],
)
def test_a_plan_at_the_size_of_the_pilot_is_the_interval_of_the_pilot(
    campaign, interval, level, n_items, n, measure
):
    matrix = _population(campaign, n_items, n, 3)
    sampling = AgreementSampling(confidence_level=level, seed=5, interval=interval)
    [of_pilot] = evaluate_matrix(matrix, measures=[measure], sampling=sampling)
    pilot = scale_to_interval(
        pilot_variance(matrix, measure=measure),
        matrix,
        distance="nominal",
        sampling=Sampling(confidence_level=level, seed=5),
    )
    planned = pilot.width(n_items, n, level=level, new_annotators=interval == "annotators")
    assert planned == pytest.approx(of_pilot.interval[1] - of_pilot.interval[0], rel=1e-9)
