"""The language of a vault: stems, and words without a meaning of their own."""
