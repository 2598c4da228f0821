"""One operation, one name, one answer on every surface."""
