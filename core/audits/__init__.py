"""What is checked of a bundle before any call: every fault is found, not the first only."""
