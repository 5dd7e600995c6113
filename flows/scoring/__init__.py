"""`accordeur score`: systems against a reference, from exports."""
