"""Manual pages and shell completions, generated from the commands."""
