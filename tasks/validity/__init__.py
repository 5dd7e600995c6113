"""References and the systems scored against them; no chance-corrected coefficient comes here."""
