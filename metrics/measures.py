"""Registry of measures: each is declared once, and lists of names are derived from it.

A coefficient on items is declared at its formula, in `metrics.agreement.formulas`, or in another
package with an entry point of the group `accordeur.measures` whose object is a `Coefficient`; the
other measures are declared here. The name of a measure in each language, and its chance model in a
sentence, are in the catalogues of `reports` under `measure.<name>`; sources are keys of
`reports/references.bib`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from math import inf

from .agreement.formulas import closed_forms, iterated  # noqa: F401 - each declares coefficients
from .agreement.formulas.coefficient import DECLARED, Coefficient
from .agreement.intraclass import FORMS
from .close_names import did_you_mean
from .distribution_scores import DISTRIBUTION_SCORES
from .errors import MetricsError
from .measure import MATCHES, DataKind, Family, Measure, Objective
from .plugins import load_plugins


def _declare_unit_measure(
    name: str,
    symbol: str,
    source: str,
    *gives: str,
    objective: Objective | None = None,
    by_category: bool = False,
    samples_chance: bool = False,
    of_disorder: bool = False,
    counts_gaps: bool = False,
) -> Measure:
    return Measure(
        name=name,
        family=Family.CHANCE_CORRECTED,
        symbol=symbol,
        agreement=(DataKind.UNITS,),
        sources=(source,),
        gives=(name, *gives),
        by_category=by_category,
        objective=objective,
        samples_chance=samples_chance or of_disorder,
        of_disorder=of_disorder,
        counts_gaps=counts_gaps,
    )


def _declare_score(
    name: str,
    symbol: str,
    *sources: str,
    of: tuple[DataKind, ...],
    agreement: tuple[DataKind, ...] = (),
    lower_is_better: bool = False,
    maximum: float = 1.0,
    variants: tuple[str, ...] = (),
) -> Measure:
    return Measure(
        name=name,
        family=Family.DIRECT,
        symbol=symbol,
        scores=of,
        agreement=agreement,
        sources=sources,
        lower_is_better=lower_is_better,
        minimum=0.0,
        maximum=maximum,
        variants=variants,
    )


def _declare_link_measure(
    name: str, of: DataKind, *sources: str, symbol: str = "", direct: bool = False
) -> Measure:
    return Measure(
        name=name,
        family=Family.DIRECT if direct else Family.CHANCE_CORRECTED,
        minimum=0.0 if direct else -1.0,
        symbol=symbol,
        agreement=(of,),
        sources=sources,
    )


RATES = ("precision", "recall", "f")
_LABELS, _SPANS = (DataKind.ITEMS,), (DataKind.UNITS,)
_BOTH = (DataKind.ITEMS, DataKind.UNITS)
_CHAINS, _SEGMENTS, _TURNS = (DataKind.CHAINS,), (DataKind.SEGMENTS,), (DataKind.TURNS,)
_AVERAGED = (*MATCHES, "micro", "macro")

PAIRWISE_F = (
    "pairwise_f",
    "pairwise_f_bounds",
    "pairwise_f_overlap",
    "pairwise_f_type",
    "pairwise_f_characters",
)

FOUND = ("units_found", "bounds_of_found", "category_of_found")
"""Found, where, what: values beside γ that explain it, from its best alignments."""

_DECLARED = (
    *DECLARED.values(),
    _declare_unit_measure("gamma", "γ", "mathet2015", objective="sum", of_disorder=True),
    _declare_unit_measure("gamma_cat", "γ-cat", "mathet2017", objective="sum"),
    _declare_unit_measure("gamma_k", "γ-k", "mathet2017", objective="sum", by_category=True),
    _declare_unit_measure(
        "gamma_cat_empty_pairs", "γ-cat", "mathet2017", objective="sum", samples_chance=True
    ),
    _declare_unit_measure("soft_gamma", "γ_soft", "titeux2021", objective="soft", of_disorder=True),
    _declare_unit_measure(
        "holistic", "", "mathet2011", "holistic_greedy", objective="mean", of_disorder=True
    ),
    _declare_unit_measure("holistic_greedy", "", "mathet2011", objective="mean", of_disorder=True),
    _declare_unit_measure("alpha_u", "α_U", "krippendorff1995", counts_gaps=True),
    _declare_unit_measure(
        "u_alpha", "uα", "krippendorff2016", "u_alpha_binary", "cu_alpha", counts_gaps=True
    ),
    _declare_unit_measure("u_alpha_binary", "|uα", "krippendorff2016", counts_gaps=True),
    _declare_unit_measure("cu_alpha", "cuα", "krippendorff2016"),
    _declare_unit_measure("ku_alpha", "(k)uα", "krippendorff2016", by_category=True),
    *(
        Measure(
            name=name,
            family=Family.DIRECT,
            symbol="F",
            agreement=(DataKind.UNITS,),
            sources=("hripcsak2005",),
            gives=PAIRWISE_F if name == "pairwise_f" else (name,),
            minimum=0.0,
        )
        for name in PAIRWISE_F
    ),
    Measure(
        name="alpha_random2",
        symbol="α_random2",
        agreement=(DataKind.OBJECTS,),
        sources=("krippendorff2004", "mathet2015"),
    ),
    *(
        Measure(name=name, symbol=symbol, agreement=(DataKind.OBJECTS,), sources=("braylan2022",))
        for name, symbol in (("sigma", "σ"), ("ks", "KS"))
    ),
    Measure(
        name="mean_distance",
        family=Family.DIRECT,
        agreement=(DataKind.OBJECTS,),
        lower_is_better=True,
        minimum=0.0,
        maximum=inf,
    ),
    Measure(
        name="annotator_distance",
        family=Family.DIRECT,
        agreement=(DataKind.OBJECTS,),
        lower_is_better=True,
        minimum=0.0,
        maximum=inf,
    ),
    _declare_link_measure("relation_presence", DataKind.RELATIONS),
    _declare_link_measure("relation_category", DataKind.RELATIONS),
    _declare_link_measure("relation_typing", DataKind.RELATIONS),
    _declare_link_measure("relation_presence_f", DataKind.RELATIONS, "hripcsak2005", direct=True),
    _declare_link_measure("relation_category_f", DataKind.RELATIONS, "hripcsak2005", direct=True),
    _declare_link_measure("mutual_f", DataKind.RELATIONS, "hripcsak2005", symbol="F", direct=True),
    _declare_link_measure("chain_alpha", DataKind.CHAINS),
    _declare_score("muc", "", "vilain1995", of=_CHAINS, agreement=_CHAINS),
    _declare_score("b_cubed", "B³", "bagga1998", of=_CHAINS, agreement=_CHAINS),
    _declare_score("ceaf_m", "", "luo2005", of=_CHAINS, agreement=_CHAINS),
    _declare_score("ceaf_e", "", "luo2005", of=_CHAINS, agreement=_CHAINS),
    _declare_score("blanc", "", "recasens2011", of=_CHAINS, agreement=_CHAINS),
    _declare_score("conll", "", of=_CHAINS),
    _declare_score("accuracy", "", of=_LABELS),
    _declare_score("precision", "P", "vanrijsbergen1979", of=_BOTH, variants=_AVERAGED),
    _declare_score("recall", "R", "vanrijsbergen1979", of=_BOTH, variants=_AVERAGED),
    _declare_score("f", "F", "vanrijsbergen1979", of=_BOTH, variants=_AVERAGED),
    _declare_score("observed_agreement", "pₒ", of=_LABELS),
    _declare_score("reference_by_itself", "pₑ", of=_BOTH),
    _declare_score("majority_class", "", of=_BOTH),
    _declare_score(
        "slot_error_rate", "SER", "makhoul1999", of=_SPANS, lower_is_better=True, maximum=inf
    ),
    _declare_score(
        "weighted_slot_error_rate", "", "grouin2011", of=_SPANS, lower_is_better=True, maximum=inf
    ),
    _declare_score("observed_disorder", "", of=_SPANS, lower_is_better=True, maximum=inf),
    _declare_score("pk", "", "beeferman1999", of=_SEGMENTS, lower_is_better=True),
    _declare_score("window_diff", "", "pevzner2002", of=_SEGMENTS, lower_is_better=True),
    _declare_score("ghd", "GHD", "bookstein2002", of=_SEGMENTS, lower_is_better=True, maximum=inf),
    _declare_score("boundary_similarity", "B", "fournier2013", of=_SEGMENTS),
    _declare_score("segmentation_similarity", "S", "fournier2012", of=_SEGMENTS),
    _declare_score("der", "DER", of=_TURNS, lower_is_better=True, maximum=inf),
    _declare_score("der_confusion", "", of=_TURNS, lower_is_better=True),
    _declare_score("der_missed", "", of=_TURNS, lower_is_better=True),
    _declare_score("der_false_alarm", "", of=_TURNS, lower_is_better=True, maximum=inf),
    *(
        _declare_score(
            name,
            one.symbol,
            *one.sources,
            of=(DataKind.DISTRIBUTIONS,),
            lower_is_better=True,
            maximum=one.maximum,
        )
        for name, one in DISTRIBUTION_SCORES.items()
    ),
    Measure(
        name="modification_rate",
        family=Family.STABILITY,
        symbol="M(k)",
        sources=("bregeon2018",),
        lower_is_better=True,
        minimum=0.0,
    ),
    Measure(
        name="reference_error",
        family=Family.REFERENCE,
        lower_is_better=True,
        minimum=0.0,
    ),
    *(
        Measure(
            name=name,
            symbol=symbol,
            agreement=(DataKind.RATINGS,),
            sources=("mcgraw1996", "shrout1979"),
        )
        for name, (symbol, _) in FORMS.items()
    ),
    *(
        Measure(
            name=name, family=Family.FORECAST, symbol=symbol, sources=("brennan2001",), minimum=0.0
        )
        for name, symbol in (("generalizability", "Eρ²"), ("dependability", "Φ"))
    ),
    Measure(
        name="k_rater_reliability", family=Family.FORECAST, sources=("wong2022",), minimum=-1.0
    ),
    Measure(
        name="cross_replication",
        symbol="κₓ",
        agreement=(DataKind.TWO_GROUPS,),
        sources=("wong2021",),
        minimum=-1.0,
    ),
    Measure(
        name="normalized_cross_replication",
        agreement=(DataKind.TWO_GROUPS,),
        sources=("wong2021",),
        maximum=inf,
    ),
    *(
        Measure(
            name=name,
            family=Family.DIRECT,
            agreement=(DataKind.PAIRS_OF_RATINGS,),
            sources=("bland1986", "bland1999"),
            lower_is_better=name == "within_annotator_sd",
            minimum=0.0 if name == "within_annotator_sd" else -inf,
            maximum=inf,
        )
        for name in ("mean_difference", "within_annotator_sd")
    ),
    *(
        Measure(name=name, family=Family.REPLACEMENT, symbol=symbol, sources=("calderon2025",))
        for name, symbol in (
            ("advantage", ""),
            ("winning_rate", "ω"),
            ("advantage_probability", "ρ"),
        )
    ),
    *(
        Measure(
            name=name,
            family=Family.REPLACEMENT,
            sources=("zheng2023",) if name in ("position_consistency", "position_bias") else (),
            lower_is_better=name == "changed_labels",
            maximum=maximum,
        )
        for name, maximum in (
            ("self_consistency", 1.0),
            ("changed_labels", 1.0),
            ("advantage_change", 2.0),
            ("position_consistency", 1.0),
            ("position_bias", 1.0),
            ("length_bias", inf),
            ("unit_count_ratio", inf),
            ("unit_length_ratio", inf),
            ("position_trend", 2.0),
            ("length_trend", 2.0),
        )
    ),
    *(
        Measure(
            name=name,
            family=Family.RANKING,
            symbol=symbol,
            sources=("ford1957", "cameron2011", source),
            minimum=minimum,
            maximum=maximum,
        )
        for name, symbol, source, minimum, maximum in (
            ("strength", "θ", "davidson1970", -inf, inf),
            ("preferred_share", "", "davidson1970", 0.0, 1.0),
            ("order_effect", "", "davidson1970", -inf, inf),
            ("length_effect", "", "davidson1970", -inf, inf),
        )
    ),
    Measure(name="corrected_share", family=Family.CORPUS, by_category=True, minimum=0.0),
    Measure(name="corrected_accuracy", family=Family.CORPUS, minimum=0.0),
    Measure(name="corrected_mean", family=Family.CORPUS, maximum=inf),
)
MEASURES: dict[str, Measure] = {one.name: one for one in _DECLARED}
MEASURES |= load_plugins("accordeur.measures", Coefficient, known=MEASURES)
COEFFICIENTS = {name: one for name, one in MEASURES.items() if isinstance(one, Coefficient)}

# The usual coefficients on items; the first is the default main measure of a campaign.
USUAL = (
    "krippendorff_alpha",
    "fleiss_kappa",
    "conger_kappa",
    "bennett_s",
    "gwet_ac1",
    "percent_agreement",
)

# Described in words in a study of known annotators, whose figures show every measure.
IN_WORDS = ("cohen_kappa", "krippendorff_alpha", "gwet_ac1")
# The only chance-corrected coefficient that is defined if a single category is used.
OF_ONE_CATEGORY = "gwet_ac1"


def agreement_on(kind: DataKind) -> tuple[str, ...]:
    """Return the measures of agreement between annotators on a kind of data."""
    return tuple(name for name, one in MEASURES.items() if kind in one.agreement)


def scores_on(*of: DataKind) -> tuple[str, ...]:
    """Return the scores of a system against a reference, without variants."""
    return tuple(name for name, one in MEASURES.items() if not set(of).isdisjoint(one.scores))


GENERALISED = {name: one.generalisation for name, one in COEFFICIENTS.items() if one.generalisation}
"""For each coefficient of two annotators, its generalisation to many."""
ITEMS, UNITS = agreement_on(DataKind.ITEMS), agreement_on(DataKind.UNITS)
RELATIONS, CHAINS = agreement_on(DataKind.RELATIONS), agreement_on(DataKind.CHAINS)
RATINGS = agreement_on(DataKind.RATINGS)
OBJECTS = agreement_on(DataKind.OBJECTS)
ON_LABELS = (*ITEMS, *RATINGS)
TWO_GROUPS, PAIRS_OF_RATINGS = (
    agreement_on(DataKind.TWO_GROUPS),
    agreement_on(DataKind.PAIRS_OF_RATINGS),
)
RATING_MEASURES = ("spearman_rho", "kendall_tau_b", "pearson_r", "icc_2_1", "mean_difference")
"""Of a judge with each annotator, on labels that are numbers."""
BY_ALIGNMENT = tuple(name for name in UNITS if MEASURES[name].objective)
BY_CATEGORY = tuple(name for name in UNITS if MEASURES[name].by_category)
OF_DISORDER = tuple(name for name, one in MEASURES.items() if one.of_disorder)
_GIVEN_BESIDE = {name for one in MEASURES.values() for name in one.gives[1:]}
GAMMAS = {
    objective: name
    for name in OF_DISORDER
    if (objective := MEASURES[name].objective) and name not in _GIVEN_BESIDE
}
"""γ by the objective of its best alignments: γ (2015), soft γ and the holistic measure (2011)."""

REPLACEMENT = tuple(name for name, one in MEASURES.items() if one.family is Family.REPLACEMENT)
CORPUS = tuple(name for name, one in MEASURES.items() if one.family is Family.CORPUS)
OF_REFERENCES = tuple(name for name, one in MEASURES.items() if one.family is Family.REFERENCE)
BASELINES = ("reference_by_itself", "majority_class")
LABEL_SCORES = (
    "accuracy",
    *RATES,
    *(f"macro_{rate}" for rate in RATES),
    "observed_agreement",
)
UNIT_SCORES = (
    *("_".join(name) for name in product(MATCHES, RATES)),
    "slot_error_rate",
    "weighted_slot_error_rate",
    "observed_disorder",
)
_UNIT_MACRO_SCORES = tuple(
    "_".join((match, "macro", rate)) for match, rate in product(MATCHES, RATES)
)
SEGMENTATION, COREFERENCE = scores_on(DataKind.SEGMENTS), scores_on(DataKind.CHAINS)
DIARIZATION = scores_on(DataKind.TURNS)
STRUCTURES = (*SEGMENTATION, *DIARIZATION, *COREFERENCE)
SOFT_SCORES = scores_on(DataKind.DISTRIBUTIONS)
SCORES_OF_A_RUN = tuple(dict.fromkeys((*LABEL_SCORES, *UNIT_SCORES, *BASELINES, *SOFT_SCORES)))
SCORES = tuple(dict.fromkeys((*SCORES_OF_A_RUN, *_UNIT_MACRO_SCORES, *STRUCTURES)))
GROUPS_OF_SCORES = (*MATCHES, "macro")  # `exact` stands for exact_precision and so on


def objective_of(measure: str) -> Objective:
    """Return the objective of the alignments that a measure on units is computed from."""
    return MEASURES[measure].objective or "sum"


def unit_value_names(measures: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the values on units for a list of measures, in its order."""
    return tuple(dict.fromkeys(name for measure in measures for name in MEASURES[measure].gives))


def split_variant(name: str) -> tuple[str, str]:
    """Split a name such as `exact_f` into variant and measure: ("exact", "f"); else ("", name)."""
    variant, _, base = name.partition("_")
    measure = MEASURES.get(base)
    return (variant, base) if measure is not None and variant in measure.variants else ("", name)


def measure_of(name: str) -> Measure:
    """Return the measure with this name; an undeclared one has no symbol and no source."""
    known = MEASURES.get(split_variant(name)[1])
    return replace(known, name=name) if known else Measure(name=name, family=Family.DIRECT)


def resolve_published_name(name: str) -> str:
    """Convert `ICC(2,1)` or `ICC(A,1)`, as in papers, to its name; return other names unchanged."""
    wanted = name.replace(" ", "").upper()
    for known, names in FORMS.items():
        if wanted in (one.upper() for one in names):
            return known
    return name


def unweighted_name(name: str) -> str:
    """Return the coefficient that a weighted one is with the nominal distance, else the name."""
    return (name in COEFFICIENTS and COEFFICIENTS[name].unweighted) or name


def coefficient_of(name: str) -> Coefficient:
    """Return the declaration of a coefficient on items. Raises MetricsError for an unknown name."""
    if name not in COEFFICIENTS:
        hint = did_you_mean(name, COEFFICIENTS)
        raise MetricsError(f"unknown coefficient {name!r}; {hint}known: {', '.join(COEFFICIENTS)}")
    return COEFFICIENTS[name]
