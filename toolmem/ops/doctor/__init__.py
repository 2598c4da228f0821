"""Check a vault, its repository and the installation."""
