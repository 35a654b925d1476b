"""The use cases: the guided lesson, a check, hints, where one is and what is next. No terminal in here."""
