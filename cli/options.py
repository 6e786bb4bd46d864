"""Names and help of command parameters, described without the parser, which loads slower than most commands run.

A command describes each of its parameters: `Annotated[str, argument(metavar="MATCH")]`. `for_typer` converts this for
Typer when Typer is needed: for help, for completion, and for everything that the fast path (`cli.fast_path`) does not
handle.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, get_args, get_origin


class OptionWord(NamedTuple):
    """A parameter of a command: an option with its names, or a positional argument. `more` is for Typer."""

    names: tuple[str, ...]
    more: dict[str, Any]


class Completed(NamedTuple):
    """Shell completions: `complete_…` of `cli.tab_completion` by its `name`, or the one it makes from `words`."""

    name: str
    words: tuple[str, ...]


Register = Any
"""The object that commands are added to: Typer's program, or the collection of the fast path."""


def option(*names: str, **more: Any) -> OptionWord:
    """An option with its names."""
    return OptionWord(names, more)


def argument(**more: Any) -> OptionWord:
    """A positional argument."""
    return OptionWord((), more)


def completed_by(name: str, *words: str) -> Completed:
    """The completions to offer on Tab."""
    return Completed(name, words)


def for_typer(annotation: Any) -> Any:
    """The annotation of a parameter in Typer's form."""
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
