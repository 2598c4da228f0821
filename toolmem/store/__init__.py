"""All input and output: files, git, SQLite and the search index."""
