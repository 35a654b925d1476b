"""What takes minutes: `python -m tests.soak [leaks|kills|edits]` prints figures and whether they hold."""
