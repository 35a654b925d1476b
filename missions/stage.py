"""How a scenario is played on the learner's code; runs in the learner's process, before and around it.

`play` takes the learner's namespace and a scenario (JSON) and gives the trace (JSON): one entry per
operation with how it ended and the whole state after it. Nothing is judged here, nothing of the
expected values is known here. The functions used to look at the learner's objects are captured
before the learner's file is executed: a courtesy against patched builtins, not a wall.

Everything that leaves is an exact plain type. An id that is int-like becomes an int; anything else
becomes {"odd": class name, "shown": short text}.
"""

import collections
import operator
import sys
import weakref

import torch

MANAGER_NAMES = ("KVCacheManager", "BlockManager")
METHODS = {
    "prefill": "allocate_for_prefill",
    "decode": "allocate_for_decode",
    "gather": "get_physical_cache",
}
MANAGER_FIELDS = frozenset({"num_blocks", "block_size", "head_dim", "physical_kv_cache", "free_blocks"})
REQUEST_FIELDS = frozenset({"request_id", "seq_len", "block_table", "prompt_len"})
MOST_IDS = 100_000
MOST_VALUES = 20_000
MOST_ID = 2**53

_len, _iter, _next, _type, _isinstance = len, iter, next, type, isinstance
_list, _dict, _tuple, _int, _str, _range, _sorted = list, dict, tuple, int, str, range, sorted
_callable, _getattr, _setattr, _vars, _deque = callable, getattr, setattr, vars, collections.deque
_index = operator.index
_Tensor = torch.Tensor
_mro = type.__dict__["__mro__"].__get__
_as_subclass, _detach, _item = _Tensor.as_subclass, _Tensor.detach, _Tensor.item
_tolist, _reshape, _numel, _copy_ = _Tensor.tolist, _Tensor.reshape, _Tensor.numel, _Tensor.copy_
_data_ptr = _Tensor.data_ptr
_is_floating_point, _is_whole = _Tensor.is_floating_point, float.is_integer
_arange, _tensor, _no_grad, _float64 = torch.arange, torch.tensor, torch.no_grad, torch.float64
_to, _clone, _equal = _Tensor.to, _Tensor.clone, torch.equal


class _StandInRequest:
    """Serves a file that holds only the manager."""

    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []


class _UnsetError(Exception):
    """A prepared state could not be set."""


class _MissingError(Exception):
    """A class, a method or an object made earlier is not there."""


def play(namespace, scenario, describe):
    """The trace of `scenario` as JSON; `describe` turns an exception into plain data."""
    with _no_grad():
        played = _Play(namespace, describe, scenario["ops"])
        return {"steps": played.steps(), "books": played.module_books()}


class _Play:
    """The objects of one scenario and how each operation acts on them."""

    def __init__(self, namespace, describe, ops):
        self.namespace = namespace
        self.describe = describe
        self.ops = ops
        self.managers = {}
        self.requests = {}
        self.watches_values = False
        self.pools = {}  # by manager: the pool as it was when its values were last told
        self.made_id = _same  # an id of the kind that the learner's pool is made of

    def steps(self):
        steps = []
        for op in self.ops:
            step = self.outcome(op)
            step["requests"] = {
                name: _request_seen(made) | {"shares": self.sharing("block_table", self.requests, name)}
                for name, made in self.requests.items()
            }
            step["managers"] = {
                name: _manager_seen(made, self.pool_seen(name, made))
                | {
                    "shares": self.sharing_the_pool_of(name)
                    + self.sharing("free_blocks", self.managers, name)
                }
                for name, made in self.managers.items()
            }
            steps.append(step)
        return steps

    def pool_seen(self, name, manager):
        """The pool; its values only where they have changed: most calls leave all of them alone."""
        found = _getattr_or_none(manager, "physical_kv_cache")
        pool = _plain_tensor(found)
        if pool is None:
            return _odd(found)
        if not self.watches_values or _numel(pool) > MOST_VALUES:
            return _tensor_seen(pool, with_values=False)
        last = self.pools.get(name)
        if last is not None and last.dtype == pool.dtype and _equal(last, pool):
            return {"shape": _shape(pool), "values": "as before"}
        self.pools[name] = _clone(pool)
        return _tensor_seen(pool, with_values=True)

    def module_books(self):
        """Names of containers at module level, where code may keep books of its own."""
        kinds = (_dict, _list, set, _deque, weakref.WeakKeyDictionary, weakref.WeakValueDictionary)
        values = _list(self.namespace.items())
        return _sorted(name for name, value in values if name[:2] != "__" and _isinstance(value, kinds))[:20]

    def sharing_the_pool_of(self, name):
        """`physical_kv_cache` where another manager's lies at the same address; equal values prove nothing."""
        places = {other: _pool_address(made) for other, made in self.managers.items()}
        return [
            "physical_kv_cache"
            for other, place in places.items()
            if other != name and place == places[name] is not None
        ]

    def sharing(self, field, made, name):
        """The others whose `field` is the very same object; equal contents prove nothing."""
        own = _getattr_or_none(made[name], field)
        if own is None or _type(own) is _tuple:
            return []
        return [field for other in made if other != name and _getattr_or_none(made[other], field) is own]

    def outcome(self, op):
        try:
            value = _getattr(self, "do_" + op["op"])(op)
        except _MissingError as missing:
            return {"kind": "missing", "what": _str(missing)}
        except _UnsetError as unset:
            return {"kind": "unset", "what": _str(unset)}
        except BaseException as raised:  # whatever the learner's code raises is an answer
            return {"kind": "raised", "raised": self.describe(raised)}
        return {"kind": "done", "value": value}

    def do_manager(self, op):
        made = _manager_class(self.namespace)(op["num_blocks"], op["block_size"], op["head_dim"])
        self.managers[op["manager"]] = made
        self.made_id = _maker_of_ids(_getattr_or_none(made, "free_blocks"))

    def do_request(self, op):
        made = self.namespace.get("Request")
        made = made if _isinstance(made, _type) else _StandInRequest
        # an int, as the starter says of it: code may count with it or format it as one
        self.requests[op["request"]] = made(_len(self.requests), op["prompt_len"])

    def do_free(self, op):
        manager = self._manager(op)
        _set_ids(manager, "free_blocks", op["ids"], self.made_id)

    def do_hold(self, op):
        request = self._request(op)
        _set_ids(request, "block_table", op["table"], self.made_id)
        try:
            request.seq_len = op["seq_len"]
        except BaseException as error:  # it may be computed from the learner's own books
            raise _UnsetError("seq_len") from error

    def do_fill(self, op):
        pool = _plain_tensor(_getattr(self._manager(op), "physical_kv_cache", None))
        if pool is None:
            raise _UnsetError("physical_kv_cache")
        values = _arange(_numel(pool))
        if op["signed"]:
            values = values - _numel(pool) // 2
            # a fraction that half precision cannot hold: a gather that casts shows
            values = values * 1.0009765625 if _is_floating_point(pool) else values
        _copy_(pool, _reshape(values, _shape(pool)))
        self.watches_values = True

    def do_fill_blocks(self, op):
        pool = _plain_tensor(_getattr(self._manager(op), "physical_kv_cache", None))
        table = _ids(_getattr(self._request(op), "block_table", None))
        if pool is None or not _is_list(table) or _len(table) != _len(op["values"]):
            raise _UnsetError("block_table")
        for block_id, value in zip(table, op["values"], strict=True):
            if _type(block_id) is not _int or not 0 <= block_id < _shape(pool)[0]:
                raise _UnsetError("block_table")
            pool[block_id] = value
        self.watches_values = True

    def do_call(self, op):
        manager = self._manager(op)
        request = self._request(op)
        name = METHODS[op["method"]]
        method = _getattr(manager, name, None)
        if not _callable(method):
            raise _MissingError(name)
        return _value_seen(method(request))

    def _manager(self, op):
        if op["manager"] not in self.managers:
            raise _MissingError("manager")
        return self.managers[op["manager"]]

    def _request(self, op):
        if op["request"] not in self.requests:
            raise _MissingError("request")
        return self.requests[op["request"]]


def _manager_class(namespace):
    for name in MANAGER_NAMES:
        if _isinstance(namespace.get(name), _type):
            return namespace[name]
    for made in _list(namespace.values()):
        if _isinstance(made, _type) and any(method in _dir(made) for method in METHODS.values()):
            return made
    raise _MissingError("KVCacheManager")


def _dir(cls):
    return {name for base in _mro(cls) for name in _dict(_vars(base))}


def _maker_of_ids(free):
    """Makes an id of the kind that stands in this list: code may stack tensors, and ints it cannot."""
    first = free[0] if _type(free) in (_list, _deque) and free else None
    if _isinstance(first, _Tensor):
        return lambda number: _tensor(number, dtype=first.dtype)
    return _type(first) if _type(first).__module__ == "numpy" else _same


def _same(number):
    return number


def _set_ids(owner, field, ids, made_id):
    """Put exactly `ids` into the container the learner chose, in place where it can be."""
    old = _getattr(owner, field, None)
    kind = _type(old)
    made = [made_id(one) for one in ids]
    if kind is _list:
        old[:] = made
    elif kind is _deque:
        old.clear()
        old.extend(made)
    elif kind is set:
        old.clear()
        old.update(made)
    elif _isinstance(old, _dict):
        was, any_value = _dict(old), _next(_iter(old.values()), None)
        old.clear()
        old.update({one: was.get(one, any_value) for one in made})
    else:
        try:
            _setattr(owner, field, _rebuilt(old, made))
        except BaseException as error:
            raise _UnsetError(field) from error
    seen = _ids(_getattr(owner, field, None))
    if not _is_list(seen) or any(_type(one) is not _int for one in seen) or _sorted(seen) != _sorted(ids):
        _put_back(owner, field, old)
        raise _UnsetError(field)


def _put_back(owner, field, old):
    """What was there before: a container that could not be rebuilt still works for the learner's own calls."""
    try:
        _setattr(owner, field, old)
    except BaseException:  # it could not be set either: then it is still there
        return


def _rebuilt(old, ids):
    """A container like `old` that holds `ids`; arrays and tensors keep their kind of number."""
    if _isinstance(old, _Tensor):
        return _tensor([_int(one) for one in ids], dtype=old.dtype)
    if _type(old).__module__ == "numpy":
        return sys.modules["numpy"].array(ids, dtype=old.dtype)
    return _type(old)(ids)


def _request_seen(request):
    return {
        "seq_len": _plain(_getattr_or_none(request, "seq_len")),
        "table": _ids(_getattr_or_none(request, "block_table")),
        "extra": _sorted(name for name in _attributes(request) if name not in REQUEST_FIELDS)[:20],
    }


def _manager_seen(manager, pool):
    return {
        "free": _ids(_getattr_or_none(manager, "free_blocks")),
        "pool": pool,
        "extra": _sorted(name for name in _attributes(manager) if name not in MANAGER_FIELDS)[:20],
    }


def _pool_address(manager):
    pool = _plain_tensor(_getattr_or_none(manager, "physical_kv_cache"))
    return None if pool is None or not _numel(pool) else _data_ptr(pool)


def _attributes(made):
    try:
        return [name for name in _vars(made) if _type(name) is _str]
    except TypeError:
        return []


def _getattr_or_none(made, name):
    try:
        return _getattr(made, name, None)
    except BaseException:  # a property of the learner's that raises
        return None


def _value_seen(value):
    if value is None:
        return None
    tensor = _plain_tensor(value)
    return _odd(value) if tensor is None else _tensor_seen(tensor, with_values=True)


def _tensor_seen(tensor, *, with_values):
    values = None
    if with_values and _numel(tensor) <= MOST_VALUES:
        numbers = _tolist(_reshape(_to(tensor, _float64), (-1,)))
        values = [_int(number) if _is_whole(number) else _shown(number, depth=0) for number in numbers]
    return {"shape": _shape(tensor), "values": values}


def _plain_tensor(value):
    """The tensor itself, without the ways of a subclass; None for anything else."""
    if not _isinstance(value, _Tensor):
        return None
    try:
        tensor = _detach(_as_subclass(value, _Tensor))
        return tensor if _type(tensor) is _Tensor else None
    except BaseException:
        return None


def _shape(tensor):
    return [_int(size) for size in _Tensor.size(tensor)]


def _ids(container):
    """The ids in a container as a list, by `len()` and iteration; odd where they do not agree."""
    if _type(container) is _str or _isinstance(container, (bytes, _int, float)) or container is None:
        return _odd(container)
    try:
        count = _len(container)
        ids = []
        for one in container:
            ids.append(_plain(one))
            if _len(ids) > MOST_IDS:
                return {"odd": _name(container), "shown": "endless"}
    except BaseException:
        return _odd(container)
    if count != _len(ids):
        return {"odd": _name(container), "shown": f"len() says {_plain(count)}, iteration gives {_len(ids)}"}
    return ids


def _plain(value):
    if _type(value) is _int:
        return value if -MOST_ID < value < MOST_ID else {"odd": "int", "shown": "huge"}
    if _type(value) is bool:
        return {"odd": "bool", "shown": "True" if value else "False"}
    if _isinstance(value, _int):
        return _int.__add__(value, 0)
    tensor = _plain_tensor(value)
    if tensor is not None:
        if _numel(tensor) == 1 and not _is_floating_point(tensor):
            return _int(_item(tensor))
        return _odd(value)
    try:
        return _int.__add__(_index(value), 0)
    except BaseException:
        return _odd(value)


def _odd(value):
    return {"odd": _name(value), "shown": _shown(value, depth=2)[:200]}


def _name(value):
    name = _type(value).__name__
    return name[:60] if _type(name) is _str else "?"


def _shown(value, *, depth):
    """A short text for a value, never through the learner's own `__repr__`."""
    kind = _type(value)
    if kind in (_int, float, bool, _str, bytes) or value is None:
        return f"{value!r}"[:60]
    if kind in (_list, _tuple) and depth:
        parts = [_shown(one, depth=depth - 1) for one in value[:6]]
        more = ", …" if _len(value) > 6 else ""
        inside = ", ".join(parts) + more
        return "[" + inside + "]" if kind is _list else "(" + inside + ")"
    tensor = _plain_tensor(value)
    if tensor is not None:
        return "tensor" + _str(_shape(tensor))
    return _name(value)


def _is_list(value):
    return _type(value) is _list
