"""What a reference keeps when some of its annotators make it: every subset, exactly."""
