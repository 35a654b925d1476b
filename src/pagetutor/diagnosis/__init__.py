"""What the learner believed, told from what the code does: error model, fingerprints, where, gates.

Pure over traces, but for `where`, which asks a learner's process to play edited copies of the file.
"""
