"""Vectors for the search by meaning."""
