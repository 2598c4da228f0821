"""Sentences, words and quoted parts of a message."""
