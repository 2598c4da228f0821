"""What AI agents learn about their tools, in a folder that people can review."""

__version__ = "0.1.0"
