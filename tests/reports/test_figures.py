"""Figures: their geometry, and that they draw what they were given."""

from __future__ import annotations

import itertools
import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.estimate import Estimate
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.reports.figures.alignment import alignment_picture
from accordeur.reports.figures.axes import frame
from accordeur.reports.figures.bars import stacked_bars
from accordeur.reports.figures.chance import chance_distribution, histogram
from accordeur.reports.figures.coverage import STATES, coverage_map
from accordeur.reports.figures.curve import Level, Point, curve, value_range
from accordeur.reports.figures.forest_row import (
    difference_bar,
    difference_scale,
    shared_scale,
    value_and_interval,
)
from accordeur.reports.figures.layout import lanes_of, split_into_lines
from accordeur.reports.figures.scatter import Dot, scatter
from accordeur.reports.figures.svg import Scale, category_css, short_names, ticks
from accordeur.reports.language import Language
from accordeur.reports.results import AlignedUnit, Alignment, UnitaryAlignment

SAY = Language("en")

units = st.lists(
    st.tuples(st.sampled_from("AB"), st.integers(0, 900), st.integers(1, 200)), max_size=12
)


def _document(found: list[tuple[str, int, int]], text: str = "") -> Alignment:
    placed = [
        AlignedUnit(annotator=a, start=start, end=start + length, category="x")
        for a, start, length in found
    ]
    return Alignment(
        document="d",
        length=len(text) or 1200,
        text=text,
        annotators=["A", "B"],
        units=placed,
        alignments=[UnitaryAlignment(units=[u], disorder=1.0) for u in range(len(placed))],
        disorder=1.0,
    )


def test_a_scale_maps_its_ends_and_holds_what_is_outside():
    scale = Scale(-1, 1, 0, 100)
    assert (scale(-1), scale(0), scale(1), scale(7)) == (0, 50, 100, 100)
    assert Scale(3, 3, 0, 10)(3) == 5


def test_ticks_are_round_and_inside():
    assert ticks(0, 1) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(-0.4, 1.0, about=3) == [0.0, 0.5, 1.0]
    assert ticks(2, 2) == [2]


@given(st.lists(st.floats(0, 10), min_size=1), st.integers(1, 30))
@settings(max_examples=50)
def test_a_histogram_counts_every_sample_once(samples: list[float], n_bins: int):
    assert sum(histogram(samples, min(samples), max(samples), n_bins)) == len(samples)


def test_a_strip_draws_nothing_for_an_undefined_value():
    undefined = Estimate(measure="gamma", value=float("nan"), reason=Reason(ReasonCode.NO_UNIT))
    assert "<circle" not in value_and_interval(undefined, shared_scale([undefined]))


def test_the_shared_scale_holds_all_values():
    values = [Estimate("slot_error_rate", 1.7), Estimate("gamma", -0.31)]
    scale = shared_scale(values)
    assert scale.low == pytest.approx(-0.4)
    assert scale.high == 1.7


def test_narrow_intervals_and_their_gate_fill_the_scale():
    value = Estimate("gamma", 0.64, interval=(0.59, 0.69))
    scale = shared_scale([value], [0.667])
    assert (scale.low, scale.high) == (0.5, 0.8)
    assert "gate" in value_and_interval(value, scale, 0.667)
    assert "zero" not in value_and_interval(value, scale, 0.667)  # 0 is not on this scale
    assert "gate" not in value_and_interval(
        value, scale, 0.9
    )  # nor is a gate drawn where it is not
    wide = shared_scale([Estimate("gamma", 0.5, interval=(0.1, 0.9))])
    assert (wide.low, wide.high) == (0, 1)
    near_one = shared_scale([Estimate("gamma", 0.99, interval=(0.97, 0.999))])
    assert near_one.high == 1.0


def test_a_difference_is_a_bar_from_zero_with_its_interval():
    scale = difference_scale([(0.06, 0.03, 0.09), (-0.04, math.nan, math.nan)])
    assert scale.low < -0.04 < 0 < 0.09 < scale.high
    drawn = difference_bar(0.06, (0.03, 0.09), scale)
    ((x, width),) = re.findall(r'class="bar" x="([^%]+)%" width="([^%]+)%"', drawn)
    assert (float(x), float(x) + float(width)) == pytest.approx((scale(0), scale(0.06)))
    lower = difference_bar(-0.04, (math.nan, math.nan), scale)
    assert "interval" not in lower
    assert f'x="{scale(-0.04):g}%"' in lower


def test_an_axis_is_filled_by_its_coefficients():
    assert value_range(0.62, 0.71) == (0.6, 0.75)
    assert value_range(0.05, 0.9) == (0.0, 0.95)
    assert value_range(0.98, 1.0) == (0.95, 1.0)
    assert value_range(-3.0, math.nan, 0.2) == (-1.0, 0.4)
    assert value_range(math.nan) == (0.0, 1.0)


def test_documents_at_one_place_stand_side_by_side():
    dots = [Dot(4, 0.5, f"d{n}", "#x" if n else "") for n in range(3)]
    drawn = scatter(
        [*dots, Dot(9, 0.7, "alone")],
        level=0.6,
        level_label="all",
        x_title="Items",
        y_title="α",
        say=SAY,
    ).named("f", "t", "d")
    assert len(set(re.findall(r'cx="([^"]+)"', drawn))) == 4
    assert drawn.count("<a ") == 2
    many = scatter(
        [Dot(n, 0.5, f"d{n}") for n in range(1000)],
        level=math.nan,
        level_label="",
        x_title="Items",
        y_title="α",
        say=SAY,
    ).named("f", "t", "d")
    assert len(many) < 25_000
    assert many.count("h0") == 1000


def test_the_label_of_the_whole_leaves_documents_free():
    heights = []
    for y in (0.65, 0.9):  # just above the line at its right end, and far from it
        drawn = scatter(
            [Dot(1, 0.2, "small"), Dot(9, y, "large")],
            level=0.6, level_label="all: 0.600", x_title="Items", y_title="α",
            say=SAY,
        ).named("f", "t", "d")  # fmt: skip
        line_at = float(re.findall(r'<line class="level"[^>]*y1="([\d.]+)"', drawn)[0])
        label_at = float(re.findall(r'<text[^>]*class="level-label"[^>]*y="([\d.]+)"', drawn)[0])
        heights.append(label_at > line_at)
    assert heights == [True, False]


def test_categories_beyond_the_colours_differ_by_hatching():
    assert len({category_css(code) for code in range(32)}) == 32
    assert category_css(-1) == "c-none"
    for code in range(31):  # neighbours in a bar are told apart without colour
        assert category_css(code).split()[1] != category_css(code + 1).split()[1]


@pytest.mark.parametrize(
    ("heights", "above"), [((1.0, 0.2), True), ((1.0, 1.0), False), ((0.5, 0.5), True)]
)
def test_the_label_of_a_level_leaves_the_curve_alone(heights: tuple[float, float], above: bool):
    svg = curve(
        [Point(0, heights[0]), Point(1, heights[1])],
        x_title="x", y_title="y", say=SAY,
        y_range=(0.0, 1.0), levels=[Level(0.945, "your value, 0.945")],
    ).named("f", "t", "d")  # fmt: skip
    line = float(re.search(r'<line class="level" x1="48" y1="([\d.]+)"', svg)[1])
    label = float(re.search(r'<text class="level-label" x="388" y="([\d.]+)"', svg)[1])
    assert (label < line) == above


def test_labels_of_levels_do_not_overlap():
    svg = curve(
        [Point(0, 0.5), Point(1, 0.7)], x_title="x", y_title="y",
        say=SAY, y_range=(0.0, 1.0),
        levels=[Level(0.69, "mean"), Level(0.7, "gate 0.70"), Level(0.71, "value")],
    ).named("f", "t", "d")  # fmt: skip
    at = sorted(float(y) for y in re.findall(r'class="level-label" x="388" y="([\d.]+)"', svg))
    assert len(at) == 3
    assert all(lower - upper >= 11 for upper, lower in itertools.pairwise(at))


def test_a_tick_that_is_alone_and_percentages_in_french():
    alone = frame(SAY, x=(2, 2), y=(0, 1), x_title="k", y_title="M", x_ticks=[2.0]).body
    assert ">2</text>" in alone
    shares = frame(
        Language("fr"), x=(0, 1), y=(0.0, 0.01), x_title="", y_title="", y_percent=True
    ).body
    assert ">0,5\u202f%</text>" in shares


@given(units, st.booleans())
@settings(max_examples=60)
def test_lines_cover_the_document_without_gap_or_overlap(found, with_text: bool):
    lines = split_into_lines(_document(found, "word and " * 140 if with_text else ""))
    assert lines[0].start == 0
    assert all(a.end == b.start for a, b in itertools.pairwise(lines))
    reach = max([1260 if with_text else 1200, *(s + n for _, s, n in found)])
    assert lines[-1].end == pytest.approx(reach)


@given(units)
@settings(max_examples=60)
def test_units_of_a_lane_do_not_overlap(found):
    document = _document(found)
    lanes, heights = lanes_of(document.units, document.annotators)
    for annotator, height in zip(document.annotators, heights, strict=True):
        for lane in range(height):
            own = sorted(
                (u.start, u.end)
                for u, at in zip(document.units, lanes, strict=True)
                if u.annotator == annotator and at == lane
            )
            assert all(a[1] <= b[0] for a, b in itertools.pairwise(own))


@given(units, st.booleans())
@settings(max_examples=30)
def test_each_disorder_is_printed_once_and_each_unit_drawn(found, with_text: bool):
    document = _document(found, "word and " * 140 if with_text else "")
    svg = alignment_picture(
        document, tagset=["x"], identifier="a", title="t", description="d", say=SAY
    )
    printed = re.findall(r'class="disorder" data-t="(\d+)"', svg)
    assert sorted(map(int, printed)) == list(range(len(document.alignments)))
    drawn = set(re.findall(r'class="unit [^"]*" data-t="(\d+)"', svg))
    assert drawn == {str(t) for t in range(len(document.units))}
    titles = re.findall(r'class="unit [^>]*><title>([^<]*)</title>', svg)
    assert all(title.endswith(SAY("alignments.unit_alone")) for title in titles)


def test_a_unit_of_an_unlisted_annotator_gets_a_row():
    document = _document([("C", 3, 5)])
    svg = alignment_picture(
        document, tagset=[], identifier="a", title="t", description="d", say=SAY
    )
    assert ">C<" in svg


def test_the_four_states_have_four_shapes():
    svg = coverage_map(
        ["d"],
        list("abcd"),
        [list(STATES)],
        say=SAY,
    ).named("f", "t", "d")
    shapes = re.findall(r'class="state (\w+)" fill-rule="evenodd" d="M[\d. ]+([^"]+)"', svg)
    assert {state for state, _ in shapes} == set(STATES)
    assert len({shape for _, shape in shapes}) == 4


def test_bars_add_up_to_the_whole():
    svg = stacked_bars(["Ana"], [[1, 2, 5]], [0, 1, 2], title="t", say=SAY)
    starts = [float(x) for x in re.findall(r'<rect x="([\d.]+)%"', svg)]
    assert starts == [0.0, 12.5, 37.5]


def test_a_constant_chance_sample_is_drawn():
    svg = chance_distribution(
        [2.0] * 8,
        observed=1.0,
        expected=2.0,
        say=SAY,
    ).named("f", "t", "d")
    assert 'class="bar"' in svg
    assert "observed 1.000" in svg


def test_a_long_document_is_drawn_in_images_that_fit_a_sheet():
    found = [("AB"[i % 2], i * 90, 30) for i in range(60)]
    document = _document(found, "word and " * 700)
    svg = alignment_picture(
        document, tagset=["x"], identifier="a", title="t", description="d", say=SAY
    )
    heights = [float(h) for h in re.findall(r'viewBox="0 0 [\d.]+ ([\d.]+)"', svg)]
    assert len(heights) > 3
    assert max(heights) < 800
    assert len(set(re.findall(r'<svg[^>]* id="([^"]+)"', svg))) == len(heights)


def test_the_title_of_the_vertical_axis_stands_above_the_highest_tick():
    """It begins left of the ticks: on their height a title of three letters runs over them."""
    body = str(frame(SAY, x=(0, 1), y=(0, 1), x_title="k", y_title="AC1 of a layer").body)
    [title] = re.findall(r'<text [^>]*y="([0-9.]+)"[^>]*>AC1 of a layer', body)
    [highest] = re.findall(r'<text class="tick" [^>]*y="([0-9.]+)" text-anchor="end">1.0<', body)
    assert 0 < float(title) <= float(highest) - 12


def test_names_that_begin_alike_are_cut_where_they_differ():
    names = [f"Annotator with a long name number {n} (Caen)" for n in (1, 2, 10)]
    assert short_names([*names, "anna", "somebody else altogether"], 16) == [
        "…1 (Caen)", "…2 (Caen)", "…10 (Caen)", "anna", "somebody else a…",
    ]  # fmt: skip
    mails = [f"{who}@laboratory.example" for who in ("first.person", "second.person")]
    assert short_names(mails, 16) == ["first.person@la…", "second.person@l…"]
    found = short_names([f"0123456789abcdef{n}xyz" for n in "12"], 10)
    assert len(set(found)) == 2
    assert all(len(name) <= 10 for name in found)
