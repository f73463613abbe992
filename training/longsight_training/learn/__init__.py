"""What is learned from, and how."""
