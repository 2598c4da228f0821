"""Use cases: plain arguments in, a value out."""
