"""Whole lessons on a real terminal, played by the keys a learner presses."""
