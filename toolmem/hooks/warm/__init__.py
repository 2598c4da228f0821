"""A helper process that answers the hooks of a session, in children of it."""
