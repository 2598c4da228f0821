"""Table of operations, their arguments, and the shapes of their answers."""
