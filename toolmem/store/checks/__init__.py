"""Results of checks of single files, cached with the stamps of the files."""
