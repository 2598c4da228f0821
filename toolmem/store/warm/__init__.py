"""Helpers that answer the tool calls of a session, and the program that asks them."""
