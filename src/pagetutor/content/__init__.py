"""The room that reads `missions/` into values and proves that nothing is missing."""
