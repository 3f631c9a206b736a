#!/bin/sh
# openai 3.57.0 and anthropic 2.14.0 (PyPI, Python 3.11), openai 7.59.0 and @anthropic-ai/sdk 1.14.0 (npm, Node 20), each with its normal
# two retries and a timeout of one second: a 429 with "retry-after: 300". The clients are near relatives, yet do three different things.
# openai for JavaScript takes a retry-after of more than a minute for none at all: all three POSTs are sent within these eight seconds, each
# into the limit that has just been announced. openai for Python gives up at once, after one POST (at a retry-after of 120 it waited). Those of
# anthropic obey to the letter, and no timeout has a say: one POST, and then the call waits (seen for eight seconds; by its source for the
# whole five minutes). One header that a gateway relays or makes thus means "again at once", "never again" or "wait", and the language
# decides as much as the maker.
#
# Expected output (POSTs seen eight seconds after the first one, and whether the call has ended by then):
#   python openai: 1 POSTs, ended: RateLimitError
#   python anthropic: 1 POSTs, still waiting
#   js openai: 3 POSTs, ended: RateLimitError
#   js anthropic: 1 POSTs, still waiting
#
# Needs node with npm, python3 with venv, and package registries. Ends with 1 when the behaviour is another one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" 'openai@7.59.0' '@anthropic-ai/sdk@1.14.0'
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'openai==3.57.0' 'anthropic==2.14.0'
cat >"$folder/ask.mjs" <<'JAVASCRIPT'
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const [, , name, url] = process.argv;
const messages = [{ role: "user", content: "x" }];
try {
  if (name === "openai") {
    await new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, timeout: 1000 }).chat.completions.create({ model: "m", messages });
  } else {
    await new Anthropic({ apiKey: "k", baseURL: url, timeout: 1000 }).messages.create({ model: "m", max_tokens: 9, messages });
  }
} catch (error) {
  console.log(error.constructor.name);
}
JAVASCRIPT
cat >"$folder/ask.py" <<'PYTHON'
import sys

name, url = sys.argv[1:]
messages = [{"role": "user", "content": "x"}]
try:
    if name == "openai":
        import openai

        openai.OpenAI(api_key="k", base_url=f"{url}/v1", timeout=1).chat.completions.create(model="m", messages=messages)
    else:
        import anthropic

        anthropic.Anthropic(api_key="k", base_url=url, timeout=1).messages.create(model="m", max_tokens=9, messages=messages)
except Exception as error:
    print(type(error).__name__)
PYTHON
"$folder/venv/bin/python" - <<'PYTHON'
import http.server
import subprocess
import sys
import threading

posts = []
first = threading.Event()


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        body = b'{"type": "error", "error": {"type": "rate_limit_error", "message": "limit"}}'
        self.send_response(429)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("retry-after", "300")
        self.end_headers()
        self.wfile.write(body)
        posts.append(self.path)
        first.set()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"


def report(language, command, name):
    posts.clear()
    first.clear()
    client = subprocess.Popen([*command, name, url], stdout=subprocess.PIPE, text=True)
    first.wait(120)
    try:
        end = f"ended: {client.communicate(timeout=8)[0].strip()}"
    except subprocess.TimeoutExpired:
        end = "still waiting"
        client.kill()
        client.communicate()
    return f"{language} {name}: {len(posts)} POSTs, {end}"


languages = {"python": [sys.executable, "ask.py"], "js": ["node", "ask.mjs"]}
lines = [report(language, command, name) for language, command in languages.items() for name in ("openai", "anthropic")]
print("\n".join(lines))
expected = [
    "python openai: 1 POSTs, ended: RateLimitError",
    "python anthropic: 1 POSTs, still waiting",
    "js openai: 3 POSTs, ended: RateLimitError",
    "js anthropic: 1 POSTs, still waiting",
]
sys.exit(0 if lines == expected else 1)
PYTHON
