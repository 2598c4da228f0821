"""Detect credentials in text."""
