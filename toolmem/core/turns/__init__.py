"""Changes, failures and dangers in the turns of a session."""
