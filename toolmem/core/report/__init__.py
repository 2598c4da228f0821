"""The HTML report page."""
