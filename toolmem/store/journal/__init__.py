"""Records that hooks write for later: events, typed messages and errors."""
