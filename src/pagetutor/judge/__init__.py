"""The tutor's side of a check: pytest in this process, asking the learner's process through `play`."""
