"""irr (R): κ of two and of many annotators, α, ICC and Kendall's W."""

from __main__ import r_table, run_r

PACKAGE = "irr (R)"
ICC = {
    "icc_1_1": ("oneway", "consistency", "single"),
    "icc_2_1": ("twoway", "agreement", "single"),
    "icc_3_1": ("twoway", "consistency", "single"),
    "icc_1_k": ("oneway", "consistency", "average"),
    "icc_2_k": ("twoway", "agreement", "average"),
    "icc_3_k": ("twoway", "consistency", "average"),
}
WEIGHTS = {"linear_ranks": "equal", "quadratic_ranks": "squared"}


def version():
    return run_r('cat(as.character(packageVersion("irr")))')


def value(case):
    measure, conventions = case["measure"], case["conventions"]
    if measure in ICC:
        model, kind, unit = ICC[measure]
        call = f'irr::icc(m, model = "{model}", type = "{kind}", unit = "{unit}")$value'
        return number(case["given"]["ratings"], call)
    if measure == "kendall_w":
        correct = "TRUE" if conventions["ties"] == "corrected" else "FALSE"
        return number(case["given"]["ratings"], f"irr::kendall(m, correct = {correct})$value")
    if case["kind"] != "items" or not case["given"]["tagset"]:  # sets of labels have none
        raise NotImplementedError(f"has no {measure}")
    distance = conventions.get("distance", "nominal")
    by_value = distance in ("interval", "ratio")
    rows = labels(case, by_value)
    complete = all(None not in row for row in rows)
    if measure == "krippendorff_alpha" and distance in ("nominal", "ordinal", "interval", "ratio"):
        return number(rows, f'irr::kripp.alpha(t(m), method = "{distance}")$value')
    if not complete:
        raise NotImplementedError("missing labels for α only")
    if measure in ("fleiss_kappa", "scott_pi"):
        return number(rows, "irr::kappam.fleiss(m)$value")
    if measure == "light_kappa":
        return number(rows, "irr::kappam.light(m)$value")
    if measure == "cohen_kappa":
        return number(rows, "irr::kappa2(m)$value")
    if measure == "weighted_kappa" and distance in WEIGHTS and len(rows[0]) == 2:
        return number(rows, f'irr::kappa2(m, "{WEIGHTS[distance]}", sort.levels = TRUE)$value')
    raise NotImplementedError(f"has no {measure} with {distance}")


def labels(case, by_value):
    given, code = case["given"], {}
    times = given.get("times", [1] * len(given["labels"]))
    if sum(times) > 500:
        raise NotImplementedError("too many items for a command line of Rscript")
    if not by_value:
        code = {label: k + 1 for k, label in enumerate(given["tagset"])}
    complete = case["conventions"].get("missing") == "complete"
    return [
        [code.get(x, x) for x in row]
        for row, n in zip(given["labels"], times)
        for _ in range(n)
        if not (complete and None in row)
    ]


def number(rows, call):
    return float(
        run_r(f"m <- {r_table(rows)}; cat(format({call}, digits = 17))").replace("NA", "nan")
    )
