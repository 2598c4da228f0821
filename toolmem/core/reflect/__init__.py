"""Find what to clean up in a vault."""
