"""What hooks leave for later: events, typed messages and errors."""
