"""Search a vault and measure the search."""
