"""Local state in one SQLite database."""
