"""One module for each event of an agent."""
