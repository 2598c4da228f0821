"""The program that agents run as a hook."""
