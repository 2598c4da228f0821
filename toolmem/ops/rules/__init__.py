"""Add, change, move and list rules; check calls against them."""
