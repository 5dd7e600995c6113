"""Values of agreement that were published, or that Accordeur computes from published labels."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = {"kappa": "κ, π", "alpha": "α", "units": "γ and α_U, of spans"}
COMPUTED = "computed by Accordeur from the labels of "


@dataclass(frozen=True)
class Published:
    """One value with what was annotated, by whom, and where it was published."""

    what: str
    annotators: str
    kind: str
    measure: str
    value: float
    source: str


PUBLISHED = (
    Published(
        "gene names, all tokens", "2 annotators", "kappa", "κ", 0.80,
        "Fort, François & Ghribi 2010, table 1",
    ),
    Published(
        "gene names, without other tokens", "2 annotators", "kappa", "κ", 0.74,
        "Fort, François & Ghribi 2010, section 3.2",
    ),
    Published(
        "inference, sentence pairs (Czech)", "2 students", "kappa", "Cohen’s κ", 0.68,
        "data set card of Czech SNLI (CZLC/cs_snli)",
    ),
    Published(
        "event factuality, 6 values", "crowd vote and FactBank", "kappa", "κ", 0.60,
        "de Marneffe, Manning & Potts 2012, table 4",
    ),
    Published(
        "opinions in texts", "25 annotators", "kappa", "κ", 0.58,
        "Brégeon 2018, section 3.2.3",
    ),
    Published(
        "dialogue acts in tweets, 57 acts", "3 annotators", "kappa", "multi-π", 0.56,
        "Scheffler & Zarisheva, Dialog Act Annotation for Twitter Conversations, abstract",
    ),
    Published(
        "dialogue acts in tweets, 10 acts", "3 annotators", "kappa", "multi-π", 0.76,
        "Scheffler & Zarisheva, Dialog Act Annotation for Twitter Conversations, abstract",
    ),
    Published(
        "emotions in texts", "25 annotators", "kappa", "κ", 0.30,
        "Brégeon 2018, section 3.2.3",
    ),
    Published(
        "hate speech in tweets, again", "each annotator again", "alpha", "α ordinal", 0.79,
        "Evkoski et al. 2021, table 2",
    ),
    Published(
        "hate speech in tweets", "pairs of annotators", "alpha", "α ordinal", 0.60,
        "Evkoski et al. 2021, table 2",
    ),
    Published(
        "quality of summaries, as numbers", "3 experts", "alpha", "α interval", 0.72,
        COMPUTED + "SummEval (in Calderon, Reichart & Dror 2025)",
    ),
    Published(
        "quality of summaries, as names", "3 experts", "alpha", "α nominal", 0.37,
        COMPUTED + "SummEval (in Calderon, Reichart & Dror 2025)",
    ),
    Published(
        "weather in tweets", "110 crowd workers", "alpha", "α nominal", 0.52,
        COMPUTED + "the tutorial on crowd labels",
    ),
    Published(
        "hate speech on Brexit", "6 annotators", "alpha", "α nominal", 0.35,
        COMPUTED + "HS-Brexit (LeWiDi 2023)",
    ),
    Published(
        "entailment, sentence pairs", "164 crowd workers", "alpha", "α nominal", 0.24,
        COMPUTED + "RTE of Snow et al. 2008",
    ),
    Published(
        "offensive comments", "contract workers", "alpha", "α nominal", 0.06,
        "documentation of OLID-BR (Trajano), iteration 2",
    ),
    Published(
        "metalanguage of judges, spans", "2 annotators", "units", "γ", 0.83,
        "notebook of CuRIAM (Kranzlein, Schneider & Tobia 2023): mean of three opinions",
    ),
    Published(
        "argument components, spans", "human annotators", "units", "α_U", 0.48,
        "Habernal & Gurevych 2017, joint α_U of all registers and topics",
    ),
    Published(
        "participants of trials, spans", "91 crowd workers", "units", "γ", 0.37,
        COMPUTED + "150 documents of PICO (Nguyen et al. 2017)",
    ),
)  # fmt: skip
