"""Judge candidates: by the agent at work, by answers, or by a program of the user."""
