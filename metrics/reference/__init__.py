"""References: the annotation that systems are judged by."""
