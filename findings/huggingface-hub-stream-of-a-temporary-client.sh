#!/bin/sh
# huggingface_hub 2.4.0 (PyPI, Python 3.11): a chat stream whose InferenceClient nobody holds any more fails with StreamClosed, although
# the stream itself is being read: the client closes its HTTP session in __del__, and the generator of the stream keeps no reference to
# the client. A helper that returns `InferenceClient(...).chat_completion(..., stream=True)` therefore never yields. The same helper
# works with the clients of openai and anthropic, whose streams hold theirs.
#
# Expected output:
#   held: abc
#   temporary: StreamClosed
#
# Needs python3 with venv, and a package registry. Ends with 1 when the behaviour is another one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'huggingface_hub==2.4.0'
"$folder/venv/bin/python" - <<'PYTHON'
import http.server
import json
import sys
import threading

from huggingface_hub import InferenceClient


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for letter in "abc":
            delta = {"role": "assistant", "content": letter}
            chunk = {"id": "1", "created": 1, "model": "m", "system_fingerprint": "", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
threading.Thread(target=server.serve_forever, daemon=True).start()


def client():
    return InferenceClient(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="k")


def stream(of):
    return of.chat_completion(model="m", messages=[{"role": "user", "content": "x"}], stream=True)


def read(chunks):
    try:
        return "".join(chunk.choices[0].delta.content for chunk in chunks)
    except Exception as error:
        return type(error).__name__


kept = client()
held, temporary = read(stream(kept)), read(stream(client()))
print("held:", held)
print("temporary:", temporary)
sys.exit(0 if (held, temporary) == ("abc", "StreamClosed") else 1)
PYTHON
