"""Names and help of command parameters, described without the parser, which loads slower than most commands run.

A command describes each of its parameters: `Annotated[str, argument("MATCH", "A match id.")]`. `for_typer` converts
this for Typer when Typer is needed: for help, for completion, and for everything that the fast path (`cli.fast_path`)
does not handle.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, get_args, get_origin


class OptionWord(NamedTuple):
    """A parameter of a command: an option with its names, or a positional argument. `more` is for Typer."""

    names: tuple[str, ...]
    more: dict[str, Any]


def option(
    names: str, metavar: str, help: str, *, default: str | bool = False, completes: str | tuple[str, ...] = (),
    **more: int,
) -> OptionWord:
    """An option with a value, `names` separated by spaces. The help shows a text as its `default`, the value itself
    for True, nothing for False. Tab completes words, or what `complete_…` of `cli.tab_completion` offers. `more` is
    `min` and `max`."""
    more_for_typer = {"metavar": metavar, "help": help, "show_default": default, "completes": completes, **more}
    return OptionWord(tuple(names.split()), more_for_typer)


def argument(metavar: str, help: str, **more: Any) -> OptionWord:
    """A positional argument. `more` is as for an option."""
    return option("", metavar, help, **more)


def flag(name: str, help: str, **more: str) -> OptionWord:
    """An option without a value."""
    return OptionWord((name,), {"help": help, **more})


def for_typer(annotation: Any) -> Any:
    """The annotation of a parameter in Typer's form."""
    if get_origin(annotation) is not Annotated:
        return annotation
    kind, *said = get_args(annotation)
    if not said or not isinstance(said[0], OptionWord):
        return annotation
    import typer

    names, more = said[0].names, dict(said[0].more)
    if offered := more.pop("completes", ()):
        from cli import tab_completion

        named = isinstance(offered, str)
        more["autocompletion"] = (
            getattr(tab_completion, f"complete_{offered}") if named else tab_completion.complete_words(*offered)
        )
    return Annotated[kind, typer.Option(*names, **more) if names else typer.Argument(**more)]
