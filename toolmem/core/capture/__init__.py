"""Detect rules in the messages of a user."""
