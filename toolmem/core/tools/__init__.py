"""Tool manifests and the tool listings of other programs."""
