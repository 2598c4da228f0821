"""What calls add to files and messages, and the rules that ban it."""
