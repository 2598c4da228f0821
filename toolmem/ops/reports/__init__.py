"""Statistics, reports and explanations."""
