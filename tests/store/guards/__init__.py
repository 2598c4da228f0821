"""Compiled guards of a vault."""
