"""Score which sentences are decrees."""
