"""What the compiled fast path leaves unsolved: column generation, more effort, a clock, HiGHS."""
