"""``typing.NamedTuple``, made without compiling code for each class.

A process that answers a hook makes some seventy of these classes, and with ``typing``
that takes a tenth of its time. For a type checker it is ``typing.NamedTuple``; a class
made here has the same fields, defaults and methods, and is made fifteen times faster.
Its instances are slower, up to the number from which compiling pays off.
"""

from toolmem.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter

    _OFTEN = 64

    def _new(cls, /, *given, **named):
        fields = cls._fields
        if named or len(given) != len(fields):
            given = _completed(cls, given, named)
            cls._made += 1
            if cls._made > _OFTEN:  # more may follow: compiling pays off
                from collections import namedtuple

                made = namedtuple(cls.__name__, fields)
                made.__new__.__defaults__ = tuple(cls._field_defaults.values())
                cls.__new__ = made.__new__
        return tuple.__new__(cls, given)

    def _completed(cls, given, named):
        """Return the values of all fields; raise ``TypeError`` on a wrong number."""
        fields, defaults = cls._fields, cls._field_defaults
        rest = fields[len(given) :]
        if len(given) > len(fields) or not named.keys() <= set(rest):
            raise TypeError(f"{cls.__name__} has the fields {', '.join(fields)}")
        try:
            found = [named[f] if f in named else defaults[f] for f in rest]
        except KeyError as missing:
            raise TypeError(f"{cls.__name__} needs {missing.args[0]}") from None
        return (*given, *found)

    def _make(cls, values):
        return _new(cls, *values)

    def _replace(self, /, **named):
        replaced = tuple.__new__(type(self), map(named.pop, self._fields, self))
        if named:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(named)}")
        return replaced

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _repr(self):
        inner = ", ".join(f"{f}={v!r}" for f, v in self._asdict().items())
        return f"{type(self).__name__}({inner})"

    def _getnewargs(self):
        return tuple(self)

    _METHODS = {
        "__new__": _new,
        "__repr__": _repr,
        "__getnewargs__": _getnewargs,
        "_asdict": _asdict,
        "_make": classmethod(_make),
        "_replace": _replace,
    }

    class _Meta(type):
        def __new__(meta, name, bases, namespace):
            if bases == ():
                return super().__new__(meta, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {f: namespace.pop(f) for f in fields if f in namespace}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows others")
            getters = {f: _tuplegetter(at, "") for at, f in enumerate(fields)}
            own = {"__slots__": (), "__match_args__": fields, "_fields": fields}
            own |= {"_field_defaults": defaults, "_made": 0}
            return type(name, (tuple,), {**_METHODS, **own, **getters, **namespace})

    class NamedTuple(metaclass=_Meta):
        """As ``typing.NamedTuple``."""
