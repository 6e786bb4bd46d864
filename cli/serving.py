"""The command `serve`: serves the store of this machine to the browsers of an evening."""

import sys
from pathlib import Path
from typing import Annotated

from cli import VERSION, shell
from cli.desktop import has_screen, program, write_entry
from cli.options import flag, option

LAN = Annotated[bool, flag("--lan", "Listen for the phones in this network, and show the address as a code.")]
HOST = Annotated[str, option("--host", "ADDRESS", "Listen at this address.", default="this machine alone")]
ON_PORT = Annotated[int, option("--port", "N", "The port to listen at.", default=True, min=1, max=65535)]
NAMES = Annotated[
    list[str] | None,
    option("--name", "NAME", "A name that a proxy calls it by, such as kibitz.example.org. Repeatable."),
]
DELAY = Annotated[
    str, option("--delay", "DELAY", "How late spectators see it: '2 tricks', '5 minutes'.", default="not at all")
]
LINK = Annotated[bool, flag("--link", "Print a new link for the director, good for one browser and a day, and end.")]
OPEN = Annotated[
    bool | None,
    flag("--open/--no-open", "Open the director's page in this machine's browser.", show_default="at the first start"),
]
DESKTOP = Annotated[
    bool, flag("--desktop", "Put an entry on the desktop that begins this with a double click, and end.")
]
TLS = Annotated[bool, flag("--tls", "A proxy in front speaks TLS: cookies are for https alone.")]


@shell.command("serve")
def serve_command(
    lan: LAN = False, host: HOST = "", port: ON_PORT = 8642, name: NAMES = None, delay: DELAY = "", tls: TLS = False,
    link: LINK = False, open_page: OPEN = None, desktop: DESKTOP = False,
) -> None:  # fmt: skip
    """Record on phones, follow live, direct an evening: serve the store to browsers."""
    from events.errors import UsageError
    from records.postgres.address import is_address

    try:
        from service import serve as serving
        from service.audiences import delay_of
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("events", "reducers", "records", "replay", "service"):
            raise
        raise UsageError(
            "serving needs the extra kibitz[serve]", todo="Install it with `pip install 'kibitz[serve]'`.",
        ) from None
    if lan and host:
        raise UsageError("--lan and --host do not go together", expected="one of them")
    with shell.store(write=True, create=True) as store:
        place: Path | str = store.path
        is_first = not store.matches()
    if is_address(shell.settings.db):
        place = str(shell.settings.db)
    if desktop:
        words = [
            *program(), "--db", str(place if is_address(place) else Path(place).resolve()), "serve", "--open",
            *(["--lan"] if lan else []),
        ]
        shell.out(f"written: {write_entry(words)}")
        return
    plan = serving.plan(
        place, lan=lan, host=host, port=port, names=name or [], delay=delay_of(delay), secure=tls, version=VERSION,
    )

    def tell_link() -> None:
        address = serving.director_link(plan)
        shell.out(f"director: {address}  (for one browser, for a day)")
        if lan:
            shell.out(*serving.terminal_code(address).splitlines())

    def say(line: str) -> None:
        shell.out(line)
        if name:
            # It runs unattended and its output goes to a log, so it prints no link.
            shell.out("director: `kibitz serve --link`, with the same --name, prints a link")
        else:
            tell_link()
        if open_page or (open_page is None and is_first and not name and sys.stdout.isatty() and has_screen()):
            import webbrowser

            # A separate link: the printed one can still be used by another browser.
            webbrowser.open(serving.director_link(plan))

    if link:
        tell_link()
        return
    serving.serve_until_stopped(plan, say)
    shell.say("stopped; everything that was answered is written")
