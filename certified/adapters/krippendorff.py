"""krippendorff (repository fast-krippendorff): α of labels, with missing labels."""

import numpy as np

PACKAGE = "krippendorff"
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def value(case):
    from krippendorff import alpha

    if case["measure"] != "krippendorff_alpha":
        raise NotImplementedError("computes α of labels only")
    level = case["conventions"]["distance"]
    if level not in LEVELS:
        raise NotImplementedError(f"distance {level}: it would be a function written by the user")
    if case["conventions"].get("missing") == "complete":
        raise NotImplementedError("uses items with missing labels")
    tagset = case["given"]["tagset"]
    code = {label: k for k, label in enumerate(tagset)}
    by_value = level in ("interval", "ratio")
    table = [
        [np.nan if x is None else float(x if by_value else code[x]) for x in row]
        for row in rows(case)
    ]
    domain = [float(x) for x in tagset] if by_value else [float(k) for k in range(len(tagset))]
    return alpha(
        reliability_data=np.array(table).T, level_of_measurement=level, value_domain=domain
    )


def rows(case):
    given = case["given"]
    times = given.get("times", [1] * len(given["labels"]))
    return [row for row, n in zip(given["labels"], times) for _ in range(n)]
