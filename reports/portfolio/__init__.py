"""Pages over several runs: two runs compared, and the index of all campaigns."""
