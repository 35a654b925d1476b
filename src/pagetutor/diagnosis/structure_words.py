"""What is said of each structural mistake: the belief it shows and the question that shakes it."""

# ruff: noqa: E501 — sentences are kept whole

from __future__ import annotations

from pagetutor.content.model import PartName
from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.text import Text


def missing_class(span: Span | None, near: str | None) -> Mistake:
    """No class with the manager's name or methods was found."""
    if near is None:
        belief = Text(
            zh="文件里找不到 `KVCacheManager` 这个类。", en="The file has no class called `KVCacheManager`."
        )
    else:
        belief = Text(
            zh=f"文件里找不到 `KVCacheManager` 这个类，倒是有一个 `{near}`。",
            en=f"The file has no class called `KVCacheManager`, but it has `{near}`.",
        )
    ask = Text(
        zh="类名改过吗？还是类里的方法没有缩进到类下面？",
        en="Was the class renamed, or are its methods not indented under it?",
    )
    return _mistake("structure.missing-class", span, belief, ask, None)


def nested_class(span: Span) -> Mistake:
    """The manager's class stands inside a function or another class."""
    return _mistake(
        "structure.missing-class",
        span,
        Text(
            zh="`KVCacheManager` 写在了别的东西里面，文件自己这一层没有它。",
            en="`KVCacheManager` is written inside something else, so the file itself has none.",
        ),
        Text(zh="这一行的 `class` 是从最左边开始的吗？", en="Does this `class` begin at the left edge?"),
        None,
    )


def shadowed_module(span: Span, name: str) -> Mistake:
    """The file beside was meant; the module of that name was got."""
    return _mistake(
        "structure.file-shadows-module",
        span,
        Text(
            zh=f"这里导入的 `{name}` 是 Python 自己能找到的那个模块，不是你旁边的 `{name}.py`：两个重名了。",
            en=f"The `{name}` imported here is a module that Python has already, not the `{name}.py` beside "
            "your file: the two bear one name.",
        ),
        Text(
            zh=f"把 `{name}.py` 改成一个别处没有的名字，导入的那一行也跟着改，会怎样？",
            en=f"What happens if `{name}.py` gets a name that nothing else has, here too?",
        ),
        None,
    )


def taken_builtin(span: Span, name: str, line: int) -> Mistake:
    """A name of Python's own was given another meaning, and is used as Python's own."""
    return _mistake(
        "structure.takes-a-builtin",
        span,
        Text(
            zh=f"这一行之后，`{name}` 就不再是 Python 自带的那个了；第 {line} 行还当它是。",
            en=f"From this line on, `{name}` is not Python's own any more; line {line} still takes it for that.",
        ),
        Text(
            zh=f"第 {line} 行里的 `{name}` 现在是谁？怎样才能不把这个名字占掉？",
            en=f"What is `{name}` in line {line} now? How can that name be left alone?",
        ),
        None,
    )


def never_runs(span: Span, method: str, kind: str) -> Mistake:
    """`async def`, or a `yield` in it: calling the method runs nothing."""
    word = "async" if kind == "coroutine" else "yield"
    return _mistake(
        "structure.wrong-signature",
        span,
        Text(
            zh=f"有了 `{word}`，调用 `{method}` 只会造出一个 {kind}，里面的代码一行也没有运行。",
            en=f"With `{word}`, calling `{method}` only makes a {kind}; not one line of it runs.",
        ),
        Text(
            zh=f"这个方法为什么要用 `{word}`？普通的 `def` 够不够？",
            en=f"What is `{word}` for in this method? Would a plain `def` do?",
        ),
        method,
    )


def missing_method(wanted: str, span: Span | None = None) -> Mistake:
    """The class lacks a method, and nothing resembles it; `span` is the class, where one is to be shown."""
    return _mistake(
        "structure.missing-method",
        span,
        Text(zh=f"类里没有 `{wanted}` 这个方法。", en=f"The class has no method called `{wanted}`."),
        Text(
            zh="它是不是被删掉了？和起始文件比一比。",
            en="Was it deleted? Compare your file with the starter.",
        ),
        wanted,
    )


def renamed_method(span: Span, wanted: str, near: str) -> Mistake:
    """A method of a similar name stands where this one should."""
    return _mistake(
        "structure.missing-method",
        span,
        Text(
            zh=f"类里没有 `{wanted}`，这里有一个名字很像的 `{near}`。",
            en=f"The class has no `{wanted}`; `{near}` here looks much like it.",
        ),
        Text(
            zh="两个名字一个字母一个字母对一遍，差在哪里？",
            en="Compare the two names letter by letter: where do they differ?",
        ),
        wanted,
    )


def never_called_init(span: Span, name: str) -> Mistake:
    """What was to be the constructor has another name, so making an object never calls it."""
    return _mistake(
        "structure.missing-method",
        span,
        Text(
            zh=f"创建对象时，Python 只会调用 `__init__`；这个类里没有它，只有一个不会被调用的 `{name}`。",
            en=f"Making an object calls `__init__`; this class has none, and `{name}` here is never called.",
        ),
        Text(
            zh="要让 Python 在创建对象时调用它，名字该怎么写，一个字符也不差？",
            en="What must it be called, to the very character, for Python to call it?",
        ),
        None,
    )


def outside_class(span: Span, wanted: str) -> Mistake:
    """The method is defined, but not in the class."""
    return _mistake(
        "structure.missing-method",
        span,
        Text(
            zh=f"`{wanted}` 写了，可是不在类里面。",
            en=f"`{wanted}` is written, but outside the class.",
        ),
        Text(
            zh="这一行的 `def` 和类里别的 `def` 对齐了吗？",
            en="Does this `def` line up with the other `def` lines of the class?",
        ),
        wanted,
    )


def missing_self(span: Span, method: str | None) -> Mistake:
    """A method without its first parameter."""
    return _mistake(
        "structure.missing-self",
        span,
        Text(
            zh="这个方法的参数里少了 `self`，可 Python 总会把对象自己作为第一个参数传进来。",
            en="This method lacks `self` among its parameters, yet Python always passes the object itself first.",
        ),
        Text(
            zh="别的方法的 `def` 后面，括号里第一个是什么？",
            en="What comes first in the parentheses after `def` in the other methods?",
        ),
        method,
    )


def bare_call(span: Span, name: str, method: str | None) -> Mistake:
    """A method called as if it were a plain function."""
    return _mistake(
        "structure.missing-self",
        span,
        Text(
            zh=f"`{name}` 是类里的方法，这里却当成普通函数来调用。",
            en=f"`{name}` is a method of the class, but here it is called like a plain function.",
        ),
        Text(zh="它是谁的方法？前面要写上谁？", en="Whose method is it, and what must stand before it?"),
        method,
    )


def bare_name(span: Span, name: str, full: str, method: str | None) -> Mistake:
    """A field without its owner."""
    return _mistake(
        "structure.bare-name",
        span,
        Text(
            zh=f"这里把 `{name}` 当成一个变量，可它是某个对象的属性。",
            en=f"`{name}` is used as a variable here, but it is a field of an object.",
        ),
        Text(zh=f"要找的是 `{full}` 吗？", en=f"Do you mean `{full}`?"),
        method,
    )


def unbound_name(span: Span, name: str, near: str | None, method: str | None) -> Mistake:
    """A name that was never set."""
    if near is not None:
        ask = Text(
            zh=f"上面设过的是 `{near}`，是不是拼写不一样？",
            en=f"You set `{near}` above; is one of the two misspelt?",
        )
    else:
        ask = Text(
            zh="它应该在哪一行得到值，或者从哪里 `import` 进来？",
            en="On which line should it get its value, or where is its `import`?",
        )
    return _mistake(
        "structure.unbound-name",
        span,
        Text(
            zh=f"走到这一行时，`{name}` 还没有值。",
            en=f"When Python gets to this line, `{name}` has no value yet.",
        ),
        ask,
        method,
    )


def misspelt_name(span: Span, name: str, near: str, method: str | None) -> Mistake:
    """A name one or two letters off one that Python or the file knows."""
    return _mistake(
        "structure.unbound-name",
        span,
        Text(zh=f"没有叫 `{name}` 的名字。", en=f"There is no name `{name}`."),
        Text(zh=f"你想写的是不是 `{near}`？", en=f"Did you mean `{near}`?"),
        method,
    )


def misspelt(span: Span, name: str, near: str, method: str | None) -> Mistake:
    """An attribute one or two letters off."""
    return _mistake(
        "structure.misspelt-attribute",
        span,
        Text(zh=f"这里没有叫 `{name}` 的属性。", en=f"There is no attribute called `{name}`."),
        Text(zh=f"想写的是 `{near}` 吗？", en=f"Did you mean `{near}`?"),
        method,
    )


def misspelt_field(span: Span, name: str, near: str, method: str | None) -> Mistake:
    """A field assigned under another name, which makes a new attribute."""
    return _mistake(
        "structure.misspelt-attribute",
        span,
        Text(
            zh=f"`{name}` 是一个新属性：给它赋值，`{near}` 并不会跟着变。",
            en=f"`{name}` is a new attribute: setting it leaves `{near}` as it was.",
        ),
        Text(zh=f"想写的是 `{near}` 吗？", en=f"Did you mean `{near}`?"),
        method,
    )


def other_owner(span: Span, name: str, full: str, method: str | None) -> Mistake:
    """A field looked for on the wrong object."""
    return _mistake(
        "structure.misspelt-attribute",
        span,
        Text(
            zh=f"这个对象没有 `{name}`，它属于另一个对象。",
            en=f"This object has no `{name}`; it belongs to another object.",
        ),
        Text(zh=f"想写的是 `{full}` 吗？", en=f"Did you mean `{full}`?"),
        method,
    )


def no_such_attribute(span: Span, name: str, owner: str, method: str | None) -> Mistake:
    """An attribute that resembles nothing the object has."""
    return _mistake(
        "structure.misspelt-attribute",
        span,
        Text(zh=f"`{owner}` 没有叫 `{name}` 的属性。", en=f"`{owner}` has no attribute called `{name}`."),
        Text(
            zh="看看 `__init__` 里给了它哪些属性，你要找的是哪一个？",
            en="Look at the attributes `__init__` gives it: which one are you after?",
        ),
        method,
    )


def wrong_signature(span: Span, method: str) -> Mistake:
    """Parameters that the call does not fit."""
    return _mistake(
        "structure.wrong-signature",
        span,
        Text(
            zh=f"`{method}` 的参数和调用方式对不上：调用时只会给它一个请求。",
            en=f"The parameters of `{method}` do not fit the call: it is given one request and nothing else.",
        ),
        Text(
            zh="起始文件里这个 `def` 的括号里有几个名字？",
            en="How many names stand in the parentheses of this `def` in the starter?",
        ),
        method,
    )


def static_method(span: Span, method: str) -> Mistake:
    """`@staticmethod` on a method that needs its object."""
    return _mistake(
        "structure.wrong-signature",
        span,
        Text(
            zh="有了 `@staticmethod`，调用时 Python 就不会把对象自己传进来了。",
            en="With `@staticmethod`, Python does not pass the object itself.",
        ),
        Text(
            zh="少了这个对象，剩下的参数会落到谁头上？",
            en="Without the object, which parameter gets the request, and which gets nothing?",
        ),
        method,
    )


def swapped_parameters(span: Span, first: str, method: str | None) -> Mistake:
    """`self` is among the parameters, and not the first."""
    return _mistake(
        "structure.wrong-signature",
        span,
        Text(
            zh=f"Python 总把对象自己作为第一个参数传进来；这里排在第一的却是 `{first}`。",
            en=f"Python always passes the object itself first, but here `{first}` comes first.",
        ),
        Text(
            zh="和起始文件里的 `def` 比一比，括号里的名字顺序一样吗？",
            en="Compare with the `def` in the starter: do the names stand in the same order?",
        ),
        method,
    )


def wrong_argument(span: Span, name: str, given: str, lacks: str, method: str | None) -> Mistake:
    """A method was handed something else than its parameter stands for."""
    return _mistake(
        "structure.wrong-signature",
        span,
        Text(
            zh=f"这次调用给 `{name}` 的是 `{given}` 的对象，它没有 `{lacks}`。",
            en=f"For `{name}`, this call hands over an object of `{given}`, which has no `{lacks}`.",
        ),
        Text(
            zh=f"`{name}` 应该是谁？这里给的又是谁？", en=f"What should `{name}` be, and what is given here?"
        ),
        method,
    )


def asks_for_input(span: Span | None, method: str | None) -> Mistake:
    """`input()` where nobody can answer."""
    return _mistake(
        "structure.asks-for-input",
        span,
        Text(
            zh="这里停下来等键盘输入，可检查的时候没有人能回答。",
            en="Here the code waits for the keyboard, but nobody can answer during a check.",
        ),
        Text(
            zh="要的数字已经在请求和管理器里了，能从那里取吗？",
            en="The numbers are all in the request and the manager already; can you take them from there?",
        ),
        method,
    )


def edits_init(span: Span | None, field: str) -> Mistake:
    """A constructor that no longer makes what the exercise starts from."""
    return _mistake(
        "structure.edits-init",
        span,
        Text(
            zh=f"`{field}` 和起始文件里准备好的不一样了。",
            en=f"`{field}` is no longer what the starter prepares.",
        ),
        Text(
            zh="初始化已经写好，不是这道题要改的地方。和起始文件比一比，差在哪里？",
            en="The initialisation is given and not part of the task. How does it differ from the starter?",
        ),
        None,
    )


def shared(span: Span | None, field: str) -> Mistake:
    """One list for all objects."""
    return _mistake(
        "structure.shared-class-attribute",
        span,
        Text(
            zh=f"几个对象共用了同一个 `{field}`：改了一个，另一个也跟着变。",
            en=f"Several objects share one `{field}`: changing one changes the other.",
        ),
        Text(
            zh="这个列表是每次创建对象时新建的，还是只建了一次？",
            en="Is this list made anew for each object, or only once?",
        ),
        None,
    )


def aliases_list(span: Span, name: str, other: str, method: str) -> Mistake:
    """An assignment that gives a list a second name, where a list of its own was needed."""
    return _mistake(
        "structure.aliases-list",
        span,
        Text(
            zh=f"从这一行起，`{name}` 和 `{other}` 是同一个列表：改一个，另一个也跟着变。",
            en=f"From this line on, `{name}` and `{other}` are one list: changing one changes the other.",
        ),
        Text(
            zh="这里的 `=` 新建了一个列表，还是只给原来的那个多起了一个名字？",
            en="Does `=` make a new list here, or only a second name for the old one?",
        ),
        method,
    )


def _mistake(mistake_id: str, span: Span | None, belief: Text, ask: Text, method: str | None) -> Mistake:
    return Mistake(
        id=mistake_id,
        certain=True,
        span=span,
        belief=belief,
        ask=ask,
        reread=PartName.MAPPING,
        method=method,
    )
