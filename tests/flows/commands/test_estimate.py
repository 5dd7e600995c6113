"""`accordeur estimate` and `accordeur.estimate`: how often a corpus contains a category."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import accordeur as acc
from accordeur.data.errors import DataError
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.prevalence.audit_counts import AuditCounts, audit_table
from accordeur.metrics.prevalence.corrected_share import corrected_share_interval
from accordeur.metrics.prevalence.correction_limits import why_interval_only
from accordeur.tasks.queues_of_rounds import QueueRow, queue_table
from tests.flows.command_line import accordeur

NAMES = np.array(["none", "hate", "offence"])


def corpus(n: int = 1000, audited: int = 200, humans: int = 1, seed: int = 3) -> pd.DataFrame:
    """Labels of two systems on n items and of humans on the first ones."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, n, p=[0.7, 0.2, 0.1])

    def noisy(right: float, size: int) -> np.ndarray:
        of_other = rng.integers(0, 3, size)
        return NAMES[np.where(rng.random(size) < right, truth[:size], of_other)]

    given = {"gpt": noisy(0.85, n), "llama": noisy(0.7, n)}
    given |= {f"ann{k}": noisy(0.9, audited) for k in range(humans)}
    rows = [(f"q{i}", name, one) for name, some in given.items() for i, one in enumerate(some)]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    corpus().to_csv(path, index=False)
    return path


def test_the_audit_is_random_by_the_word_of_the_user_or_refused(table: Path):
    refused = accordeur("estimate", table, "--system", "gpt", "--system", "llama")
    assert refused.returncode == 2
    assert "state it with --audit-is-random" in refused.stderr
    done = accordeur("estimate", table, "--system", "gpt", "--system", "llama", "--audit-is-random")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The user states that the audit is random.")
    assert "gpt: 200 of 1,000 items audited." in done.stdout
    assert "Accuracy of gpt minus that of llama" in done.stdout
    with pytest.raises(DataError, match="state it with audit_is_random="):
        acc.estimate(corpus(), systems=["gpt", "llama"])


def test_json_and_python_say_the_same(table: Path):
    done = accordeur(
        "estimate", table, "--system", "gpt", "--role", "llama=system", "--audit-is-random",
        "--wanted-width", "0.05", "--json",
    )  # fmt: skip
    printed = json.loads(done.stdout)
    data = corpus()
    found = acc.estimate(
        data[data.annotator != "llama"], systems="gpt", audit_is_random=True, wanted_width=0.05
    )
    assert {key: printed[key] for key in found.to_document()} == found.to_document()
    hate = found["hate"]
    assert hate.interval[0] < hate.value < hate.interval[1]
    assert hate.interval[1] - hate.interval[0] < np.subtract(*hate.humans_interval[::-1])
    assert hate.n_needed > 200
    assert found.to_frame().category.tolist() == ["hate", "none", "offence"]
    assert "Corrected" not in found._repr_html_()
    with pytest.raises(KeyError, match="there are hate, none, offence"):
        found["love"]


def test_humans_on_all_items_need_no_word():
    data = corpus(100, 100)
    found = acc.estimate(data[data.annotator != "llama"], systems="gpt")
    share = (data[data.annotator == "ann0"].label == "hate").mean()
    assert found["hate"].value == pytest.approx(share)
    assert found["hate"].interval == (found["hate"].value, found["hate"].value)


def test_several_humans_are_a_target_of_their_own_with_their_agreement():
    data = corpus(humans=3)
    found = acc.estimate(data, systems=["gpt", "llama"], audit_is_random=True)
    assert "the majority of an item’s annotators" in " ".join(found.sentences)
    assert "(3 annotators in all)" in " ".join(found.sentences)
    assert found.agreement.measure == "krippendorff_alpha"
    assert any("humans do not decide" in one for one in found.warnings)
    model = acc.estimate(data, systems=["gpt", "llama"], audit_is_random=True, target="dawid_skene")
    assert "Dawid and Skene" in " ".join(model.sentences)


def test_a_queue_says_which_items_were_drawn_at_random(tmp_path: Path):
    data = corpus()
    drawn = [f"q{i}" for i in range(0, 200, 2)]
    rows = [QueueRow(1, "labels", "", one, "", "audit", 0.1, 0.0) for one in drawn]
    rows += [QueueRow(1, "labels", "", "q1", "ann0", "informative", 1.0, 0.0)]
    path = tmp_path / "round-0001.parquet"
    pq.write_table(queue_table(rows), path)
    found = acc.estimate(data, systems=["gpt", "llama"], queue=str(path))
    assert found.systems[0].n_audited == 100
    assert "recorded as drawn at random" in found.sentences[0]


def test_few_audited_items_give_the_humans_alone_or_an_interval():
    few = acc.estimate(corpus(audited=15), systems=["gpt", "llama"], audit_is_random=True)
    assert "15 audited items, and a correction needs 20" in str(few["hate"].reason)
    assert np.isnan(few["hate"].value)
    assert np.isfinite(few["hate"].humans)
    rare = corpus(audited=100)
    of_ann = rare.annotator == "ann0"
    rare.loc[of_ann & (rare.label == "offence"), "label"] = "none"
    rare.loc[rare.index[of_ann][:2], "label"] = "offence"
    found = acc.estimate(rare, systems=["gpt", "llama"], audit_is_random=True)["offence"]
    assert "an interval only" in str(found.reason)
    assert np.isnan(found.value)
    assert np.isfinite(found.interval).all()


def test_values_of_rare_categories_are_selected_and_the_output_says_so():
    """Shown only from three hits on, corrected shares of .03 are about .05 on average."""
    share, n_items, n_audited, shown, inside = 0.03, 600, 60, [], []
    rng = np.random.default_rng(7)
    for _ in range(400):
        truth = (np.arange(n_items) < share * n_items).astype(np.int64)
        system = np.where(rng.random(n_items) < 0.9, truth, 1 - truth)
        human = np.full(n_items, -1)
        audited = rng.permutation(n_items)[:n_audited]
        human[audited] = truth[audited]
        counts = audit_table(system, human, 2).one_against_rest()
        counts = AuditCounts(
            counts.weights[1], counts.sizes[1], counts.hits[1], np.asarray(counts.n_items[1])
        )
        bounds = corrected_share_interval(counts)
        inside.append(bounds.lower <= share <= bounds.upper)
        if why_interval_only(counts) is None:
            shown.append(float(counts.share))
    assert 0.042 < np.mean(shown) < 0.058
    assert np.mean(inside) > 0.93
    rare, common = corpus(audited=60), corpus(audited=600)
    selected = [
        "three audited items or more" in " ".join(found.sentences)
        for found in (
            acc.estimate(rare, systems=["gpt", "llama"], audit_is_random=True),
            acc.estimate(common, systems=["gpt", "llama"], audit_is_random=True),
        )
    ]
    assert selected == [True, False]


def test_an_audit_that_is_no_sample_of_the_corpus_is_refused():
    data = corpus()
    hate = data[(data.annotator == "gpt") & (data.label == "hate")].item
    of_hate = data[(data.annotator != "ann0") | data.item.isin(hate)]
    found = acc.estimate(of_hate, systems=["gpt", "llama"], audit_is_random=True)
    assert "no random sample of its labels in the corpus" in str(found["hate"].reason)
    by_label = acc.estimate(
        of_hate, systems=["gpt", "llama"], audit_is_random=True, drawn_by="label"
    )
    assert "no audited item among those" in str(by_label["hate"].reason)


def test_documents_of_an_audit_are_whole():
    data = corpus(audited=300)
    data["document"] = "d" + (data.item.str[1:].astype(int) // 10).astype(str)
    found = acc.estimate(data, systems=["gpt", "llama"], audit_is_random=True, drawn_by="document")
    by_item = acc.estimate(data, systems=["gpt", "llama"], audit_is_random=True)
    assert found["hate"].value == pytest.approx(by_item["hate"].value)
    assert found["hate"].interval[1] > by_item["hate"].interval[1]
    assert "whole documents" in found.sentences[1]
    partly = acc.estimate(
        data[~((data.annotator == "ann0") & data.item.str.endswith("5"))].copy(),
        systems=["gpt", "llama"],
        audit_is_random=True,
        drawn_by="document",
    )
    assert "nobody audited" not in str(partly["hate"].reason or "")
    half = data[~((data.annotator == "ann0") & data.item.str.contains("[5-9]$"))]
    refused = acc.estimate(
        half, systems=["gpt", "llama"], audit_is_random=True, drawn_by="document"
    )
    assert "have items that nobody audited" in str(refused["hate"].reason)


def test_a_mean_needs_numbers_or_an_order():
    data = corpus()
    both = {"systems": ["gpt", "llama"], "audit_is_random": True, "measures": "mean"}
    with pytest.raises(MetricsError, match="the labels have no mean"):
        acc.estimate(data, **both)
    found = acc.estimate(data, categories=["none", "offence", "hate"], **both)
    mean = found.systems[0].mean
    assert 1 < mean.interval[0] < mean.value < mean.interval[1] < 3


def test_a_batch_is_compared_with_an_earlier_one():
    found = acc.estimate(
        corpus(), systems=["gpt", "llama"], audit_is_random=True, before=corpus(seed=9)
    )
    for change in found.systems[0].changes:
        assert change.interval[0] < change.value < change.interval[1]
        assert change.interval[0] < 0 < change.interval[1]


def test_simultaneous_intervals_are_wider():
    data, words = corpus(), {"systems": ["gpt", "llama"], "audit_is_random": True}
    one, all_ = acc.estimate(data, **words), acc.estimate(data, simultaneous=True, **words)
    assert all_["hate"].interval[0] < one["hate"].interval[0]
    assert "hold together at 95%" in " ".join(all_.sentences)


def test_mistakes_are_named(table: Path):
    for arguments, said in (
        (("--system", "gp"), "no label of 'gp'; the annotators are"),
        (("--system", "gpt", "--audit-is-random", "--only", "love"), "'love' does not occur"),
        (("--system", "gpt", "--measure", "median"), "there are share, accuracy, mean"),
        ((), "there is no system among the annotators: name it with --system"),
        (("--system", "gpt", "--audit-is-random", "--drawn-by", "document"), "no documents"),
    ):
        done = accordeur("estimate", table, *arguments)
        assert done.returncode == 2, done.stdout
        assert said in done.stderr


def test_corrections_of_the_literature_are_shown_on_request(tmp_path: Path):
    path, words = tmp_path / "labels.csv", ("--system", "gpt", "--audit-is-random")
    data = corpus(2000, 600)
    data[data.annotator != "llama"].to_csv(path, index=False)
    assert "PPI" not in accordeur("estimate", path, *words).stdout
    done = accordeur("estimate", path, *words, "--textbook").stdout
    assert "PPI++" in done
    few = accordeur("estimate", path, *words, "--textbook", "--only", "hate", "--json").stdout
    assert [one["method"] for one in json.loads(few)["systems"][0]["shares"][0]["textbook"]] == [
        "rogan_gladen",
        "ppi",
        "ppi_plus_plus",
    ]


def test_a_tiny_p_is_not_printed_as_zero(tmp_path: Path):
    data = corpus()
    hate = data[(data.annotator == "gpt") & (data.label == "hate")].item
    data[(data.annotator == "gpt") | data.item.isin(hate)].to_csv(tmp_path / "x.csv", index=False)
    done = accordeur("estimate", tmp_path / "x.csv", "--system", "gpt", "--audit-is-random")
    assert "labels in the corpus (p < 0.001)" in done.stdout


def test_labels_and_audit_in_two_files_are_joined_or_refused(tmp_path: Path):
    data = corpus()
    is_gpt = data.annotator == "gpt"
    data[is_gpt].to_csv(tmp_path / "gpt.csv", index=False)
    data[data.annotator == "ann0"].to_csv(tmp_path / "audit.csv", index=False)
    given = ("estimate", tmp_path / "gpt.csv", tmp_path / "audit.csv", "--system", "gpt")
    refused = accordeur(*given, "--audit-is-random")
    assert refused.returncode == 2
    assert "gpt labelled none of the 200 audited items" in refused.stderr
    assert "--option 'paths={annotator}'" in refused.stderr
    done = accordeur(*given, "--audit-is-random", "--option", "paths={annotator}")
    assert "gpt: 200 of 1,000 items audited." in done.stdout
    other = data[~is_gpt].assign(item="other " + data.item)
    with pytest.raises(DataError, match="their names differ, such as 'other q0' and 'q0'"):
        acc.estimate(pd.concat([data[is_gpt], other]), systems="gpt", audit_is_random=True)


def test_the_mean_of_several_humans_is_that_of_their_labels():
    """A mean of 3.5 of two humans lies between two steps of the scale."""
    rows = [(i, "gpt", 1 + i % 5) for i in range(200)]
    rows += [(i, "ann0", 1 + i % 5) for i in range(60)]
    rows += [(i, "ann1", 1 + (i + i % 2) % 5) for i in range(60)]
    data = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    found = acc.estimate(data, systems="gpt", audit_is_random=True, measures="mean")
    assert found.systems[0].mean.humans == pytest.approx(data[data.annotator != "gpt"].label.mean())
    said = " ".join(found.sentences)
    assert "The mean aims at the mean of the annotators’ labels of each item: 30 items" in said
    assert "majority" not in said


def test_an_audit_of_documents_without_documents_names_the_options():
    with pytest.raises(ValueError, match=r"document=.*drawn_by="):
        acc.estimate(corpus(), systems="gpt", audit_is_random=True, drawn_by="document")
