"""Run git and read its objects."""
