"""Lines, safe characters, token counts and suggestions."""
