"""Find a vault; read and write its rules, memories and facts."""
