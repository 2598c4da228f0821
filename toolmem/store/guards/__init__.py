"""Compiled guards and parsed rules of a vault, and the check that they are up to date."""
