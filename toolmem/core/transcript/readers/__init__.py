"""One reader for each transcript format."""
