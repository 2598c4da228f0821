"""The command line: its command tree, options and output."""
