"""Reading for quick looks: exports to columns in memory, without a store."""
