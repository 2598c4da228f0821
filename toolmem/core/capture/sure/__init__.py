"""Forms of sentences that are decrees for certain."""
