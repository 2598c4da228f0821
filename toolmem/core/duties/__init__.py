"""Decide from what a session did whether the duties of its rules are fulfilled."""
