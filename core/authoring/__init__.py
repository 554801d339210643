"""What helps to write a bundle: a first one to change, and a readable view of what is in one."""
