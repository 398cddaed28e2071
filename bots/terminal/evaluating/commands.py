"""The words of `footnote eval run, growth, collect, oracle`; the work is elsewhere."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bots.terminal.commandline import (
    ConfigOption,
    DataOption,
    Exit,
    JsonOption,
    WrongUse,
    fail,
    read_settings,
    result_console,
)
from bots.terminal.commandline import run as run_work

if TYPE_CHECKING:
    from agent.evaluation.report import Report

eval_app = typer.Typer(
    no_args_is_help=True,
    help="Measure engines on question sets, and serve the stand-in for a model.",
)

QuestionsArgument = Annotated[
    Path, typer.Argument(metavar="QUESTIONS", help="A question set, one JSON object a line.")
]
FolderNeeded = Annotated[
    Path, typer.Option("--folder", metavar="DIR", help="The library that is asked.")
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAMES",
        help="With commas: loop, extractive, rag, rag-words, plain-loop.",
    ),
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAMES",
        help="Stand-ins with commas: oracle, oracle-words; else the model of the settings.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="Write the report: .json, .md, .html; other names get all."
    ),
]
ParallelOption = Annotated[
    int, typer.Option("--parallel", metavar="N", min=1, max=64, help="Questions at a time.")
]
FreshOption = Annotated[bool, typer.Option("--fresh", help="Ask everything again.")]
LimitOption = Annotated[
    int, typer.Option("--limit", metavar="N", min=0, help="Only N questions; 0: all.")
]


@eval_app.command("run")
def run_eval(
    questions: QuestionsArgument,
    folder: FolderNeeded,
    engine: EngineOption = "extractive",
    model: ModelOption = "",
    out: OutOption = None,
    parallel: ParallelOption = 1,
    library: Annotated[
        str, typer.Option("--library", help="Of conversations over several: which it is.")
    ] = "",
    limit: LimitOption = 0,
    fresh: FreshOption = False,
    config: ConfigOption = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask every question of every engine, and report.

    Answers are kept as they come: a run that was stopped goes on where it was.
    """
    from bots.terminal.evaluating import running
    from bots.terminal.evaluating.request import ENGINES, ORACLES, EvalRequest, words_of

    settings = read_settings(config, data)
    try:
        engines = words_of(engine, ENGINES, "--engine")
        models = words_of(model, ORACLES, "--model") if model else ()
    except WrongUse as error:
        fail(str(error), Exit.WRONG_USE)
    request = EvalRequest(
        questions, folder, engines, models, parallel=parallel, library=library, fresh=fresh,
        limit=limit,
    )  # fmt: skip
    _tell(run_work(running.run(settings, request)), out, as_json)


def _tell(report: "Report", out: Path | None, as_json: bool) -> None:
    """Write and print the report; questions that led to no answer are an error."""
    from bots.terminal.evaluating.showing import report_view, write_report

    if out:
        try:
            write_report(report, out)
        except WrongUse as error:
            fail(str(error), Exit.WRONG_USE)
    if as_json:
        sys.stdout.write(json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n")
    else:
        result_console().print(report_view(report))
    if report.errors:
        fail(
            f"{report.errors} questions led to no answer; run again to ask them.", Exit.WITH_ERRORS
        )


@eval_app.command("growth")
def run_growth(
    questions: QuestionsArgument,
    folder: FolderNeeded,
    sizes: Annotated[
        str, typer.Option("--sizes", metavar="N,N,…", help="Documents of each library.")
    ] = "50,200,500",
    filler: Annotated[
        Path | None,
        typer.Option(
            "--filler",
            metavar="DIR",
            help="Documents to grow with: a folder, or a .json(.xz) file of [name, text] pairs; "
            "then distractors are made.",
        ),
    ] = None,
    engine: EngineOption = "extractive",
    model: ModelOption = "",
    out: OutOption = None,
    parallel: ParallelOption = 1,
    fresh: FreshOption = False,
    config: ConfigOption = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask the same questions of growing libraries.

    Only questions whose documents fit into the smallest library are asked, and of every size.
    """
    from bots.terminal.evaluating import growing
    from bots.terminal.evaluating.request import ENGINES, ORACLES, EvalRequest, words_of

    settings = read_settings(config, data)
    try:
        engines = words_of(engine, ENGINES, "--engine")
        models = words_of(model, ORACLES, "--model") if model else ()
        growth = growing.Growth(growing.sizes_of(sizes), filler)
    except WrongUse as error:
        fail(str(error), Exit.WRONG_USE)
    request = EvalRequest(questions, folder, engines, models, parallel=parallel, fresh=fresh)
    _tell(run_work(growing.grow(settings, request, growth)), out, as_json)


@eval_app.command("collect")
def run_collect(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the set goes; else stdout.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--folder", metavar="DIR", help="What was asked of this folder alone."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="The newest N questions.")
    ] = 1_000,
    config: ConfigOption = None,
    data: DataOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a question set of what was asked, from traces and feedback.

    What was answered brings its citations as gold, unchecked; what was voted down is left for a
    person to complete. Nobody's name is in it.
    """
    from bots.terminal.evaluating import collecting

    settings = read_settings(config, data)
    lines = run_work(collecting.collected(settings, folder, limit))
    if out:
        run_work(collecting.write_set(lines, out))
    if as_json:
        sys.stdout.write(json.dumps(lines, ensure_ascii=False, indent=2) + "\n")
    elif not out:
        sys.stdout.write(collecting.as_lines(lines))
    else:
        result_console().print(f"{len(lines)} questions written to {out}.")


@eval_app.command("oracle")
def run_oracle(
    questions: QuestionsArgument,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0: any free one.")
    ] = 8099,
    latency: Annotated[
        float, typer.Option("--latency", metavar="S", min=0.0, help="Seconds before each reply.")
    ] = 0.0,
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="oracle or oracle-words.")
    ] = "oracle",
    faults: Annotated[
        str,
        typer.Option(
            "--faults",
            metavar="NAMES",
            help="With commas, in turn: 429, 500, broken, slow, drop; for all calls: no-schema, "
            "no-tools.",
        ),
    ] = "",
    every: Annotated[
        int, typer.Option("--every", metavar="N", min=1, help="A fault every N calls.")
    ] = 5,
    slow: Annotated[
        float, typer.Option("--slow", metavar="S", min=0.0, help="Seconds a slow reply adds.")
    ] = 5.0,
    config: ConfigOption = None,
    data: DataOption = None,
) -> None:
    """Serve the stand-in for a model, whose competence is the gold of these questions.

    An OpenAI-compatible server on this machine: set FOOTNOTE_MODEL__BASE_URL to its address.
    """
    from bots.terminal.evaluating import oracle_server
    from bots.terminal.evaluating.request import ORACLES, words_of

    read_settings(config, data)
    try:
        (name,) = words_of(model, ORACLES, "--model")[:1]
        known = [fault.value for fault in oracle_server.Fault]
        chosen = words_of(faults, known, "--faults") if faults else ()
    except WrongUse as error:
        fail(str(error), Exit.WRONG_USE)
    trouble = oracle_server.Trouble(
        tuple(map(oracle_server.Fault, chosen)), every if chosen else 0, slow
    )
    served = oracle_server.Served(questions, port, latency, name, trouble)
    run_work(oracle_server.serve_until_stopped(served))
