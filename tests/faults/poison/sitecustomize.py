"""Only for tests, on PYTHONPATH: aligning one document kills the process that does it.

With ACCORDEUR_TEST_POISON_AT=module:function it is that function that kills, when the units that it
is given have one that starts at MARK, or the rows of relations one that is named so.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import signal
import sys

AT = os.environ.get("ACCORDEUR_TEST_POISON_AT", "accordeur.tasks.units.alignment:")
TARGET, _, FUNCTION = AT.partition(":")
MARK = 777
TRACE = os.environ.get("ACCORDEUR_TEST_DEATHS")


def _is_marked(given):
    rows = given if isinstance(given, list) else []
    return MARK in getattr(given, "starts", ()) or any(
        isinstance(row, dict) and row.get("relation") == str(MARK) for row in rows
    )


def _deadly(harmless):
    def function(*positional, **keyword):
        if any(_is_marked(one) for one in positional):
            os.kill(os.getpid(), signal.SIGKILL)
        return harmless(*positional, **keyword)

    return function


class _Poison(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != TARGET:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            if FUNCTION:
                setattr(module, FUNCTION, _deadly(getattr(module, FUNCTION)))
                return
            harmless = module.counts_of_alignments

            def counts_of_alignments(found, *others):
                if any(document == os.environ["ACCORDEUR_TEST_POISON"] for document, _, _ in found):
                    with open(TRACE, "a", encoding="utf-8") as deaths:  # noqa: PTH123
                        deaths.write("died\n")
                    os.kill(os.getpid(), signal.SIGKILL)
                return harmless(found, *others)

            module.counts_of_alignments = counts_of_alignments

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _Poison())
