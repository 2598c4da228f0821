"""The acceptance book: what the systems before this one demand, one test a demand."""
