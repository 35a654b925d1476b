"""The exit statuses that no error carries itself."""

DONE = 0
NOT_PASSED = 1
OUR_BUG = 70
INTERRUPTED = 130
STDOUT_CLOSED = 141  # 128 + SIGPIPE, as other commands end; 0 would be a pass and 1 a failed check
