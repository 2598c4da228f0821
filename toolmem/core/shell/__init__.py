"""Read a shell text: the commands that it runs, through every wrapper."""
