"""Import, export and bundles."""
