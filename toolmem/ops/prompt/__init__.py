"""The prompt block of a chain and its snapshot in a session."""
