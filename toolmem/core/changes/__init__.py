"""Compare two states of a vault by meaning and render the changes."""
