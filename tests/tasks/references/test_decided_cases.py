"""Which present cases recorded decisions are on, whatever the annotators are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordeur.metrics.references.adjudication import Decision
from accordeur.metrics.references.disagreement_cases import Case, GivenAnnotation, case_key
from accordeur.tasks.references.decided_cases import Lost, decided_cases

NOBODY = GivenAnnotation("")


def case_of(said: dict[str, GivenAnnotation], document: str = "d", item: str = "") -> Case:
    return Case(case_key("l", document, item, said.values()), document, item, 1.0, said, "l")


def unit(category: str, start: float, end: float, *fragments: tuple[int, int]) -> GivenAnnotation:
    return GivenAnnotation(category, start, end, fragments)


def decision_on(case: Case) -> Decision:
    return Decision(case.case, "X", "erik", "2026-11-20").on(case)


DISPUTED = case_of({"A1": unit("X", 3, 7), "A2": unit("Y", 3, 9), "A3": NOBODY})


def test_a_key_does_not_depend_on_who_annotated_nor_on_their_order():
    renamed = case_of({"N9": NOBODY, "N2": unit("X", 3, 7), "N1": unit("Y", 3, 9)})
    assert renamed.case == DISPUTED.case


@pytest.mark.parametrize(
    "other",
    [
        case_of({"A1": unit("X", 3, 7), "A2": unit("Y", 3, 8)}),
        case_of({"A1": unit("X", 3, 7), "A2": unit("Z", 3, 9)}),
        case_of({"A1": unit("X", 3, 7), "A2": unit("Y", 3, 9, (3, 5), (6, 9))}),
        case_of({"A1": unit("X", 3, 7), "A2": unit("Y", 3, 9), "A3": unit("Y", 3, 9)}),
        case_of({"A1": unit("X", 3, 7), "A2": unit("Y", 3, 9)}, document="e"),
    ],
)
def test_a_changed_annotation_makes_another_case(other: Case):
    assert other.case != DISPUTED.case


def test_decisions_apply_or_are_lost_for_a_reason():
    agreed = case_of({"A1": unit("X", 20, 25), "A2": unit("Y", 20, 25)})
    before = case_of({"A1": unit("X", 3, 7), "A2": unit("Y", 3, 8)})
    gone = case_of({"A1": unit("X", 3, 7), "A2": unit("Y", 3, 8)}, document="e")
    given = [decision_on(one) for one in (DISPUTED, agreed, gone)]
    found = decided_cases([DISPUTED], given, documents={"d"})
    assert [one.case for one in found.decisions] == [DISPUTED.case]
    assert [reason for reason, _ in found.lost] == [Lost.AGREED, Lost.GONE]
    reopened = decided_cases([DISPUTED], [decision_on(before)], documents={"d"})
    assert [(w.code, w.figures) for w in reopened.warnings] == [
        ("decisions_reopened", {"n": 1, "names": "d, 3–8"})
    ]
    again = decided_cases([DISPUTED], [decision_on(before), given[0]], documents={"d"})
    assert again.lost == ()  # the reopened case was decided again


def name_of_0_2(case: Case, names: dict[str, str], order: tuple[str, ...]) -> str:
    """The name that version 0.2.0 gave the case, as its annotators were then called."""
    units = ((names[who], case.said[who]) for who in order if case.said[who].category)
    said = ";".join(f"{who}={one.start:g}-{one.end:g}:{one.category}" for who, one in units)
    return f"{case.document}|{said}"


PSEUDONYMS = {"N1": "A1", "N2": "A2", "N3": "A3"}
SHOWN = replace(DISPUTED, said=dict(zip(PSEUDONYMS, DISPUTED.said.values(), strict=True)))
EITHER = {"N1": "A1", "N2": "N2", "N3": "A3"}


@pytest.mark.parametrize("order", [("N1", "N2", "N3"), ("N2", "N3", "N1")])
@pytest.mark.parametrize("then", [PSEUDONYMS, {name: name for name in PSEUDONYMS}, EITHER])
def test_records_of_0_2_fit_under_names_and_pseudonyms(then, order):
    recorded = Decision(name_of_0_2(SHOWN, then, order), "X", "erik", "2026-11-20")
    found = decided_cases([SHOWN], [recorded], documents={"d"}, other_names=PSEUDONYMS)
    assert [(one.case, one.document, one.bounds) for one in found.decisions] == [
        (SHOWN.case, "d", (3, 9))
    ]


def test_a_record_of_0_2_that_fits_several_cases_or_none_is_reported():
    """Version 0.2.0 wrote offsets to six digits."""
    twins = [
        case_of({"A1": unit("X", 1_234_560 + k, 1_234_570), "A2": unit("Y", 1_234_561, 1_234_590)})
        for k in range(2)
    ]
    name = name_of_0_2(twins[0], {"A1": "A1", "A2": "A2"}, ("A1", "A2"))
    unknown = Decision("d|Zoe=3-7:X;A2=3-9:Y", "X", "erik", "2026-11-20")
    recorded = Decision(name, "X", "erik", "2026-11-20")
    found = decided_cases([*twins, DISPUTED], [recorded, unknown], documents={"d"})
    assert [reason for reason, _ in found.lost] == [Lost.NOT_MAPPED] * 2


def test_names_with_every_separator_still_fit():
    """A name of 0.2.0 is compared, not split: it may contain what separates its parts."""
    said = {"a;b=1-2:X": unit("X;Y:|", 3, 7), "c|d": unit("", 3, 9)}
    case = case_of(said, document="d|e=f")
    name = "d|e=f|c|d=3-9:;a;b=1-2:X=3-7:X;Y:|"
    found = decided_cases([case], [Decision(name, "X", "e", "2026")], documents={"d|e=f"})
    assert [one.case for one in found.decisions] == [case.case]


def test_labels_of_0_2_are_found_by_document_and_item():
    said = {"A1": GivenAnnotation("x"), "A2": GivenAnnotation("y")}
    case = Case(case_key("l", "d", "i", said.values()), "d", "i", 1.0, said, "l")
    found = decided_cases([case], [Decision("d\x1fi", "X", "e", "2026")], documents={"d"})
    assert [(one.case, one.item) for one in found.decisions] == [(case.case, "i")]
    assert np.isnan(found.decisions[0].bounds[0])
