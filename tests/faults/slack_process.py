"""A process of ours to be killed: `python slack_process.py DATABASE API_URL SLOW`.

It serves Slack like the real one, with an engine that answers at once, or never when SLOW is 1,
and with leases of a moment, so that a test need not wait ten seconds for the next process.
"""

import asyncio
import signal
import sys

from pydantic import SecretStr

from agent.domain import Answer, Question
from agent.ports import Progress
from agent.store import open_store
from bots.clock import SystemClock
from bots.conversation import Conversation, intake
from bots.slack.app import build_slack
from config.settings import ConversationSettings, Settings, SlackSettings
from tests.chat_fakes import MemoryJobs, ScriptedAssistant, answer_to


async def never(question: Question, progress: Progress) -> Answer:
    await asyncio.Event().wait()
    raise AssertionError("never woken")


async def main(database: str, api_url: str, slow: str) -> None:
    intake.LEASE_S, intake.SWEEP_S = 1.0, 0.1
    settings = Settings(
        slack=SlackSettings(
            bot_token=SecretStr("xoxb-test"), app_token=SecretStr("xapp-test"), api_url=api_url
        ),
        conversation=ConversationSettings(
            shutdown_s=0.5, asker_per_minute=1_000, channel_per_minute=1_000
        ),
    )
    store = open_store(database)
    assistant = ScriptedAssistant(never if slow == "1" else answer_to())
    conversation = Conversation(assistant, MemoryJobs(), store, settings)
    slack = build_slack(settings, conversation, SystemClock())
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await conversation.start()
    await slack.start()
    await stopped.wait()
    await slack.stop()
    await conversation.stop()
    await slack.close()
    store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
