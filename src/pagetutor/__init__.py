"""pagetutor: a guided quiz-and-exercise tutor for vLLM's PagedAttention, in the terminal."""

__version__ = "0.1.0"
