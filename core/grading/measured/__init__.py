"""The six conversation ratings as a program can measure them: one module per diagnostic, rules in docs/grading.md."""
