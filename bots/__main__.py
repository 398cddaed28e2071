"""The commands: `footnote run, ask, sync, map, doctor, eval`.

Each imports what it needs when it is called: the engine and the web server cost a second to load,
which help, the version and a wrong word should not wait for.
"""

import json
import sys
from datetime import date
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated, Any

import typer

from bots.terminal.commandline import (
    ConfigOption,
    DataOption,
    Exit,
    FolderOption,
    JsonOption,
    as_text,
    fail,
    read_settings,
    result_console,
    try_settings,
)
from bots.terminal.commandline import (
    run as run_work,
)
from bots.terminal.evaluating.commands import eval_app

app = typer.Typer(
    name="footnote",
    help="Answers questions from your documents, with a footnote to every claim.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(eval_app, name="eval")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"footnote {installed_version('footnote')}")
        raise typer.Exit


@app.callback()
def footnote(
    context: typer.Context,
    config: ConfigOption = None,
    data: DataOption = None,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """Footnote in the terminal."""
    # Common options stand before the command as well as after it.
    common = {"config": config, "data": data}
    context.default_map = {
        **dict.fromkeys(("run", "ask", "sync", "map", "doctor"), common),
        "eval": dict.fromkeys(("run", "growth", "collect", "oracle"), common),
    }


@app.command()
def run(
    config: ConfigOption = None,
    data: DataOption = None,
    first_question: Annotated[
        Path | None,
        typer.Option("--first-question", metavar="FILE", help="Show its first question answered."),
    ] = None,
) -> None:
    """Sync, then serve web, Teams and (with tokens) Slack until stopped."""
    from bots import serving

    settings = read_settings(config, data)
    run_work(serving.serve(settings, first_question))


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    folder: FolderOption = None,
    thread: Annotated[str, typer.Option("--thread", metavar="ID", help="Go on in a thread.")] = "",
    as_: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="PERSON|CHANNEL",
            help="Answer in that scope: mail:…, slack:U…, slack:C…, teams:…, workspace.",
        ),
    ] = "workspace",
    trace: Annotated[bool, typer.Option("--trace", help="Show how it was found.")] = False,
    today: Annotated[
        str, typer.Option("--today", metavar="DATE", help="The asker's date, 2026-11-30.")
    ] = "",
    batch: Annotated[
        Path | None, typer.Option("--batch", metavar="IN.jsonl", help="Answer every line of it.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="OUT.jsonl", help="Where the answers go.")
    ] = None,
    parallel: Annotated[
        int, typer.Option("--parallel", metavar="N", min=1, max=64, help="Lines at a time.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Answer one question, or with --batch a file of them."""
    from bots.terminal import asking

    settings = read_settings(config, data)
    request = asking.Request(
        folder=folder,
        person=as_text(as_),
        today=_date(today),
        thread=as_text(thread),
        trace=trace,
        as_json=as_json,
    )
    match question, batch, out:
        case str(), None, None:
            run_work(asking.ask_one(settings, request, as_text(question)))
        case None, Path(), Path():
            run_work(asking.ask_batch(settings, request, (batch, out), parallel))
        case _:
            fail(
                "Say either a QUESTION, or --batch IN.jsonl together with --out OUT.jsonl.",
                Exit.WRONG_USE,
            )


@app.command()
def sync(
    source: Annotated[str | None, typer.Argument(help="One source; else all.")] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    status: Annotated[bool, typer.Option("--status", help="Say how each source stands.")] = False,
    failed: Annotated[bool, typer.Option("--failed", help="List the files that failed.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Bring the library in step with its sources."""
    from bots.terminal import syncing

    settings = read_settings(config, data)
    names = [source] if source else None
    if status and failed:
        fail("Say --status or --failed, not both.", Exit.WRONG_USE)
    if status:
        shown = run_work(syncing.show_status(settings, names))
    elif failed:
        shown = run_work(syncing.show_failed(settings, names))
    else:
        shown = run_work(syncing.run_sync(settings, names))
    _print(shown.rows, shown.view, as_json)
    if not shown.clean:
        raise typer.Exit(int(Exit.WITH_ERRORS))


@app.command("map")
def show_map(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[check | show DOCUMENT]", help="What to show.")
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    folder: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the document map; `check` tells what to mend, `show` one document with its text."""
    from bots.terminal import mapping

    settings = read_settings(config, data)
    match words or []:
        case []:
            shown = run_work(mapping.whole_map(settings, folder))
        case ["check"]:
            shown = run_work(mapping.check(settings, folder))
        case ["show", document]:
            shown = run_work(mapping.one_document(settings, folder, as_text(document)))
        case _:
            fail("Say `map`, `map check` or `map show DOCUMENT`.", Exit.WRONG_USE)
    _print(shown.rows, shown.view, as_json)


@app.command()
def doctor(
    word: Annotated[
        str | None,
        typer.Argument(metavar="[PART | TRACE]", help="One part, or the trace of one answer."),
    ] = None,
    config: ConfigOption = None,
    data: DataOption = None,
    folder: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check settings, store, sources and services, and say what to fix.

    Parts: store, sources, model, embedder, reranker, slack, teams. With the trace_id of
    an answer it names what ails that answer.
    """
    from bots.app import settings_for_folder
    from bots.terminal import doctoring

    try:
        settings = try_settings(config, data)
    except ValueError as error:
        shown = doctoring.unusable(str(error))
        _print(shown.rows, shown.view, as_json)
        raise typer.Exit(int(Exit.BAD_CONFIGURATION)) from None
    chosen = settings_for_folder(settings, folder) if folder else settings
    shown = run_work(doctoring.doctor(chosen, config, as_text(word) if word else None))
    _print(shown.rows, shown.view, as_json)
    if not shown.clean:
        raise typer.Exit(int(Exit.WITH_ERRORS))


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        fail(f"--today {text!r} is no date; write it as 2026-11-30.", Exit.WRONG_USE)


def _print(rows: Any, view: Any, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
    else:
        result_console().print(view)


def main() -> None:
    """The entry point of `footnote`."""
    # A document's name may hold bytes that are no text; they are shown, never a crash.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    app()


if __name__ == "__main__":
    main()
