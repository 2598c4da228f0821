"""Compose, parse and check rule files; rules in effect for a chain."""
