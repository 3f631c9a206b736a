"""Serves a model by llama.cpp's own HTTP server: `llama_server.py MODEL PORT SLOTS UBATCH`."""

import sys
import threading

import xllamacpp

model, port, slots, ubatch = sys.argv[1], *map(int, sys.argv[2:5])
params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {"tiny"}
params.port = port
params.n_parallel = slots
params.n_ctx = 4096 * slots
params.n_batch = max(ubatch, 32)
params.n_ubatch = ubatch
params.n_gpu_layers = 0
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.n_threads_http = 32
params.warmup = False
params.fit_params = False
params.sampling.temp = 0.0
params.sse_ping_interval = 30
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
threading.Event().wait()
