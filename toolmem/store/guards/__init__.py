"""The compiled guards of a vault, and what tells that they are up to date."""
