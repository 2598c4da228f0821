"""Real coding agents with toolmem and a scripted model: `make agents`."""
