"""The ids of all mistakes of one method that change what it does, as the course promises to know them."""

from __future__ import annotations

_SIGNAL = """
wrong-exception message-without-oom returns-instead-of-raising prints-instead-of-raising
assert-instead-of-raise raises-a-string exits swallows-own-exception not-implemented-left-in
"""

_PREFILL = """
floor-division floor-plus-one plus-one-then-floor minus-one-then-floor ceil-one-too-many
rounds-to-nearest ceil-after-floor one-block-per-token uses-remainder divides-backwards float-count
always-one-block at-least-one-floor divides-by-num-blocks hard-coded-block-size floor-plus-remainder
no-capacity-check refuses-exact-fit checks-only-empty compares-with-num-blocks check-inverted
compares-tokens-with-blocks check-inside-loop check-after-loop catches-without-giving-back
takes-what-there-is check-off-by-one
reads-without-removing pops-by-index ids-from-range appends-none pops-twice keeps-last-only nests-a-list
never-appends drops-new-list appends-loop-index appends-count loses-blocks changes-seq-len resets-pool
takes-all-free inserts-at-front
"""

_DECODE = """
no-increment increments-twice assigns-plus-one increment-after-test remainder-zero remainder-nonzero
always-allocates never-allocates remainder-last-slot remainder-two condition-before-increment
one-step-early one-block-late first-crossing-only any-after-first-block modulo-backwards
modulo-num-blocks floor-equals-one allocates-many
no-empty-check check-outside-condition check-inverted keeps-one-in-reserve skips-silently-when-empty
reads-without-removing appends-table-length appends-next-id replaces-table overwrites-last
inserts-at-front pops-without-appending appends-whole-pool half-updates-on-oom
"""

_GATHER = """
logical-as-physical first-blocks-of-pool whole-pool sorts-ids dedupes-ids reversed last-block-only
first-block-only skips-last-block indexes-slots range-of-ids uses-free-blocks ids-instead-of-tensors
id-off-by-one
cat-dim-one stacks missing-cat sums tensor-of-list flattens-to-one-dim interleaves-tokens missing-slice
slice-by-block-size slice-off-by-one slices-heads slices-from-end drops-first-n slice-by-remainder
single-row slice-by-table-length slices-each-block no-return returns-other-type zeros writes-into-pool
changes-table changes-pool-list
"""

MISTAKES = {
    "1": frozenset(f"prefill.{name}" for name in (_PREFILL + _SIGNAL).split()),
    "2": frozenset(f"decode.{name}" for name in (_DECODE + _SIGNAL).split()),
    "3": frozenset(f"gather.{name}" for name in _GATHER.split()),
}

# A prefill starts from an empty table, and any free block may be taken: inserting at the front gives
# the same table as taking the blocks in the other order, which is right.
IMPOSSIBLE = {"1": frozenset({"prefill.inserts-at-front"}), "2": frozenset(), "3": frozenset()}
