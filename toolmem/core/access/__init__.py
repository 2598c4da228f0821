"""Queries of tools: request, permission, ranking and response."""
