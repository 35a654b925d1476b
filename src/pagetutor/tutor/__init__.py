"""The use cases: the guided lesson, the check, hints, the overview. No terminal in here.

Everything is shown and asked through `screen.Screen`; everything that happens is appended to a
`store.history.History` the moment it happens; what the learner has done so far is folded from it.

What a command needs::

    progress.read_progress(history) -> Progress            # .language, .passed(mission_id), .of(id), .folder
    starter.workspace_in(folder, course) -> Workspace
    starter.place_starter(workspace, screen) -> FileState                   # `start`
    lesson.run_mission(course, mission, screen, *, history, runner, workspace, shuffle, check) -> LessonEnd
        LessonEnd.next_mission: MissionId | None           # set where the learner chose to go on with it
        LessonEnd.passed: bool                             # the mission is passed (now or earlier)
    overview.overview(course, progress, *, cwd) -> Overview                 # `pagetutor` alone, list, status
    overview.mission_to_go_on_with(course, progress) -> Mission | None
    recap.recap(course, records) -> Recap                                   # `recap`
    moving.exported(history), export_to(path, history), import_from(path, history)  # `progress`
    reread.show_part(mission, part, screen, history) -> None                # `show N PART`
    reread.show_words(course, screen) -> None                               # `words`
    forgetting.forget(mission, screen, history) -> bool                     # `forget N`
    resetting.reset_file(workspace, screen) / reset_methods(course, missions, workspace, screen)
    resetting.list_backups(workspace, screen) / restore_backup(number, workspace, screen)
    unknowns.unknown_failures(history, exports) -> list[Met]                # `author unknowns`
    examining.examine(course, runner, path) -> Examined                     # `doctor`
    checking.check_file(course, mission, path, history, runner, *, check, deadline_s) -> CheckReport
    watching.watch(watched, *, after_pass) -> WatchEnd                      # `watch N`
    replaying.replay(course, mission, path, source, runner, *, case, check, deadline_s) -> Replay | …
    replaying.show_replay(replayed, screen, path, means) -> bool            # `replay N`
    hints.hint(course, mission, path, *, screen, history, runner, check, now, give_up, means) -> HintEnd
    after_pass.say_what_works(course, mission, report, show, history) -> None
    solution.solution(course, mission, path, history, *, give_up) -> SolutionShown
    finding.find_mission(course, typed) / find_part(mission, typed)         # UsageError names the nearest
    finding.unknown_command(typed, commands) -> Text
    answers.same_answer(typed, expected) -> bool           # `[9, 64]`, `(9,64)`, `9x64` are one

A course for hints must hold its error models. After a command, `history.new_trouble()` is the one
sentence to show where progress could not be saved.

`check` is `judge.check.check` unless another is handed in: a warm one, or a scripted one.
"""
