"""Plan and apply the cleanup of a vault."""
