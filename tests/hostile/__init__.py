"""HOSTILE files and machines through the real command: verdict, sentence, status, and nothing left behind."""
