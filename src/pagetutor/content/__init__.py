"""The course in `missions/`, read into values and found complete, or refused with file and line.

    from pagetutor.content.find import find_course
    from pagetutor.content.read import load_course, load_models

    root = find_course()
    load_course(root)                        # the course without its error models
    load_models(root, "1")                   # those of one mission (final: those of all the others)
    load_course(root, with_models=True)      # everything
    lint_course(root)                        # pagetutor.content.lint: what the schema cannot see

Every load is strict and tells all the faults it finds at once, as one `CourseError` (a
`ContentError`). Paths name missions by id and count list items from 0, as Python does:
`missions[1].guess.choices[2]` is the third choice of mission 1's guess.

Importing this package, `find` or `model` imports no YAML reader.
"""
