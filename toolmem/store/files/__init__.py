"""Durable files, locks and settings."""
