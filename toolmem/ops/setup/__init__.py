"""Create a vault, install hooks, configure git."""
