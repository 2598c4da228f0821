"""Save, change and list memories and facts."""
