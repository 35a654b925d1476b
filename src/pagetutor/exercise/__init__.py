"""What the exercise is about: scenarios, the states they lead to, and the contract they must keep.

The one room that knows PagedAttention. Judge, diagnosis and pictures all speak in its values.
"""
