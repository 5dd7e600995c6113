"""Pages over several runs: a comparison of two runs, and the index of all campaigns."""
