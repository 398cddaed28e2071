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
