"""Compiled guards and parsed rules of a vault, with checks that they are current."""
