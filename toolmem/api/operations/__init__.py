"""Table of operations, and descriptions of their arguments."""
