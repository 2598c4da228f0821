"""Compare what two texts state."""
