"""The light path of the quick looks: exports to columns, without a store."""
