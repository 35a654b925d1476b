"""What outlives a run: the learner's history and the learner's file.

* `events`: what can happen to a learner, as frozen values (`Answered`, `PartDone`, `Checked`, …).
* `history`: `History(path)`, the append-only record of them in SQLite; `state_folder()` says where it lies.
  Storage trouble is never an exception here: `history.trouble` is the one sentence about it, and the
  lesson goes on in memory. `export_history` and `import_history` move it as JSON values.
* `order`: what was imported among what was recorded here, in the order it happened.
* `new_file`: `write_new_file(path, content)`, for what a learner asks to keep; it never overwrites.
* `workspace`: `Workspace(folder, starter, names)`: places the starter, keeps backups, never overwrites.
"""
