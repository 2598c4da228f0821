"""Merge and synchronise a vault with its remote."""
