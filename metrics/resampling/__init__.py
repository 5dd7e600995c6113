"""What an agreement value is worth: subsets, synthetic annotators, reading tables and grids."""
