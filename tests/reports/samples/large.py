"""A thousand documents by five annotators."""

from __future__ import annotations

import random
from itertools import combinations

from accordeur.reports import results as r
from tests.reports.samples.parts import (
    ENTITIES,
    STANCES,
    alignment,
    value,
)
from tests.reports.samples.typical import typical


def large(n_documents: int = 1000, n_annotators: int = 5, n_pictures: int = 60) -> r.Results:
    """A campaign of a thousand documents: what a flow hands over, capped where it caps."""
    chance = random.Random(1)
    annotators = [f"annotator-{a}" for a in range(n_annotators)]
    names = [f"document-{d:05}" for d in range(n_documents)]
    words = ["coast", "harbour", "of", "the", "Lambert", "Marseille", "gales", "quay", "port"]
    pictures = []
    for d in range(n_pictures):
        chosen = [chance.choice(words) for _ in range(240)]
        text = " ".join(chosen)
        spans = sorted(
            ((word, chance.randrange(3)) for word in chance.choices(chosen, k=25)),
            key=lambda span: text.find(span[0]),
        )
        pictures.append(alignment(names[d], text, spans, annotators, ENTITIES, seed=d))
    alpha = "krippendorff_alpha"
    pairs = [f"{a} × {b}" for a, b in combinations(annotators, 2)]
    pool = [value(alpha, chance.uniform(-0.1, 1)) for _ in range(200)]
    gammas = [value("gamma", chance.uniform(-0.1, 1)) for _ in range(200)]
    per_document = [r.Named(name=name, value=chance.choice(pool)) for name in names]
    per_document_units = [r.Named(name=name, value=chance.choice(gammas)) for name in names]
    rejected = [
        r.RejectedRow(
            source=f"exports/{name}.ann",
            location="line 3",
            rule="start_before_end",
            value="12, 12",
            message="`end` (12) is not after `start` (12)",
            document=name,
            table_name="units",
        )
        for name in names[:500]
    ]
    states = ["finished", "finished", "finished", "finished_empty", "unfinished", "not_assigned"]
    base = typical()
    return base.model_copy(
        update={
            "coverage": r.Coverage(
                documents=names[:300],
                annotators=annotators,
                n_documents=n_documents,
                states=[[chance.choice(states) for _ in annotators] for _ in names[:300]],
                counts={
                    "finished": 4000,
                    "unfinished": 300,
                    "finished_empty": 400,
                    "not_assigned": 300,
                },
            ),
            "validation": base.validation.model_copy(
                update={
                    "rows_in": 900_000,
                    "rows_accepted": 899_500,
                    "rows_rejected": 500,
                    "rejected": rejected,
                }
            )
            if base.validation
            else None,
            "items": [
                base.items[0].model_copy(
                    update={
                        "annotators": annotators,
                        "n_items": 100_000,
                        "per_document": per_document,
                        "per_pair": [
                            r.Named(name=p, value=value(alpha, chance.uniform(0.4, 0.8)))
                            for p in pairs
                        ],
                        "confusions": [
                            r.Confusion(*p.split(" × "), base.items[0].confusions[0].matrix)
                            for p in pairs
                        ],
                    }
                )
            ],
            "units": [
                base.units[0].model_copy(
                    update={
                        "annotators": annotators,
                        "n_documents": n_documents,
                        "n_units": 125_000,
                        "per_document": per_document_units,
                        "alignments": pictures,
                    }
                )
            ],
            "distributions": [
                base.distributions[0].model_copy(
                    update={
                        "annotators": annotators,
                        "counts": [[900] * n_annotators] * 4,
                        "documents": names,
                        "document_counts": [[chance.randrange(40) for _ in STANCES] for _ in names],
                    }
                )
            ],
            "disagreements": [
                r.Disagreement(
                    document=chance.choice(names),
                    layer="stance",
                    where=f"item {i}",
                    cost=1 - i / 500,
                    said={a: chance.choice(STANCES) for a in annotators},
                    context=" ".join(chance.choices(words, k=40)),
                )
                for i in range(500)
            ],
        }
    )
