"""Label Studio: its tasks, one by one and many at a time, and the results in them."""
