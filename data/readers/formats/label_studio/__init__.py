"""Label Studio: tasks, one by one and in blocks, and the results in them."""
