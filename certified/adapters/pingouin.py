"""pingouin: intraclass correlations of complete ratings."""

PACKAGE = "pingouin"
FORMS = {
    "icc_1_1": ("ICC1", "ICC(1,1)"), "icc_2_1": ("ICC2", "ICC(A,1)"), "icc_3_1": ("ICC3", "ICC(C,1)"),
    "icc_1_k": ("ICC1k", "ICC(1,k)"), "icc_2_k": ("ICC2k", "ICC(A,k)"), "icc_3_k": ("ICC3k", "ICC(C,k)"),
}  # fmt: skip


def value(case):
    import pandas as pd
    import pingouin

    if case["measure"] not in FORMS:
        raise NotImplementedError("computes ICC")
    long = [
        (i, a, float(x))
        for i, row in enumerate(case["given"]["ratings"])
        for a, x in enumerate(row)
    ]
    frame = pd.DataFrame(long, columns=["item", "rater", "rating"])
    found = pingouin.intraclass_corr(frame, targets="item", raters="rater", ratings="rating")
    return float(found[found["Type"].isin(FORMS[case["measure"]])]["ICC"].iloc[0])
