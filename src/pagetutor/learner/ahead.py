"""How many learner's processes wait for a job before there is one.

A check takes two and its explanation a third, so that none of them costs a failing check the 3.5 ms of a
fork. A spare is a whole Python with a torch of its own: two are enough.
"""

FORKS_AHEAD = 3
SPARES_AHEAD = 2
