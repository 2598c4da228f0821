"""Local state: the journal of hooks and the SQLite database."""
