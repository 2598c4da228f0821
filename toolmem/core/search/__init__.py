"""Rank documents by words and by meaning."""
