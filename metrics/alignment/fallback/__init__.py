"""Solvers for cases that the compiled fast path leaves unsolved: column generation, HiGHS."""
