"""An index of campaigns and a comparison of two runs."""

from __future__ import annotations

from accordeur.metrics.coded_warning import CodedWarning
from accordeur.reports import results as r
from accordeur.reports.portfolio import portfolio_results as p
from tests.reports.samples.parts import VERSION, run, value
from tests.reports.samples.typical import typical


def index() -> p.Index:
    """A campaign that falls from week to week, one that failed, one that is quiet."""
    gates = typical().gates
    weekly = p.IndexedCampaign(
        name="Arguments, week by week",
        store="runs/weekly",
        page="weekly.html",
        outcome="undecided",
        description="Stance and arguments of editorials.",
        guideline="1.1",
        gates=[gates[0].model_copy(update={"outcome": r.GateOutcome.undecided})],
        alerts=[
            CodedWarning(
                "value_falling", {"layer": "stance", "symbol": "α", "slope": -0.04, "n": 5}
            ),
            CodedWarning("rows_rejected", {"n": 3, "rows": 870}),
        ],
        notes=[
            r.Note(date="2026-01-20", text="annotators trained"),
            r.Note(date="2026-02-24", text="chloe joined"),
        ],
        runs=[_run(k, 0.8 - 0.04 * k, "1.0" if k < 3 else "1.1") for k in range(5)],
    )
    failed = weekly.model_copy(
        update={
            "name": "Named entities in the archives of a municipal library",
            "page": "entities.html",
            "outcome": "fail",
            "gates": gates,
            "actions": typical().actions,
            "runs": weekly.runs[:1],
            "alerts": [],
            "notes": [],
        }
    )
    quiet = failed.model_copy(
        update={"name": "Quiet", "page": "quiet.html", "outcome": "open", "gates": []}
    )
    return p.Index(version=VERSION, campaigns=[weekly, failed, quiet])


def _run(k: int, alpha: float, guideline: str) -> p.IndexedRun:
    started = f"2026-0{2 + (k == 4)}-{(2 + 7 * k) % 28:02}T06:00:00+00:00"
    points = [
        r.RunPoint(
            run=f"run {k + 1}",
            measure=measure,
            layer=layer,
            value=height,
            interval=(height - 0.05, height + 0.05),
            started=started,
            guideline=guideline,
        )
        for measure, layer, height in (
            ("krippendorff_alpha", "stance", alpha),
            ("gamma", "arguments", alpha - 0.1),
        )
    ]
    return p.IndexedRun(
        number=k + 1,
        started=started,
        outcome="pass" if k < 4 else "undecided",
        guideline=guideline,
        values=points,
        report=f"../runs/reports/run-000{k + 1}/report.html" if k > 1 else "",
    )


def comparison() -> p.Comparison:
    """Two runs with a document added, another guideline and package, and one value unpaired."""
    first, second = value("krippendorff_alpha", 0.71), value("krippendorff_alpha", 0.64)
    effects = [
        p.DocumentEffect(document=name, fate=fate, effect=effect)
        for name, fate, effect in (
            ("harbour-01", p.Fate.CHANGED, -0.031),
            ("editorial-of-the-second-week-of-march", p.Fate.ADDED, -0.02),
            ("council-02", p.Fate.SHARED, 0.004),
        )
    ]
    settings = p.Setting(kind=p.SettingKind.GUIDELINE, first="1.0", second="1.1")
    return p.Comparison(
        campaign="Arguments, week by week",
        first=p.ComparedRun(name="run 4", number=4, started="2026-02-23T06:00:00+00:00"),
        second=p.ComparedRun(
            name="run 5", number=5, started=run().started, version=VERSION, report="report.html"
        ),
        documents=r.Changes(
            since="run 4", n_added=1, added=["editorial-of-the-second-week-of-march"]
        ),
        data=[settings],
        options=[
            p.Setting(kind=p.SettingKind.OPTION, of="replicates: gamma", first="500", second="1000")
        ],
        code=[p.Setting(kind=p.SettingKind.PACKAGE, of="numpy", first="2.1.0", second="2.2.0")],
        values=[
            p.ValueChange(
                layer="stance",
                measure="krippendorff_alpha",
                first=first,
                second=second,
                change=-0.07,
                interval=(-0.11, -0.03),
                paired=p.Paired(
                    n_documents=10, first=0.71, second=0.66, change=-0.05, interval=(-0.09, -0.01)
                ),
                n_effects=3,
                effects=effects,
            ),
            p.ValueChange(
                layer="stance",
                measure="percent_agreement",
                first=value("percent_agreement", 0.82),
                second=value("percent_agreement", 0.75),
                change=-0.07,
                unpaired=p.Unpaired.OTHER_LABELS,
            ),
        ],
    )
