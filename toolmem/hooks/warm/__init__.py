"""A helper process that answers the hooks of a session, each in a child of it."""
