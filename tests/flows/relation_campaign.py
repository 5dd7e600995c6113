"""A campaign of brat folders with relations and coreference, small enough to count by hand.

Three documents of the same four units, Ana and Boris place them alike, but for document c, where
Boris leaves out T4. Relations, as (from, to, category):

| document | Ana | Boris | drawn alike |
|---|---|---|---|
| a | 1→2 Causes, 3→4 Before | 1→2 Causes, 3→4 Causes | 1 of category, 2 in any |
| b | 1→2 Causes | 2→1 Causes | none: the direction differs |
| c | 1→2 Before, 3→4 Before | 1→2 Before | 1; Boris could not draw the other |

Chains by `Equiv`: a {1, 3, 4} and {1, 3, 4}; b {1, 3} and {1, 4}; c {1, 2} and none.
"""

from __future__ import annotations

from pathlib import Path

from tests.flows.small import NO_GRID

TEXT = "Smoke rose. Rain fell. Wind blew. Fire died."
UNITS = {1: (0, 5), 2: (12, 16), 3: (23, 27), 4: (34, 38)}
DRAWN = {
    "a": {
        "ana": [(1, 2, "Causes"), (3, 4, "Before")],
        "boris": [(1, 2, "Causes"), (3, 4, "Causes")],
    },
    "b": {"ana": [(1, 2, "Causes")], "boris": [(2, 1, "Causes")]},
    "c": {"ana": [(1, 2, "Before"), (3, 4, "Before")], "boris": [(1, 2, "Before")]},
}
CHAINS = {
    "a": {"ana": (1, 3, 4), "boris": (1, 3, 4)},
    "b": {"ana": (1, 3), "boris": (1, 4)},
    "c": {"ana": (1, 2), "boris": ()},
}
CAMPAIGN = """
[campaign]
name = "Relations"
[[sources]]
path = "brat"
layer_names = { "" = "events" }
batch_pattern = "(.)"
[chance]
processes = ["statistical"]
[intervals]
replicates = 200
"""


def write_campaign(folder: Path, more: str = "") -> Path:
    for document, of_people in DRAWN.items():
        for person, relations in of_people.items():
            home = folder / "brat" / person
            home.mkdir(parents=True, exist_ok=True)
            (home / f"{document}.txt").write_text(TEXT, encoding="utf-8")
            units = {
                u: ends for u, ends in UNITS.items() if (document, person, u) != ("c", "boris", 4)
            }
            lines = [f"T{u}\tEvent {s} {e}\t{TEXT[s:e]}" for u, (s, e) in units.items()]
            lines += [
                f"R{r}\t{category} Arg1:T{source} Arg2:T{target}"
                for r, (source, target, category) in enumerate(relations, 1)
            ]
            chain = CHAINS[document][person]
            lines += ["*\tEquiv " + " ".join(f"T{u}" for u in chain)] if chain else []
            (home / f"{document}.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = folder / "campaign.toml"
    path.write_text(CAMPAIGN + more, encoding="utf-8")
    return path


def write_quick_campaign(folder: Path, more: str = "") -> Path:
    """The same with fewer samples of chance and no reading grid, for tests that look at neither."""
    path = write_campaign(folder, more + NO_GRID)
    text, chance = path.read_text(encoding="utf-8"), "[chance]\n"
    path.write_text(text.replace(chance, chance + "precision = 0.1\n"), encoding="utf-8")
    return path
