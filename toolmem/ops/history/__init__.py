"""Diff, log and review of a vault's changes."""
