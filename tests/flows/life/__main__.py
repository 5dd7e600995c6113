"""What the tutorial *A weekly campaign* needs besides its commands, in a folder.

`python -m tests.flows.life FOLDER` writes its files; with `answer` it fills in the queue of the
round, and with `decide` the list of disagreements. The site has it as `letters.pyz`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.flows.life.group import decide, fill_queue
from tests.flows.life.planted_life import plant, write_life

if __name__ == "__main__":
    folder, life = Path(sys.argv[1]), plant(1)
    match sys.argv[2:]:
        case []:
            write_life(folder, life)
        case ["answer"]:
            answers = folder / "exports" / "round-1" / "sentiment.csv"
            fill_queue(life, folder / "round-1" / "queue.csv", answers)
        case ["decide"]:
            decide(life, folder / "open.csv", folder / "decided.csv", n=40)
        case _:
            sys.exit(__doc__)
