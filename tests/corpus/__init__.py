"""Learner files as data: right ones and wrong ones, each with what a check must say of it."""
