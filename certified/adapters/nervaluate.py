"""nervaluate: F of units with the same bounds, and with the same bounds and category."""

PACKAGE = "nervaluate"
STRATEGIES = {"pairwise_f": "strict", "pairwise_f_bounds": "exact"}


def value(case):
    from nervaluate import Evaluator

    given = case["given"]
    if case["measure"] not in STRATEGIES:
        raise NotImplementedError(f"has no {case['measure']}")
    if case["conventions"] or len(given["annotators"]) > 2:
        raise NotImplementedError("compares two annotators, without a tolerance")
    sides = [
        [
            {"label": category, "start": start, "end": end - 1}
            for owner, start, end, category in given["units"]
            if owner == name
        ]
        for name in given["annotators"]
    ]
    found = Evaluator([sides[0]], [sides[1]], tags=given["tagset"], loader="dict").evaluate()
    return found["overall"][STRATEGIES[case["measure"]]].f1
