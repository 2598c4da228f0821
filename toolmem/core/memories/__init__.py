"""Parse, edit, compare and merge memories."""
