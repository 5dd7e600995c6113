"""The F values of bratiaa's two example reports, from the units that the brat reader gives.

Source: repository kldtz/bratiaa, example-files/example-project and its Markdown reports (MIT).
Means over the six pairs of annotators; the standard deviation is the population's.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.units.pairwise_f import f_by_pair, pairwise_counts, pairwise_f

pytestmark = pytest.mark.shared

ROW = re.compile(r"\| (\S+) +\| +([\d.]+) \| +([\d.]+) \|")
OVERALL = re.compile(r"Mean F1: ([\d.]+), SD F1: ([\d.]+)")


@pytest.fixture(scope="module")
def project(request, shared_data: Path, read):
    return read(shared_data / "bratiaa_example" / "example-project", "brat")


def instances(units) -> Counter:
    return Counter((u.document, u.start_offset, u.end_offset, u.category) for u in units)


def tokens_of(project):
    """Non-white runs of the text that a unit touches, with its category: bratiaa's tokens."""
    words = {
        d.document: [(m.start(), m.end()) for m in re.finditer(r"\S+", d.text)]
        for d in project.documents
    }

    def tokens(units) -> Counter:
        return Counter(
            (u.document, start, end, u.category)
            for u in units
            for start, end in words[u.document]
            if start < u.end_offset and u.start_offset < end
        )

    return tokens


def f_values(units, count) -> tuple[float, float]:
    """Mean and population SD over pairs of annotators of F = 2·common / (sum of both)."""
    people = sorted({u.annotator for u in units})
    marked = {name: count([u for u in units if u.annotator == name]) for name in people}
    values = [
        2 * (marked[a] & marked[b]).total() / (marked[a].total() + marked[b].total())
        for a, b in combinations(people, 2)
    ]
    return float(np.mean(values)), float(np.std(values))


def report(path: Path) -> dict[str, tuple[str, str]]:
    text = path.read_text()
    found = {name.removesuffix(".ann"): (mean, sd) for name, mean, sd in ROW.findall(text)}
    found["overall"] = OVERALL.findall(text)[0]
    return found


def test_counts(project):
    assert (len(project.documents), len(project.units), len(project.rejected)) == (7, 1567, 0)
    assert {str(a.state) for a in project.assignments} == {"finished"}


@pytest.mark.parametrize("kind", ["instance", "token"])
def test_every_value_of_the_report(project, shared_data, kind):
    count = instances if kind == "instance" else tokens_of(project)
    expected = report(shared_data / "bratiaa_example" / f"{kind}-agreement-report.md")
    assert len(expected) == 7 + 4 + 1
    for name, values in expected.items():
        if name == "overall":
            units = project.units
        elif name in {"LOC", "MISC", "ORG", "PER"}:
            units = project.by("units", category=name)
        else:
            units = project.by("units", document=name)
        mean, sd = f_values(units, count)
        assert (f"{mean:.3f}", f"{sd:.3f}") == values, name


def test_the_pairwise_f_is_that_of_the_reports(project, shared_data):
    """Of units, and by characters with tokens as the offsets, in all and in each category."""
    for kind, measure in (("instance", "pairwise_f"), ("token", "pairwise_f_characters")):
        corpus = continua_of(project, in_tokens=kind == "token")
        expected = report(shared_data / "bratiaa_example" / f"{kind}-agreement-report.md")
        pairs = [one.value for one in f_by_pair(pairwise_counts(corpus, measure)).values()]
        assert (f"{np.mean(pairs):.3f}", f"{np.std(pairs):.3f}") == expected["overall"]
        assert f"{pairwise_f(corpus, measure).detail.mean_of_pairs:.3f}" == expected["overall"][0]
        for k, name in enumerate(("LOC", "MISC", "ORG", "PER")):
            part = [one.select_units(one.categories == k) for one in corpus]
            assert f"{pairwise_f(part, measure).detail.mean_of_pairs:.3f}" == expected[name][0]


def continua_of(project, *, in_tokens: bool) -> list[Continuum]:
    """The units of each document, with the offsets of the text or of its non-white runs."""
    people = tuple(sorted({u.annotator for u in project.units}))
    tagset = tuple(sorted({u.category for u in project.units}))
    corpus = []
    for one in project.documents:
        units = project.by("units", document=one.document)
        words = list(re.finditer(r"\S+", one.text))
        starts = np.array([u.start_offset for u in units])
        ends = np.array([u.end_offset for u in units])
        if in_tokens:
            starts = np.searchsorted([w.end() for w in words], starts, side="right")
            ends = np.searchsorted([w.start() for w in words], ends, side="left")
        codes = np.array([tagset.index(u.category) for u in units])
        owners = np.array([people.index(u.annotator) for u in units])
        corpus.append(Continuum(starts, ends, codes, owners, people, tagset))
    return corpus
