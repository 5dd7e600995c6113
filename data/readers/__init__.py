"""One file a format; each reader has a probe, so that format = "auto" works."""
