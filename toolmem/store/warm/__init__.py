"""Places of the helpers that answer hooks, and the program that asks them."""
