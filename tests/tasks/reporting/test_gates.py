"""Gates, judged on values of labels, relations and chains."""

from __future__ import annotations

from reports.results import ItemAgreement, RelationAgreement
from reports.value import Named, Value
from tasks.reporting.gates import GateSpec, judged


def value(measure: str, number: float) -> Value:
    return Value(measure=measure, value=number, interval=(number - 0.1, number + 0.1))


ITEMS = ItemAgreement(
    layer="labels",
    tagset=["a", "b"],
    annotators=["x", "y"],
    n_items=2,
    values=[value("krippendorff_alpha", 0.8)],
)
RELATIONS = RelationAgreement(
    layer="events",
    tagset=["Before"],
    annotators=["x", "y"],
    values=[
        Named(name="presence", value=value("krippendorff_alpha", 0.4)),
        Named(name="presence_f", value=value("mutual_f", 0.6)),
    ],
    chains=[value("krippendorff_alpha", 0.1), value("b_cubed", 0.7)],
)


def test_a_gate_on_alpha_is_not_on_relations_or_chains() -> None:
    gate = GateSpec("krippendorff_alpha", None, at_least=0.5, at_most=None)
    [found] = judged([gate], [ITEMS], [RELATIONS])
    assert (found.layer, found.value, found.passed) == ("labels", 0.8, True)


def test_relations_and_chains_have_gates_of_their_own() -> None:
    gates = [
        GateSpec("relation_presence", None, at_least=0.5, at_most=None),
        GateSpec("relation_presence_f", "events", at_least=0.55, at_most=None, on="lower bound"),
        GateSpec("b_cubed", None, at_least=0.5, at_most=None),
        GateSpec("relation_typing", "events", at_least=0.5, at_most=None),
    ]
    found = judged(gates, [ITEMS], [RELATIONS])
    assert [gate.passed for gate in found] == [False, False, True, False]
    assert found[3].reason == "relation_typing was not computed in layer events"
