"""Compare documents with a question by meaning."""
