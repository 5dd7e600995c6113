"""Relations between units: counted shard by shard, then summarised."""
