"""Write the files of the tutorial *A weekly campaign*: `python -m tests.flows.life FOLDER`."""

from __future__ import annotations

import sys

from tests.flows.life.planted_life import plant, write_life

if __name__ == "__main__":
    write_life(sys.argv[1], plant(1))
