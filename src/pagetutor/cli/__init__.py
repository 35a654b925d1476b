"""The commands, one small file per verb, and the one error boundary."""
