"""irrCAC: Gwet's coefficients of raw ratings, with weights and missing labels."""

PACKAGE = "irrCAC"
METHODS = {
    "fleiss_kappa": "fleiss", "scott_pi": "fleiss", "weighted_pi": "fleiss",
    "conger_kappa": "conger", "cohen_kappa": "conger", "weighted_kappa": "conger",
    "bennett_s": "bp", "weighted_s": "bp",
    "gwet_ac1": "gwet", "gwet_ac2": "gwet",
    "krippendorff_alpha": "krippendorff",
}  # fmt: skip
WEIGHTS = {
    "nominal": "identity", "gwet_linear": "linear", "gwet_quadratic": "quadratic",
    "gwet_ordinal": "ordinal", "gwet_radical": "radical", "gwet_ratio": "ratio",
    "gwet_bipolar": "bipolar",
    # scale and shift of the distance do not change κ, π and S
    "interval": "quadratic", "ratio": "ratio", "linear_values": "linear",
    "quadratic_values": "quadratic",
}  # fmt: skip
BY_RANK = {"linear_ranks": "linear", "quadratic_ranks": "quadratic"}


def value(case):
    import pandas as pd
    from irrCAC.raw import CAC

    measure, given = case["measure"], case["given"]
    if measure not in METHODS:
        raise NotImplementedError(f"has no {measure}")
    distance = case["conventions"].get("distance", "nominal")
    if distance not in WEIGHTS and distance not in BY_RANK:
        raise NotImplementedError(f"has no distance {distance}")
    times = given.get("times", [1] * len(given["labels"]))
    if sum(times) > 2000:
        raise NotImplementedError("too slow for thousands of items")
    table = [row for row, n in zip(given["labels"], times) for _ in range(n)]
    if case["conventions"].get("missing") == "complete":
        table = [row for row in table if None not in row]
    tagset = given["tagset"]
    numbers = all(isinstance(x, (int, float)) for x in tagset)
    if distance in BY_RANK or not numbers:
        code = {label: k + 1 for k, label in enumerate(tagset)}
        table = [[None if x is None else code[x] for x in row] for row in table]
        tagset = list(code.values())
    weights = BY_RANK.get(distance) or WEIGHTS[distance]
    frame = pd.DataFrame(table, dtype=float)
    cac = CAC(frame, weights=weights, categories=tagset, digits=15)
    return getattr(cac, METHODS[measure])()["est"]["coefficient_value"]
