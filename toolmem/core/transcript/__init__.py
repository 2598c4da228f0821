"""Turn a transcript of any agent into turns and calls."""
