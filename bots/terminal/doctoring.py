"""`footnote doctor`: the checks, or the diagnosis of one trace, as a table and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from agent.trace.diagnosis import Symptom, diagnose
from bots.app import open_engine
from bots.doctor import PARTS, Check, State, examine
from bots.doctor.checks import failed, ok
from bots.terminal.commandline import WrongUse
from bots.terminal.syncing import Shown
from bots.terminal.tracing import trace_view
from bots.terminal.views import visible
from config.settings import Settings, settings_file

_MARKS = {State.OK: ("✓", "green"), State.WARNING: ("!", "yellow"), State.FAILED: ("✗", "red")}


async def doctor(settings: Settings, file: Path | None, word: str | None) -> Shown:
    """Every check, those of one part, or what ails the question of a trace."""
    if word and word not in PARTS:
        return await _trace(settings, word)
    checks = await examine(settings, word)
    if word is None:
        checks.insert(0, _in_force(settings, file))
    return _shown(checks, _view(checks))


def unusable(problem: str) -> Shown:
    """The one check there is where the settings cannot be used."""
    checks = [failed("settings", problem, "Correct it there, then run this again.")]
    return _shown(checks, _view(checks))


def _in_force(settings: Settings, file: Path | None) -> Check:
    read = settings_file(file)
    where = f"{read} and" if read else "No settings file:"
    says = f"{where} the defaults are in force; data in {settings.data_dir}."
    return ok("settings", says)


async def _trace(settings: Settings, trace_id: str) -> Shown:
    async with open_engine(settings) as engine:
        trace = await engine.traces.find(trace_id)
        if trace is None:
            raise WrongUse(
                f"There is no part and no trace {trace_id!r} here.",
                hint=f"Parts: {', '.join(PARTS)}. A trace's id is in its answer (trace_id).",
            )
        symptoms = await diagnose(trace, engine.library, settings.loop)
    checks = [_check(symptom) for symptom in symptoms]
    return _shown(checks, Group(_view(checks), trace_view(trace)))


def _check(symptom: Symptom) -> Check:
    state = State.OK if symptom.healthy else State.WARNING
    return Check(symptom.name, state, symptom.says, symptom.fix)


def _shown(checks: Sequence[Check], view: RenderableType) -> Shown:
    clean = all(check.state is not State.FAILED for check in checks)
    return Shown([asdict(check) for check in checks], view, clean)


def _view(checks: Sequence[Check]) -> RenderableType:
    lines = []
    for check in checks:
        mark, colour = _MARKS[check.state]
        lines.append(Text.assemble((f"{mark} ", colour), (check.check, "bold"), ": ", _said(check)))
        if check.fix:
            lines.append(Text(visible(f"    → {check.fix}"), style="dim"))
    return Group(*lines)


def _said(check: Check) -> str:
    return visible(check.says)
