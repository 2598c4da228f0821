"""Files that other programs read, made from rules."""
