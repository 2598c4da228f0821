"""Real coding agents with toolmem's hooks, driven by a scripted model: `make agents`."""
