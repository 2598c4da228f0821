"""Three-way merge of vault files by meaning."""
