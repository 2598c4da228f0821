"""Parse the rule and memory files of other programs."""
