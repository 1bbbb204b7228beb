"""``oshihiki open``: one page of this machine to play, review, practise, watch, and see how one fares."""

import asyncio
import json as json_text
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.browser import show_page, show_running
from bot.commands.options import ConfigFile, WatchPort
from bot.config import load
from bot.home.place import Home
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, print_error, say, standard_output
from bot.machine.stop import run_until_stopped
from bot.machine.text import clean
from bot.page.loopback import kept_key, listen
from bot.page.running import Running, noted, running
from bot.play import wiring
from bot.store.database import data_folder
from bot.store.importing import bring_in
from bot.wording.languages import Lang


def open_(
    folder: Annotated[
        Path | None, typer.Option(help="Folder of the reviews and of the logs given; default: the data folder.")
    ] = None,
    config: ConfigFile = None,
    port: WatchPort = None,
    lang: Annotated[Lang | None, typer.Option(help="Language of the page; default: the browser's.")] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Start a browser, where there is a display.")
    ] = True,
    json: Annotated[bool, typer.Option("--json", help="Print the address as JSON, and start no browser.")] = False,
) -> None:
    """Open one page of this machine for everything: play, reviews, practice, recorded games, results; until Ctrl-C.

    Play sits you down at a table of the embedded lobby. Drop logs, folders or archives on the page to have them
    reviewed, or paste an address; reviews are kept, with their games, and found again. Practice asks what is due of all
    of them. Nothing leaves this machine, unless you have the page ask tenhou.net for a log. The page is for this
    machine alone; a browser that the link has let in may bookmark its address, which keeps from one day to the next.
    Where the page is served already, it is shown, also by play --watch, watch and practice, each at its place.

    Examples:
      oshihiki open
      oshihiki open --no-browser --port 8100
      oshihiki open --folder reviews/ --lang ja
    """
    settings = load(config)
    kept = (folder or data_folder() / "reviews").expanduser()
    records = wiring.record_folder(settings).absolute()
    found = running(kept, kept_key(data_folder()))
    if found is not None and port is None and found.records == str(records):
        place = "" if lang is None else f"?lang={lang}"
        if json:
            typer.echo(_as_json(found.link + place, kept))
        else:
            show_running("open", found, place, error_screen(), start=browser)
        return
    close = wiring.start_logging(settings)
    try:
        bring_in(records)
        bring_in(kept, with_reviews=True)
    except InputError as error:
        print_error(f"{error}; the page shows what is kept there, and keeps nothing new")
    try:
        note = records if found is None else None  # the pages that are served already stay those that others show
        run_until_stopped(_open(Home(settings, kept), note, port, lang, start=browser and not json, json=json))
    finally:
        close()


async def _open(home: Home, note: Path | None, port: int | None, lang: Lang | None, *, start: bool, json: bool) -> None:
    """Serve the pages; ``note``: folder of the records, where other commands are to find these pages."""
    listening, key = listen(port), kept_key(data_folder())
    screen = error_screen()
    async with home.serve(listening, key) as server, AsyncExitStack() as stack:
        folder = home.library.folder
        if note is not None:
            stack.enter_context(noted(folder, Running(server.link, server.address, str(note))))
        link = server.link + ("" if lang is None else f"?lang={lang}")
        if json:
            out = standard_output()
            out.write(_as_json(link, folder) + "\n")
            out.flush()
        else:
            say(screen, f"open: {link}")
            screen.print("Ctrl-C ends", style="dim", highlight=False)
        if start:
            await show_page(link, screen, server.entered)
        await asyncio.Event().wait()


def _as_json(link: str, folder: Path) -> str:
    return json_text.dumps({"link": link, "folder": clean(str(folder))})
