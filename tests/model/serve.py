"""Serves one model file on loopback with the OpenAI protocol, until it is stopped.

`python -m tests.model.serve FILE` prints the address once the model is loaded. A process of its
own: the runtime holds two gigabytes and its threads should end with it.
"""

import signal
import sys

import xllamacpp

CONTEXT_TOKENS = 6_144
THREADS = 2


def main(file: str) -> None:
    """Serve until SIGTERM."""
    wanted = xllamacpp.CommonParams()
    wanted.model.path = file
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0
    wanted.n_ctx = CONTEXT_TOKENS
    wanted.n_parallel = 1
    for cpu in (wanted.cpuparams, wanted.cpuparams_batch):
        cpu.n_threads = THREADS
        cpu.poll = 0  # spinning threads starve each other where other work runs beside them
    wanted.use_jinja = True
    wanted.warmup = False
    server = xllamacpp.Server(wanted)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    main(sys.argv[1])
