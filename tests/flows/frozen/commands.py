"""The quick looks whose numbers are frozen: name → arguments, in words of one line.

Places: `demo` the exports of the demonstration, `here` a folder of written tables, `shared` the
development data.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.flows.small import labels_csv

DEMO = Path("flows/demo_campaign/exports").resolve()

WRITTEN = {
    "agree": "agree {demo}/sentiment.csv --distance ordinal --categories negative,neutral,positive",
    "agree-analytic": "agree {demo}/sentiment.csv --interval analytic",
    "agree-five-classes": "agree {here}/labels.csv --distance interval",
    "agree-against": "agree {here}/labels.csv --against {here}/other/labels.csv",
    "agree-independent": "agree {here}/labels.csv --against {here}/other/labels.csv --independent",
    "gamma": "gamma {demo}/brat --precision 0.05",
    "gamma-cat-weights": "gamma {demo}/brat --alpha 2 --beta 0.5 --precision 0.05",
    "gamma-holistic": "gamma {demo}/brat --measure holistic --precision 0.05",
    "gamma-soft": "gamma {demo}/brat --measure soft_gamma --precision 0.05",
    "gamma-alpha-u": "gamma {demo}/brat/anna {demo}/brat/ben --measure alpha_u",
    "gamma-u-alpha": "gamma {demo}/brat --measure u_alpha",
    "gamma-random2": "gamma {demo}/brat --process random2 --precision 0.05",
    "score-labels": "score --reference {here}/gold.csv --system {here}/system.csv",
    "score-units": "score --reference {demo}/brat/anna --system {demo}/brat/ben",
    "resample": "resample {here}/labels.csv --ties abstain",
    "plan-labels": "plan {here}/labels.csv --width 0.1",
    "plan-units": "plan {demo}/brat --measure gamma --width 0.2",
    "calibrate": "calibrate {demo}/brat --precision 0.05",
    "agree-annotators": "agree {here}/labels.csv --interval annotators",
    "agree-complete": "agree {demo}/sentiment.csv --complete --distance linear_ranks"
    " --categories negative,neutral,positive",
    "ratings": "ratings {here}/labels.csv",
    "replace-labels": "replace {here}/labels.csv --system a00 --replicates 100",
    "replace-units": "replace {demo}/brat --system ben --alignment exact_f --replicates 100",
    "mistakes": "mistakes {here}/labels.csv",
    "mistakes-units": "mistakes {demo}/brat",
    "score-soft": "score --reference {here}/labels.csv --system {here}/system.csv --soft votes",
    "resample-reliability": "resample {here}/labels.csv --reliability krippendorff_alpha",
    "check": "check {here}/campaign.toml",
    "measures": "measures krippendorff_alpha",
    "simulate": "simulate prevalence --labels {here}/two.csv",
}
REAL = {
    "agree-bluebirds": "agree {shared}/bluebirds/bluebirds_long.csv",
    "agree-hs-brexit": "agree {shared}/hs_brexit/HS-Brexit_long.csv",
    "agree-ratings": "agree {shared}/icc/shrout_fleiss_1979_table2.csv --wide --item target"
    " --distance interval",
    "gamma-bratiaa": "gamma {shared}/bratiaa_example/example-project --precision 0.05",
    "resample-bluebirds": "resample {shared}/bluebirds/bluebirds_long.csv",
}


def write_tables(folder: Path) -> None:
    """Labels of nine annotators and of nine others, of two, of a reference and of a system."""
    codes = labels_csv(folder)
    (folder / "campaign.toml").write_text(
        '[campaign]\nname = "Labels"\n[[sources]]\npath = "labels.csv"\n', encoding="utf-8"
    )
    other = folder / "other"
    other.mkdir()
    labels_csv(other, seed=4)
    two = [
        f"{i},{who},{int(row[a] > 1)}" for i, row in enumerate(codes) for a, who in enumerate("ab")
    ]
    (folder / "two.csv").write_text("\n".join(["item,annotator,label", *two, ""]), encoding="utf-8")
    for name, column in (("gold", codes[:, 0]), ("system", codes[:, 1])):
        rows = "\n".join(f"{item},{name},{label}" for item, label in enumerate(column))
        (folder / f"{name}.csv").write_text(f"item,annotator,label\n{rows}\n", encoding="utf-8")


def arguments(line: str, here: Path, shared: Path | None = None) -> list[str]:
    return shlex.split(line.format(demo=DEMO, here=here, shared=shared))
