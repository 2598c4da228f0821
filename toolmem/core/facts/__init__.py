"""Parse and edit ``facts.md``."""
