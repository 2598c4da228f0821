"""Costs of commands by the size of the vault."""
