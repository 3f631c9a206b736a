#!/bin/sh
# openai 3.57.0 and anthropic 2.14.0 (PyPI, Python 3.11) against openai 7.59.0 and @anthropic-ai/sdk 1.14.0 (npm, Node 20), a plain call
# without streaming: the server answers 200, sends the first half of the JSON and then loses the connection. The Python clients read the
# body inside of their retry loop: they send the POST again, three times in all, although the answer had begun and the model was
# therefore paid for, and none of the requests carries an idempotency key by which a server could tell (x-stainless-retry-count is the
# only trace). The JavaScript clients of the same makers read the body outside of the loop: one POST, and the error is the bare
# "TypeError: terminated" of fetch, which is no APIError, so that handlers of APIConnectionError do not see it.
#
# Expected output (POSTs, those with an idempotency key, the error, and whether it is of the SDK's APIError):
#   python openai: 3 POSTs, retry counts 0 1 2, 0 with idempotency-key, APIConnectionError, APIError True
#   python anthropic: 3 POSTs, retry counts 0 1 2, 0 with idempotency-key, APIConnectionError, APIError True
#   js openai: 1 POSTs, retry counts 0, 0 with idempotency-key, TypeError, APIError false
#   js anthropic: 1 POSTs, retry counts 0, 0 with idempotency-key, TypeError, APIError false
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
    await new OpenAI({ apiKey: "k", baseURL: `${url}/v1` }).chat.completions.create({ model: "m", messages });
  } else {
    await new Anthropic({ apiKey: "k", baseURL: url }).messages.create({ model: "m", max_tokens: 9, messages });
  }
  console.log("no error");
} catch (error) {
  const base = name === "openai" ? OpenAI.APIError : Anthropic.APIError;
  console.log(`${error.constructor.name}, APIError ${error instanceof base}`);
}
JAVASCRIPT
"$folder/venv/bin/python" - <<'PYTHON'
import http.server
import subprocess
import sys
import threading

import anthropic
import openai

seen = []


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        seen.append((self.headers.get("x-stainless-retry-count"), self.headers.get("idempotency-key")))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        half = b'{"id": "1", "model": "m", '
        self.wfile.write(b"%x\r\n%s\r\n" % (len(half), half))
        self.close_connection = True

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
messages = [{"role": "user", "content": "x"}]


def python(package, ask):
    try:
        ask()
        return "no error"
    except Exception as error:
        return f"{type(error).__name__}, APIError {isinstance(error, package.APIError)}"


def js(name):
    return subprocess.run(["node", "ask.mjs", name, url], check=True, capture_output=True, text=True, timeout=120).stdout.strip()


def report(name, ask):
    seen.clear()
    error = ask()
    counts = " ".join(str(count) for count, _ in seen)
    keys = sum(key is not None for _, key in seen)
    return f"{name}: {len(seen)} POSTs, retry counts {counts}, {keys} with idempotency-key, {error}"


def of_openai():
    openai.OpenAI(api_key="k", base_url=f"{url}/v1").chat.completions.create(model="m", messages=messages)


def of_anthropic():
    anthropic.Anthropic(api_key="k", base_url=url).messages.create(model="m", max_tokens=9, messages=messages)


lines = [
    report("python openai", lambda: python(openai, of_openai)),
    report("python anthropic", lambda: python(anthropic, of_anthropic)),
    report("js openai", lambda: js("openai")),
    report("js anthropic", lambda: js("anthropic")),
]
print("\n".join(lines))
again = "3 POSTs, retry counts 0 1 2, 0 with idempotency-key, APIConnectionError, APIError True"
once = "1 POSTs, retry counts 0, 0 with idempotency-key, TypeError, APIError false"
expected = [f"python openai: {again}", f"python anthropic: {again}", f"js openai: {once}", f"js anthropic: {once}"]
sys.exit(0 if lines == expected else 1)
PYTHON
