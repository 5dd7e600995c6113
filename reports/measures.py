"""What a measure is called, its symbol, and where it was published.

Names and chance models are sentences, so they stand in the catalogues of messages, under
`measure.<key>.name` and `measure.<key>.chance`; BibTeX entries stand in
`references.bib`, which `reports.bibliography` reads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Measure:
    """`citation` is the short form ("Cohen 1960"), `entry` the key in references.bib, or "".

    `symbol` is "" for a measure that is called by its name.
    """

    key: str
    symbol: str
    citation: str = ""
    entry: str = ""
    lower_is_better: bool = False


_KNOWN = (
    Measure("percent_agreement", "pₒ", "Artstein & Poesio 2008", "artstein2008"),
    Measure("weighted_agreement", "pₒ", "Gwet 2014", "gwet2014"),
    Measure("weighted_s", "S_w", "Brennan & Prediger 1981", "brennan1981"),
    Measure("bennett_s", "S", "Bennett, Alpert & Goldstein 1954", "bennett1954"),
    Measure("brennan_prediger", "S", "Brennan & Prediger 1981", "brennan1981"),
    Measure("scott_pi", "π", "Scott 1955", "scott1955"),
    Measure("fleiss_kappa", "multi-π", "Fleiss 1971", "fleiss1971"),
    Measure("cohen_kappa", "κ", "Cohen 1960", "cohen1960"),
    Measure("conger_kappa", "multi-κ", "Davies & Fleiss 1982, Conger 1980", "conger1980"),
    Measure("hubert_kappa", "κ", "Hubert 1977", "hubert1977"),
    Measure("weighted_kappa", "κ_w", "Cohen 1968", "cohen1968"),
    Measure("weighted_pi", "π_w", "Gwet 2014", "gwet2014"),
    Measure("krippendorff_alpha", "α", "Krippendorff 2004", "krippendorff2004"),
    Measure("gwet_ac1", "AC1", "Gwet 2008", "gwet2008"),
    Measure("gwet_ac2", "AC2", "Gwet 2014", "gwet2014"),
    Measure("aickin_alpha", "α", "Aickin 1990", "aickin1990"),
    Measure("finn_r", "R", "Finn 1970", "finn1970"),
    Measure("gamma", "γ", "Mathet, Widlöcher & Métivier 2015", "mathet2015"),
    Measure("gamma_cat", "γ-cat", "Mathet 2017", "mathet2017"),
    Measure("gamma_cat_empty_pairs", "γ-cat", "Mathet 2017", "mathet2017"),
    Measure("gamma_k", "γ-k", "Mathet 2017", "mathet2017"),
    Measure("soft_gamma", "γ_soft", "Mathet, Widlöcher & Métivier 2015", "mathet2015"),
    Measure("holistic", "", "Mathet & Widlöcher 2011", "mathet2011"),
    Measure("holistic_greedy", "", "Mathet & Widlöcher 2011", "mathet2011"),
    Measure("alpha_u", "α_U", "Krippendorff 1995", "krippendorff1995"),
    Measure("u_alpha", "uα", "Krippendorff et al. 2016", "krippendorff2016"),
    Measure("u_alpha_binary", "|uα", "Krippendorff et al. 2016", "krippendorff2016"),
    Measure("cu_alpha", "cuα", "Krippendorff et al. 2016", "krippendorff2016"),
    Measure("ku_alpha", "(k)uα", "Krippendorff et al. 2016", "krippendorff2016"),
    Measure("modification_rate", "M(k)", "Brégeon 2018", "bregeon2018"),
    Measure("accuracy", ""),
    Measure("precision", "P", "van Rijsbergen 1979", "vanrijsbergen1979"),
    Measure("recall", "R", "van Rijsbergen 1979", "vanrijsbergen1979"),
    Measure("f", "F", "van Rijsbergen 1979", "vanrijsbergen1979"),
    Measure("f1", "F", "van Rijsbergen 1979", "vanrijsbergen1979"),
    Measure("slot_error_rate", "SER", "Makhoul et al. 1999", "makhoul1999", True),
    Measure("weighted_slot_error_rate", "", "Grouin et al. 2011", "grouin2011", True),
    Measure("observed_disorder", "", lower_is_better=True),
    Measure("pk", "", "Beeferman, Berger & Lafferty 1999", "beeferman1999", True),
    Measure("window_diff", "", "Pevzner & Hearst 2002", "pevzner2002", True),
    Measure(
        "ghd",
        "GHD",
        "Bookstein, Kulyukin & Raita 2002",
        "bookstein2002",
        True,
    ),
    Measure("segmentation_similarity", "S", "Fournier & Inkpen 2012", "fournier2012"),
    Measure("boundary_similarity", "B", "Fournier 2013", "fournier2013"),
    Measure("muc", "", "Vilain et al. 1995", "vilain1995"),
    Measure("b_cubed", "B³", "Bagga & Baldwin 1998", "bagga1998"),
    Measure("ceaf_m", "", "Luo 2005", "luo2005"),
    Measure("ceaf_e", "", "Luo 2005", "luo2005"),
    Measure("conll", ""),
    Measure("blanc", "", "Recasens & Hovy 2011", "recasens2011"),
    Measure("diarization_error_rate", "DER", lower_is_better=True),
    Measure("mutual_f", "F", "Hripcsak & Rothschild 2005", "hripcsak2005"),
    Measure("majority_class", ""),
    Measure("reference_by_itself", "pₑ"),
    Measure("observed_agreement", "pₒ"),
    Measure("expected_agreement", "pₑ"),
)

MEASURES: dict[str, Measure] = {measure.key: measure for measure in _KNOWN}
VARIANTS = ("exact", "bounds", "partial", "overlap", "type", "micro", "macro")


def variant_of(key: str) -> tuple[str, str]:
    """The variant and the measure of a key such as `exact_f`; ("", key) where there is none."""
    variant, _, base = key.partition("_")
    return (variant, base) if variant in VARIANTS and base in MEASURES else ("", key)


def measure_of(key: str) -> Measure:
    """The measure named `key`; one that is not in the table has no symbol and no citation."""
    known = MEASURES.get(variant_of(key)[1])
    return replace(known, key=key) if known is not None else Measure(key, "")
