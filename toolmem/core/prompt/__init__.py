"""Build the prompt block: choose, pack, sanitise and render."""
