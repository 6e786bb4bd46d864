"""What can happen at a card table, and how it is written."""
