"""Draw the figures of docs/concepts: every number in them is computed by the product.

python docs/pictures/draw_concepts.py     writes docs/pictures/concept-*.svg
"""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from drawing import SAY, Curve, Row, cells, curves, figure, histogram, rows_on_an_axis, shares
from near_misses import near_misses
from published_values import KINDS, PUBLISHED

import accordeur as acc
from accordeur.metrics.prevalence.audit_counts import AuditCounts
from accordeur.metrics.prevalence.corrected_share import corrected_share_interval
from accordeur.metrics.prevalence.textbook import prediction_powered, rogan_gladen
from accordeur.reports.figures.curve import Level, Point, curve

FOLDER = Path(__file__).parent
TRUE_RATE = 0.9  # of ill recognised as ill, and of healthy as healthy


def _labels(table: list[list[int]]) -> np.ndarray:
    """The labels of two annotators with these counts of pairs."""
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return np.array(pairs, dtype=float).T


def _value(name: str, labels: np.ndarray) -> float:
    return float(acc.coefficient(name, labels, rows="annotators", replicates=0))


def prevalence() -> str:
    """κ and AC1 of two physicians who are equally good at every prevalence."""
    places = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]
    names = ("percent_agreement", "gwet_ac1", "cohen_kappa")
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for ill in places:
        both = ill * TRUE_RATE**2 + (1 - ill) * (1 - TRUE_RATE) ** 2
        none = ill * (1 - TRUE_RATE) ** 2 + (1 - ill) * TRUE_RATE**2
        apart = TRUE_RATE * (1 - TRUE_RATE)
        counts = [
            [round(20_000 * share) for share in row] for row in ((both, apart), (apart, none))
        ]
        labels = _labels(counts)
        for name in names:
            found[name].append((ill, _value(name, labels)))
    agreed, rare, even = (
        found["percent_agreement"][0][1], found["cohen_kappa"][0][1], found["cohen_kappa"][-1][1],
    )  # fmt: skip
    drawing = curves(
        [
            Curve("observed agreement", found["percent_agreement"], -1),
            Curve("AC1", found["gwet_ac1"], 4),
            Curve("κ", found["cohen_kappa"], 5, above=False),
        ],
        name="concept-prevalence",
        x=(0.0, 0.5),
        x_title="share of patients who are ill",
        y_title="value",
        percent=(True, False),
        title="Agreement and coefficients as a category becomes rare",
        description=f"Observed agreement stays at {agreed:.2f}. Cohen’s κ falls from {even:.2f}, "
        f"where half of the patients are ill, to {rare:.2f}, where 1 % are; Gwet’s AC1 rises.",
    )  # fmt: skip
    return figure(
        drawing,
        "The same two physicians, who recognise 90 % of the ill and 90 % of the healthy, agree on "
        f"{100 * agreed:.0f} % of the patients, whether the disease is frequent or rare. κ is "
        f"{even:.2f} where half of the patients are ill, and {rare:.2f} where 1 % are.",
    )


def intervals() -> str:
    """The same κ from more and more items."""
    table = [[5, 1], [1, 3]]
    rows = []
    for times in (1, 5, 10, 50):
        labels = _labels([[n * times for n in row] for row in table])
        value = acc.coefficient("cohen_kappa", labels, rows="annotators")
        low, high = value.interval
        note = f"{float(value):.2f} [{low:.2f}, {high:.2f}]".replace("-", "−")
        rows.append(Row(f"{10 * times} items", float(value), low, high, note))
    drawing = rows_on_an_axis(
        rows,
        name="concept-intervals",
        x=(-0.2, 1.0),
        x_title="Cohen’s κ with its 95 % CI",
        title="One value of κ from 10, 50, 100 and 500 items",
        description="; ".join(f"{one.name}: {one.note}" for one in rows),
        note_width=140,
    )
    return figure(
        drawing,
        f"Two annotators agree on 80 % of their items: κ = {rows[0].value:.2f} each time. From "
        f"10 items this is compatible with almost any agreement, from 500 it is a result.",
    )


def bootstrap() -> str:
    """The distribution of κ over resamples of 50 items."""
    labels = _labels([[25, 5], [5, 15]])
    rng = np.random.default_rng(39)
    n = labels.shape[1]
    drawn = [
        _value("cohen_kappa", labels[:, (rng.random(n) * n).astype(int)]) for _ in range(200)
    ]  # fmt: skip
    low, step = 0.1, 0.05
    counts = [0] * 18
    for one in drawn:
        counts[min(17, max(0, int((one - low) / step)))] += 1
    ends = np.quantile(drawn, [0.025, 0.975])
    drawing = histogram(
        counts,
        low=low,
        step=step,
        marks=[
            (float(end), f"{share} %: {end:.2f}")
            for end, share in zip(ends, ("2.5", "97.5"), strict=True)
        ],
        name="concept-bootstrap",
        x_title="Cohen’s κ of a resample",
        y_title="resamples",
        title="κ of 200 resamples of 50 items",
        description=f"The values are spread around {_value('cohen_kappa', labels):.2f}; the middle "
        f"95 % of them lie between {ends[0]:.2f} and {ends[1]:.2f}.",
    )  # fmt: skip
    return figure(
        drawing,
        "The idea of resampling: draw 50 items with replacement from the 50 that you have, compute "
        "κ again, and repeat. The middle 95 % of the values show how much κ depends on the items.",
    )


def _panel(right: float, *, n_items: int = 100, n: int = 25, seed: int = 25) -> pd.DataFrame:
    """Labels of simulated annotators who find an item's category with probability `right`."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n_items) * 3).astype(int)
    slips = rng.random((n, n_items)) >= right
    others = (truth + 1 + (rng.random((n, n_items)) * 2).astype(int)) % 3
    labels = np.where(slips, others, truth)
    a, i = np.divmod(np.arange(n * n_items), n_items)
    return pd.DataFrame({"item": i, "annotator": a, "label": labels.ravel()}).astype(str)


def _matrix(panel: pd.DataFrame) -> np.ndarray:
    """The labels of the panel, a row per annotator."""
    labels = panel["label"].to_numpy(dtype=float)
    return labels.reshape(panel["annotator"].nunique(), -1)


def modification() -> str:
    """M(k) of two panels of 25."""
    lines, at_three = [], []
    for right in (0.6, 0.8):
        panel = _panel(right)
        alpha = float(acc.krippendorff_alpha(_matrix(panel), rows="annotators", replicates=0))
        rates = acc.modification_rate(panel, replicates=0)
        points = [(float(one.detail.k), float(one)) for one in rates][:12]
        at_three.append((alpha, dict(points)[3.0]))
        lines.append(Curve(f"panel with α = {alpha:.2f}", points, 2))
    drawing = curves(
        lines,
        name="concept-modification",
        x=(1.0, 12.5),
        y=(0.0, max(y for _, y in lines[0].points) * 1.25),
        x_title="annotators who vote, k of 25",
        y_title="labels that change, M(k)",
        percent=(False, True),
        title="The modification rate M(k) of two panels of 25 annotators",
        description="; ".join(
            f"α = {alpha:.2f}: {100 * rate:.0f} % of the labels change with 3 annotators"
            for alpha, rate in at_three
        ),
    )
    low, high = at_three
    return figure(
        drawing,
        f"With three annotators instead of 25, {100 * low[1]:.0f} % of the labels would change in "
        f"a panel with α = {low[0]:.2f}, and {100 * high[1]:.0f} % in one with α = {high[0]:.2f} "
        "(simulated, 100 items, three categories).",
    )


def votes() -> str:
    """Majorities of five annotators and of three of them."""
    annotators = ["AABBCC", "ABBBCA", "ABBACC", "BAAACB", "AABACC"]
    columns = ["".join(column) for column in zip(*annotators, strict=True)]
    everyone = "".join(Counter(one).most_common(1)[0][0] for one in columns)
    three = "".join(Counter(one[:3]).most_common(1)[0][0] for one in columns)
    rows = [(f"annotator {k + 1}", word, "") for k, word in enumerate(annotators)]
    rows += [("vote of all five", everyone, ""), ("vote of 1, 2 and 3", three, "")]
    changed = [a != b for a, b in zip(everyone, three, strict=True)]
    marks = [[False] * 6 for _ in range(6)] + [changed]
    drawing = cells(
        rows,
        name="concept-votes",
        marked=marks,
        columns=[f"item {k + 1}" for k in range(6)],
        size=48,
        width=460,
        title="The majority of three of five annotators beside the majority of all",
        description=f"All five vote {everyone}, annotators 1 to 3 vote {three}: "
        f"{sum(changed)} of 6 labels differ.",
    )
    return figure(
        drawing,
        "One of the ten choices of three annotators: its vote differs from the vote of all five "
        f"on {sum(changed)} of 6 items (thick border). M(3) is the mean over all ten choices.",
    )


def wall() -> str:
    """Accuracy and κ rank two systems in opposite orders."""
    reference, systems = "AAAABBBB", ("AACCCCCC", "AABBBBAA")
    rows, values = [("reference", reference, "")], []
    for k, system in enumerate(systems):
        codes = np.array([["ABC".index(c) for c in reference], ["ABC".index(c) for c in system]])
        right = sum(a == b for a, b in zip(reference, system, strict=True)) / len(reference)
        values.append((right, _value("cohen_kappa", codes.astype(float))))
        note = f"accuracy {right:.2f}, κ {values[-1][1]:.2f}"
        rows.append((f"system {k + 1}", system, note))
    right_ones = [[a == b for a, b in zip(reference, one, strict=True)] for one in systems]
    drawing = cells(
        rows,
        name="concept-wall",
        marked=[[], *right_ones],
        size=36,
        width=560,
        title="Two systems compared with a reference by accuracy and by κ",
        description="; ".join(f"{name}: {word} {note}" for name, word, note in rows),
    )
    (first, first_kappa), (second, second_kappa) = values
    return figure(
        drawing,
        f"System 2 is right twice as often ({second:.2f} against {first:.2f}; right labels have a "
        f"thick border), and κ ranks it below system 1 ({second_kappa:.2f} against "
        f"{first_kappa:.2f}): κ rewards system 1 for labels that the reference never uses.",
    )


def replacement() -> str:
    """Advantage of three simulated judges over a panel, against −ε."""
    panel = _panel(0.75, n_items=200, n=5)
    rng = np.random.default_rng(7)
    truth = (np.random.default_rng(25).random(200) * 3).astype(int)
    judges = []
    for name, right in (("careful", 0.85), ("average", 0.62), ("hasty", 0.35)):
        slips = rng.random(200) >= right
        said = np.where(slips, (truth + 1 + (rng.random(200) * 2).astype(int)) % 3, truth)
        judges.append(
            pd.DataFrame({"item": range(200), "annotator": name, "label": said}).astype(str)
        )
    found = acc.replacement(
        pd.concat([panel, *judges]), systems=["careful", "average", "hasty"], epsilon=0.15
    )
    words = {"may": "may replace", "may_not": "may not", "undecided": "undecided"}
    frame = found.to_frame()
    rows = []
    for _, one in frame.iterrows():
        low, high = found[one["system"]].panel.interval
        verdict = words.get(str(one["verdict"]).replace(" ", "_"), str(one["verdict"]))
        rows.append(Row(str(one["system"]), float(one["advantage"]), low, high, verdict))
    drawing = rows_on_an_axis(
        rows,
        name="concept-replacement",
        x=(-0.5, 0.3),
        x_title="advantage of the judge over an annotator, 90 % CI",
        levels=[(-0.15, "−ε"), (0.0, "as good as an annotator")],
        title="The advantage of three judges over the annotators of a panel",
        description="; ".join(f"{one.name}: {one.value:.2f}, {one.note}" for one in rows),
    )
    return figure(
        drawing,
        "The verdict is where the interval lies: above −ε, the judge may replace an annotator; "
        "below it, it may not; across it, there are too few items (simulated, 200 items).",
    )


def corrected_shares() -> str:
    """Coverage of a share by the size of the audit: corrections of the literature, and ours."""
    rng, n_items, n_trials = np.random.default_rng(11), 5000, 4000
    chances = [0.05 * 0.9, 0.95 * 0.1, 0.05 * 0.1, 0.95 * 0.9]  # a rare category, a judge of .9
    names = ("corrected (Accordeur)", "PPI++", "Rogan–Gladen")
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for n in (50, 100, 150, 200, 300, 400, 600, 800, 1000):
        cells = rng.multinomial(n, chances, size=n_trials).astype(float)
        rest = rng.multinomial(n_items - n, chances, size=n_trials)
        weight = (cells[:, :2] + rest[:, :2]).sum(axis=1) / n_items
        audit = AuditCounts(
            np.stack([weight, 1 - weight], axis=-1),
            np.stack([cells[:, :2].sum(axis=1), cells[:, 2:].sum(axis=1)], axis=-1),
            cells[:, [0, 2]],
            np.full(n_trials, float(n_items)),
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            bounds = (
                corrected_share_interval(audit),
                prediction_powered(audit, tuned=True).bounds,
                rogan_gladen(audit).bounds,
            )
        for name, one in zip(names, bounds, strict=True):
            found[name].append((n, float(((one.lower <= 0.05) & (one.upper >= 0.05)).mean())))
    first = {name: points[0][1] for name, points in found.items()}
    drawing = curves(
        [
            Curve("corrected (Accordeur)", found["corrected (Accordeur)"], 4),
            Curve("PPI++", found["PPI++"], 5, above=False),
            Curve("Rogan–Gladen", found["Rogan–Gladen"], 0, above=False),
        ],
        name="concept-corrected-shares",
        x=(0.0, 1000.0),
        y=(0.6, 1.0),
        x_title="audited items",
        y_title="audits whose 95 % interval holds",
        percent=(False, True),
        title="Coverage of three intervals of a share of 5 % by the size of the audit",
        description="; ".join(
            f"{name}: {100 * share:.0f} % with 50 audited items" for name, share in first.items()
        ),
    )
    return figure(
        drawing,
        f"A category with a share of 5 %, and a judge that recognises 9 of 10 items either way "
        f"(simulated, {n_trials:,} audits of a corpus of {n_items:,} items for each size). The "
        f"judge alone counts {100 * (chances[0] + chances[1]):.0f} %. With 50 audited items, the "
        f"interval of PPI++ holds in {100 * first['PPI++']:.0f} % of the audits instead of 95 %.",
    )


def drift() -> str:
    """α of a weekly campaign whose annotators get careless from the seventh week on."""
    points = []
    for week in range(1, 11):
        right = 0.85 if week < 7 else 0.85 - 0.05 * (week - 6)
        panel = _panel(right, n_items=120, n=3, seed=week)
        value = acc.krippendorff_alpha(_matrix(panel), rows="annotators")
        points.append(Point(week, float(value), *value.interval))
    drawing = curve(
        points,
        x_title="week",
        y_title="α with its 95 % CI",
        say=SAY,
        y_range=(0.0, 1.0),
        x_ticks=range(1, 11),
        levels=[Level(0.5, "gate: at least .5")],
        whiskers=True,
    ).named(
        "concept-drift",
        "α of ten weekly deliveries",
        "; ".join(f"week {one.x:g}: {one.y:.2f}" for one in points),
    )
    return figure(
        drawing,
        "A simulated campaign whose annotators become careless from week 7 on: the first weeks "
        "show how much the values vary by themselves, and the fall is more than that.",
    )


def rows() -> str:
    """What became of the rows of the demonstration."""
    page = (FOLDER.parent / "demonstration.html").read_text(encoding="utf-8")
    found = re.search(
        r"(\d+) rows read: (\d+) measured, (\d+) reference only, (\d+) of systems, (\d+) rejected",
        page,
    )
    if found is None:
        raise SystemExit("the demonstration has no account of rows")
    total, *counts = (int(one) for one in found.groups())
    names = ("measured", "reference only", "of systems", "rejected")
    drawing = shares(
        list(zip(names, counts, strict=True)),
        name="concept-rows",
        title=f"The {total} rows of the demonstration campaign",
        description=", ".join(f"{n} {name}" for name, n in zip(names, counts, strict=True)),
    )
    return figure(
        drawing,
        f"The demonstration campaign: every one of its {total} rows is in exactly one group.",
    )


def good_values() -> str:
    """Published values of known corpora on one axis, and the table of their sources."""
    ordered = sorted(PUBLISHED, key=lambda one: (list(KINDS).index(one.kind), one.value))
    drawing = rows_on_an_axis(
        [
            Row(one.what, one.value, note=one.measure, code=list(KINDS).index(one.kind))
            for one in ordered
        ],
        name="concept-good-values",
        x=(0.0, 1.0),
        x_title="value",
        title="Published values of agreement",
        description="; ".join(f"{one.what}: {one.measure} {one.value:.2f}" for one in ordered),
        width=720,
        note_width=120,
    )
    cited = "".join(
        f"<tr><td>{html.escape(one.what)}</td><td>{html.escape(one.annotators)}</td>"
        f"<td>{html.escape(one.measure)}</td><td>{one.value:.2f}</td>"
        f"<td>{html.escape(one.source)}</td></tr>\n"
        for one in ordered
    )
    table = (
        '<div class="scroll"><table class="table"><thead><tr><th>annotated</th><th>by</th>'
        "<th>measure</th><th>value</th><th>source</th></tr></thead>\n"
        f"<tbody>{cited}</tbody></table></div>\n"
    )
    return (
        figure(
            drawing,
            "Published corpora have values from near 0 to above .8. The shape of the dot is the "
            "family of the measure; values of different tasks are not comparable.",
        )
        + table
    )


FIGURES = {
    "concept-prevalence": prevalence,
    "concept-intervals": intervals,
    "concept-bootstrap": bootstrap,
    "concept-modification": modification,
    "concept-votes": votes,
    "concept-wall": wall,
    "concept-replacement": replacement,
    "concept-corrected-shares": corrected_shares,
    "concept-drift": drift,
    "concept-rows": rows,
    "concept-good-values": good_values,
    "concept-near-misses": near_misses,
}

if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
