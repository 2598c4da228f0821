"""The words that a header cannot contain as they are."""

YAML_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""Words that YAML 1.1 or 1.2 takes for something else than text."""
