"""Pure functions and values of the domain; nothing here does I/O."""
