"""The language of a vault: stems, and words that carry no subject."""
