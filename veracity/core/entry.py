"""A method that describes itself, a choice of one with its parameters, and the rules of which one is the default."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from importlib.resources import files
from typing import Any, ClassVar, Self

from veracity.core.arguments import matches_type, types_in_words
from veracity.core.bounds import ANYWAY, check_parameters
from veracity.core.errors import BadInput
from veracity.core.measurement import Measurement, measurements_of
from veracity.core.notes import Limit, Note, always
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.core.spelling import Spelling, read, split_spellings
from veracity.core.words import brief

RECOMPUTED = "recomputed from the formula"


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method, as its signature declares it."""

    name: str
    default: Any
    holds: str = ""  # the type that the signature names

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def __str__(self) -> str:
        return self.name if self.required else f"{self.name}={self.default!r}"


@dataclass(frozen=True)
class Known:
    """An answer to hold a method against: what goes in, what comes out, and who printed or how one got it."""

    given: Mapping[str, Any]
    answer: Any
    source: str = RECOMPUTED
    digits: int = 4


@cache
def _table_of_package(module: str, file: str) -> Mapping[str, Any]:
    """Return what a JSON file beside a module tells of each method by its name; nothing where there is no such file."""
    path = files(module.rpartition(".")[0]) / file
    found: Mapping[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def _known_answer(row: Mapping[str, Any]) -> Known:
    def as_tuples(value: Any) -> Any:
        return tuple(map(as_tuples, value)) if isinstance(value, list) else value

    given = {key: as_tuples(value) for key, value in row["given"].items()}
    return Known(**{**row, "given": given, "answer": as_tuples(row["answer"])})


@dataclass(frozen=True, eq=False)
class Entry:
    """One decorated function. Manual, help, choices, footnotes and contract tests are generated from its fields."""

    kind: ClassVar[str] = "method"
    plain_types: ClassVar[bool] = False  # whether parameters are held against the types that the signature names
    measured: ClassVar[str] = ""  # what simulation measures of methods of this kind
    figures: ClassVar[tuple[type[Measurement], str] | None] = None  # its class, and the package that holds the figures
    # the functions of the entry that read its parameters: a choice hands them those that it was made with
    read_parameters: ClassVar[frozenset[str]] = frozenset({"function"})

    function: Callable[..., Any]
    title: str
    cite: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()
    # what others call it, with commas between, where the names.json of its package does not tell that; one with
    # parameters implies them: "f1(beta=1)"
    aliases: str = ""
    keywords: str = ""  # words by which it is sought without being its name, with commas between
    name: str = field(default="")

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the one place where a frozen entry finishes building itself
        set_field(self, "name", self.name or self.function.__name__)
        set_field(self, "__module__", self.function.__module__)
        set_field(self, "__qualname__", self.function.__qualname__)
        set_field(self, "__doc__", self.function.__doc__)
        words = _table_of_package(self.__module__, "names.json").get(self.name, {}) if self.is_builtin else {}
        set_field(self, "aliases", self.aliases or ", ".join(words.get("aliases", ())))
        set_field(self, "keywords", self.keywords or ", ".join(words.get("keywords", ())))
        for key in self.assumes:
            if key not in ASSUMPTIONS:
                raise BadInput(f"{self.name} cites the assumption {key!r}, which is not in the table of them")

    @property
    def known_as(self) -> tuple[Spelling, ...]:
        """All that it may be typed as: its name, its title and what others call it, with the parameters implied."""
        return (Spelling(self.name), Spelling(self.title), *map(read, split_spellings(self.aliases)))

    def is_one_of(self, *names: str) -> bool:
        """Return whether this is veracity's own method of one of these names: a user's own may bear any name."""
        return self.is_builtin and self.name in names

    @property
    def is_builtin(self) -> bool:
        """Whether the method is one of veracity's, so that its name says what it does."""
        return str(self.__module__).partition(".")[0] == "veracity"

    @property
    def sought_by(self) -> tuple[str, ...]:
        """Words by which it is sought without being its name."""
        return tuple(split_spellings(self.keywords))

    @property
    def is_discredited(self) -> bool:
        """Whether it is kept only to be refused."""
        return any(limit.weight == "refuse" and limit.when is always for limit in self.limits)

    @property
    def sentence(self) -> str:
        """What the method does, in one sentence (its title where docstrings are stripped)."""
        text = inspect.cleandoc(self.function.__doc__ or self.title)
        return " ".join(text.split("\n\n")[0].split())

    @property
    def details(self) -> str:
        """What the docstring says after its first paragraph."""
        return "\n\n".join(inspect.cleandoc(self.function.__doc__ or "").split("\n\n")[1:])

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The keyword parameters a user may set."""
        signature = inspect.signature(self.function)
        return tuple(
            Parameter(p.name, p.default, str(getattr(p.annotation, "__name__", p.annotation)))
            for p in signature.parameters.values()
            if p.kind is inspect.Parameter.KEYWORD_ONLY
        )

    @property
    def signature(self) -> str:
        """The method as it is typed, with its defaults."""
        inside = ", ".join(map(str, self.parameters))
        return f"{self.name}({inside})" if inside else self.name

    def cells(self) -> dict[str, str]:
        """What a list shows between its name and its sentence, by heading."""
        return {}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        """What only its kind has to say, as lines by heading."""
        return {}

    def facts(self) -> dict[str, str]:
        """What only its kind declares, for machines."""
        return {}

    def known_answers(self) -> tuple[Known, ...]:
        """Return the answers to hold the method against, which stand in a file of its package."""
        rows = _table_of_package(self.__module__, "known_answers.json").get(self.name, ()) if self.is_builtin else ()
        return tuple(map(_known_answer, rows))

    def measurements(self) -> tuple[Measurement, ...]:
        """Return what simulation found of it: nothing of a user's own method, whatever its name."""
        return self._measurements() if self.is_builtin else ()

    def _measurements(self) -> tuple[Measurement, ...]:
        return measurements_of(self.name, *self.figures) if self.figures else ()

    def check_cost(self, *evidence: Any) -> None:
        """Refuse evidence of which there is so much that the work must be asked for twice."""

    @property
    def references(self) -> tuple[str, ...]:
        """The works cited, written out; a key that is not in the table stands for itself."""
        return tuple(REFERENCES.get(key, key) for key in self.cite)

    def choose(self, **arguments: Any) -> Choice:
        """This method with these parameters; an unknown or missing one is refused here."""
        known = {parameter.name: parameter for parameter in self.parameters}
        anyway = arguments.pop(ANYWAY, False)
        if not isinstance(anyway, bool):
            raise BadInput(f"{self.name}: {ANYWAY} is True or False, not {brief(repr(anyway))}")
        for name in arguments:
            if name not in known:
                offer = f"it takes {', '.join(map(str, known.values()))}" if known else "it takes none"
                raise BadInput(f"{self.name} has no parameter {name!r}: {offer}")
        missing = [p.name for p in known.values() if p.required and p.name not in arguments]
        if missing:
            raise BadInput(f"{self.name} needs {missing[0]}: write {self.name}({missing[0]}=...)")
        for name, value in arguments.items():
            holds = known[name].holds
            if self.plain_types and not matches_type(holds, value):
                raise BadInput(f"{self.name}: {name} must be {types_in_words(holds)}, not {brief(repr(value))}")
        if not anyway:
            check_parameters(self.name, arguments)
        ordered = tuple((name, arguments[name]) for name in known if name in arguments)
        return Choice(self, ordered, anyway)

    @classmethod
    def decorator(cls, title: str, **fields: Any) -> Callable[[Callable[..., Any]], Self]:
        """Makes a function a method of this kind."""
        return lambda function: cls(function, title, **fields)

    def __call__(self, *evidence: Any, **arguments: Any) -> Any:
        """With evidence, the method's value; without, the method with its parameters chosen."""
        return self.function(*evidence, **arguments) if evidence else self.choose(**arguments)

    def __reduce__(self) -> str:
        return self.function.__qualname__  # pickled as a load by name, like the function it wraps

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


@dataclass(frozen=True)
class Choice:
    """A method with its parameters: `score.better` is declared by the entry, `score.influence_of(part)` computed by
    it with the parameters of this choice.
    """

    entry: Any
    arguments: tuple[tuple[str, Any], ...] = ()
    anyway: bool = False  # whether more work is meant than is done unasked

    def __getattr__(self, name: str) -> Any:
        """Return what the entry declares; a function that reads parameters gets those of this choice."""
        if name == "entry" or name.startswith("__"):  # asked of a choice that is still being unpickled or copied
            raise AttributeError(name)
        declared = getattr(self.entry, name)
        return partial(declared, **self.given) if name in self.entry.read_parameters else declared

    @property
    def given(self) -> dict[str, Any]:
        return dict(self.arguments)

    @cached_property
    def spelling(self) -> str:
        """The canonical text: parameters that differ from their defaults, in the order of the signature."""
        defaults = {parameter.name: parameter.default for parameter in self.entry.parameters}
        changed = tuple(
            (key, Spelling(str(value)) if isinstance(value, Choice) else value)
            for key, value in self.arguments
            if value is not defaults.get(key) and (type(value) is bool or value != defaults.get(key))
        )
        return str(Spelling(self.entry.name, changed + ((ANYWAY, True),) * self.anyway))

    def value(self, name: str) -> Any:
        """The value of one parameter, given or default."""
        defaults = {parameter.name: parameter.default for parameter in self.entry.parameters}
        return {**defaults, **self.given}.get(name)

    def accepts(self, name: str) -> bool:
        return any(parameter.name == name for parameter in self.entry.parameters)

    def setting(self, **arguments: Any) -> Choice:
        """The same choice with some parameters set anew."""
        choice: Choice = self.entry.choose(**{ANYWAY: self.anyway, **self.given, **arguments})
        return choice

    def with_seed(self, seed: int) -> Choice:
        """With this seed, where the method draws random numbers and was not given one of its own."""
        return self.setting(seed=seed) if self.accepts("seed") and "seed" not in self.given else self

    def __call__(self, *evidence: Any) -> Any:
        if not self.anyway:
            self.entry.check_cost(*evidence)
        return self.entry(*evidence, **self.given)

    def __str__(self) -> str:
        return self.spelling


MethodLike = str | Entry | Choice  # how a user names a method


@dataclass(frozen=True)
class DefaultRule:
    """One row of a table of defaults, of which the first that fits decides."""

    of: str  # where it fits, in words; "{n}" stands for how many there are
    name: str | None  # the method; None where there is none by default
    when: Callable[[Any], bool]
    why: str

    @property
    def where(self) -> str:
        """Where it fits, however many there are."""
        return self.of.format(n="")

    def note(self, number: int) -> Note:
        """That it was taken, and where it fits, for a result that nobody asked this method for."""
        return Note("default", "remark", f"{self.name}: {self.of.format(n=f'{number:,} ')}")


def first_fit(rules: Sequence[DefaultRule], evidence: Any) -> DefaultRule:
    """The rule that decides."""
    return next(rule for rule in rules if rule.when(evidence))
