"""Here for tools that follow relative imports; what is installed is `src/accordeur`."""
