"""Export rules as files of other programs."""
