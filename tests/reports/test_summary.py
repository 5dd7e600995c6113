"""The Markdown summary."""

from __future__ import annotations

from accordeur.reports.summary import markdown_summary
from tests.reports import samples


def test_the_summary_of_a_campaign():
    summary = markdown_summary(samples.typical())
    assert summary.startswith(
        "## Coastal news, spring campaign\n\n✕ **Quality gates: 2 passed, 1 failed.**"
    )
    assert (
        "| stance | Krippendorff’s α | 0.641 | [0.591, 0.691] "
        "| 240 items · 3 annotators, at most 2 per item |" in summary
    )
    assert (
        "| `>= 0.667` | −0.026 | −0.049 [−0.071, −0.027] since 2026-02-23, falling | ✕ failed |"
        in summary
    )
    assert "Likely cause: Chloé disagrees with the others" in summary
    assert len(summary) < 2000


def test_names_cannot_break_out_of_the_markdown():
    summary = markdown_summary(samples.pathological())
    assert "<script>" not in summary.replace("\\<", "")
    [row] = [line for line in summary.splitlines() if line.startswith("| α (\\<")]
    assert row.count(" | ") == 6
    assert [one.count(" | ") for one in summary.splitlines() if one.startswith("| \\<")] == [4]


def test_an_empty_campaign():
    assert "No gate was set." in markdown_summary(samples.empty())
