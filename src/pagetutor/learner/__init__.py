"""The learner's process: where the learner's file runs, behind the `Runner` port.

This room knows nothing about PagedAttention. It loads a file from its bytes, hands each scenario to
the course's `stage.py` in the child, and brings plain data back, or the reason why there is none.
"""
