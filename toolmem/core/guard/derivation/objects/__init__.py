"""Derive guards from what a ban names: commands in words, packages, hosts."""
