"""Text made to stall whatever reads it."""
