# mypy: ignore-errors
"""A stage for the tests of the process: it calls one function of the learner's file."""

import torch

_ones = torch.ones


def play(namespace, scenario, describe):
    if scenario.get("stage") == "raises":
        raise ValueError("the stage is at fault")
    if scenario.get("stage") == "answers an object":
        return {"answer": object()}
    if scenario.get("stage") == "counts in torch":
        return {"answer": int(_ones(3).sum())}
    if scenario.get("stage") == "lets through":
        return {"answer": namespace[scenario["call"]]()}
    try:
        value = namespace[scenario["call"]](*scenario.get("arguments", []))
    except BaseException as error:  # noqa: BLE001 - an answer
        return {"raised": describe(error)}
    return {"answer": value if type(value) in (int, str, float, bool, list) else type(value).__name__}
