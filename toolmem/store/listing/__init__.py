"""Lists of files with their stamps, which prove that nothing has changed."""
