"""What the words of a command are called and mean, said without the parser, which takes longer to load than most commands run.

A command says of each of its parameters what it is: `Annotated[str, argument(metavar="MATCH")]`. Typer is told the same when it
is needed (`for_typer`): for help, for completion, and for whatever the short way (`cli.fast_path`) does not take.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, get_args, get_origin


class OptionWord(NamedTuple):
    """A parameter of a command: an option with its names, or a word in its place; `more` is what Typer is told of it."""

    names: tuple[str, ...]
    more: dict[str, Any]


class Completed(NamedTuple):
    """What the shell offers behind Tab: `complete_…` of `cli.tab_completion` by its `name`, or what it makes of these words."""

    name: str
    words: tuple[str, ...]


Register = Any
"""What commands are added to: Typer's program, or the collection of the short way."""


def option(*names: str, **more: Any) -> OptionWord:
    """An option with its names."""
    return OptionWord(names, more)


def argument(**more: Any) -> OptionWord:
    """A word in its place."""
    return OptionWord((), more)


def completed_by(name: str, *words: str) -> Completed:
    """What to offer behind Tab."""
    return Completed(name, words)


def for_typer(annotation: Any) -> Any:
    """The annotation of a parameter as Typer reads it."""
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, *said = get_args(annotation)
    if not said or not isinstance(said[0], OptionWord):
        return annotation
    import typer

    names, more = said[0]
    offered = more.get("autocompletion")
    if isinstance(offered, Completed):
        from cli import tab_completion

        function = getattr(tab_completion, f"complete_{offered.name}")
        more = {**more, "autocompletion": function(*offered.words) if offered.words else function}
    return Annotated[kind, typer.Option(*names, **more) if names else typer.Argument(**more)]
