"""Cards of annotators: each beside the others, without their own vote."""
