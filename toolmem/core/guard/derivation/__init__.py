"""Derive guards from the literals of a decree."""
