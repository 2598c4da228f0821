"""Patterns of guards: text, regex, path and host, in linear time."""
