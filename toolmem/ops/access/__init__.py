"""Memory queries and writes of tools, by their manifests."""
