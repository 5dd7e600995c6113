"""Rankings of systems from preferences: `accordeur rank`, apart from agreement of the raters."""
