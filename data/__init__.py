"""From raw exports to validated Parquet tables."""
