"""Documents of results whose JSON differs from their fields."""
