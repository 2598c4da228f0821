"""Turns, dialogue, scratch page and working memory of a session."""
