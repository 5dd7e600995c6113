"""The sources of the coefficients: a short citation and its BibTeX entry."""

from __future__ import annotations


def _article(key: str, author: str, year: int, title: str, journal: str, where: str) -> str:
    return (
        f"@article{{{key}, author = {{{author}}}, year = {{{year}}}, title = {{{title}}}, "
        f"journal = {{{journal}}}, {where}}}"
    )


def _book(key: str, author: str, year: int, title: str, edition: int, publisher: str) -> str:
    return (
        f"@book{{{key}, author = {{{author}}}, year = {{{year}}}, title = {{{title}}}, "
        f"edition = {{{edition}}}, publisher = {{{publisher}}}}}"
    )


def _volume(volume: str, pages: str) -> str:
    return f"volume = {{{volume}}}, pages = {{{pages}}}"


_EPM = "Educational and Psychological Measurement"

SOURCES: dict[str, tuple[str, str]] = {
    "artstein2008": (
        "Artstein & Poesio 2008, Computational Linguistics 34(4), 555–596",
        _article(
            "artstein2008",
            "Artstein, Ron and Poesio, Massimo",
            2008,
            "Inter-coder agreement for computational linguistics",
            "Computational Linguistics",
            _volume("34(4)", "555--596"),
        ),
    ),
    "bennett1954": (
        "Bennett, Alpert & Goldstein 1954, Public Opinion Quarterly 18(3), 303–308",
        _article(
            "bennett1954",
            "Bennett, E. M. and Alpert, R. and Goldstein, A. C.",
            1954,
            "Communications through limited-response questioning",
            "Public Opinion Quarterly",
            _volume("18(3)", "303--308"),
        ),
    ),
    "brennan1981": (
        "Brennan & Prediger 1981, Educational and Psychological Measurement 41(3), 687–699",
        _article(
            "brennan1981",
            "Brennan, Robert L. and Prediger, Dale J.",
            1981,
            "Coefficient kappa: some uses, misuses, and alternatives",
            _EPM,
            _volume("41(3)", "687--699"),
        ),
    ),
    "scott1955": (
        "Scott 1955, Public Opinion Quarterly 19(3), 321–325",
        _article(
            "scott1955",
            "Scott, William A.",
            1955,
            "Reliability of content analysis: the case of nominal scale coding",
            "Public Opinion Quarterly",
            _volume("19(3)", "321--325"),
        ),
    ),
    "fleiss1971": (
        "Fleiss 1971, Psychological Bulletin 76(5), 378–382",
        _article(
            "fleiss1971",
            "Fleiss, Joseph L.",
            1971,
            "Measuring nominal scale agreement among many raters",
            "Psychological Bulletin",
            _volume("76(5)", "378--382"),
        ),
    ),
    "cohen1960": (
        "Cohen 1960, Educational and Psychological Measurement 20(1), 37–46",
        _article(
            "cohen1960",
            "Cohen, Jacob",
            1960,
            "A coefficient of agreement for nominal scales",
            _EPM,
            _volume("20(1)", "37--46"),
        ),
    ),
    "cohen1968": (
        "Cohen 1968, Psychological Bulletin 70(4), 213–220",
        _article(
            "cohen1968",
            "Cohen, Jacob",
            1968,
            "Weighted kappa: nominal scale agreement with provision for scaled disagreement or "
            "partial credit",
            "Psychological Bulletin",
            _volume("70(4)", "213--220"),
        ),
    ),
    "conger1980": (
        "Conger 1980, Psychological Bulletin 88(2), 322–328 (and Davies & Fleiss 1982)",
        _article(
            "conger1980",
            "Conger, Anthony J.",
            1980,
            "Integration and generalization of kappas for multiple raters",
            "Psychological Bulletin",
            _volume("88(2)", "322--328"),
        ),
    ),
    "hubert1977": (
        "Hubert 1977, Psychological Bulletin 84(2), 289–297",
        _article(
            "hubert1977",
            "Hubert, Lawrence",
            1977,
            "Kappa revisited",
            "Psychological Bulletin",
            _volume("84(2)", "289--297"),
        ),
    ),
    "krippendorff2004": (
        "Krippendorff 2004, Content Analysis, second edition, chapter 11",
        _book(
            "krippendorff2004",
            "Krippendorff, Klaus",
            2004,
            "Content Analysis: An Introduction to Its Methodology",
            2,
            "Sage",
        ),
    ),
    "gwet2008": (
        "Gwet 2008, British Journal of Mathematical and Statistical Psychology 61(1), 29–48",
        _article(
            "gwet2008",
            "Gwet, Kilem Li",
            2008,
            "Computing inter-rater reliability and its variance in the presence of high agreement",
            "British Journal of Mathematical and Statistical Psychology",
            _volume("61(1)", "29--48"),
        ),
    ),
    "gwet2014": (
        "Gwet 2014, Handbook of Inter-Rater Reliability, fourth edition",
        _book(
            "gwet2014",
            "Gwet, Kilem Li",
            2014,
            "Handbook of Inter-Rater Reliability",
            4,
            "Advanced Analytics",
        ),
    ),
    "aickin1990": (
        "Aickin 1990, Biometrics 46(2), 293–302",
        _article(
            "aickin1990",
            "Aickin, Mikel",
            1990,
            "Maximum likelihood estimation of agreement in the constant predictive probability "
            "model, and its relation to Cohen's kappa",
            "Biometrics",
            _volume("46(2)", "293--302"),
        ),
    ),
    "finn1970": (
        "Finn 1970, Educational and Psychological Measurement 30(1), 71–76",
        _article(
            "finn1970",
            "Finn, Robert H.",
            1970,
            "A note on estimating the reliability of categorical data",
            _EPM,
            _volume("30(1)", "71--76"),
        ),
    ),
}
