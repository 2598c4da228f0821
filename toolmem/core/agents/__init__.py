"""Hook protocols of the supported agents."""
