"""What stays on disk: the history of answers and checks in SQLite, and the learner's working folder."""
