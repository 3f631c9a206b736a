#!/bin/sh
# openai 3.57.0 and anthropic 2.14.0 (PyPI, Python 3.11), openai 7.59.0 and @anthropic-ai/sdk 1.14.0 (npm, Node 20), the helpers that
# collect a stream (responses.stream and messages.stream) and their final response or message. Which of them notices that a stream ended
# cleanly, as HTTP goes, but before its last event (a gateway whose upstream was lost and who closes its answer in order)? Each maker has
# one that does and one that does not, and not in the same language: openai raises in Python and in JavaScript returns half a text
# as the final response, its status "in_progress"; anthropic raises in JavaScript and in Python returns half a text as the final message,
# its stop_reason None and its output_tokens those of the beginning (1), from which one then bills. The Python helper of openai raises the
# very same error for a valid response.incomplete (the token limit), so that the usage of that answer is lost to the caller.
#
# Expected output:
#   python openai, ends early: RuntimeError
#   python openai, incomplete: RuntimeError
#   python anthropic, ends early: half None 1
#   js openai, ends early: half in_progress undefined
#   js openai, incomplete: half incomplete 7
#   js anthropic, ends early: AnthropicError
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
try {
  if (name === "anthropic") {
    const client = new Anthropic({ apiKey: "k", baseURL: url });
    const message = await client.messages.stream({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "x" }] }).finalMessage();
    console.log(message.content[0].text, message.stop_reason, message.usage.output_tokens);
  } else {
    const client = new OpenAI({ apiKey: "k", baseURL: url });
    const response = await client.responses.stream({ model: "m", input: "x" }).finalResponse();
    console.log(response.output_text, response.status, response.usage?.output_tokens);
  }
} catch (error) {
  console.log(error.constructor.name);
}
JAVASCRIPT
"$folder/venv/bin/python" - <<'PYTHON'
import http.server
import json
import subprocess
import sys
import threading

import anthropic
import openai


def response(status, output=(), **more):
    return {"id": "r", "object": "response", "created_at": 1, "model": "m", "status": status, "output": list(output), **more}


def message(status, content):
    return {"type": "message", "id": "m", "role": "assistant", "status": status, "content": content}


part = {"type": "output_text", "text": "", "annotations": []}
place = {"item_id": "m", "output_index": 0, "content_index": 0}
usage = {"input_tokens": 5, "output_tokens": 7, "total_tokens": 12}
cut_off = message("incomplete", [{**part, "text": "half"}])
early = [
    {"type": "response.created", "response": response("in_progress")},
    {"type": "response.output_item.added", "output_index": 0, "item": message("in_progress", [])},
    {"type": "response.content_part.added", **place, "part": part},
    {"type": "response.output_text.delta", **place, "delta": "half", "logprobs": []},
]
limit = [
    {"type": "response.output_text.done", **place, "text": "half", "logprobs": []},
    {"type": "response.content_part.done", **place, "part": {**part, "text": "half"}},
    {"type": "response.output_item.done", "output_index": 0, "item": cut_off},
    {
        "type": "response.incomplete",
        "response": response("incomplete", [cut_off], incomplete_details={"reason": "max_output_tokens"}, usage=usage),
    },
]
start = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None, "stop_sequence": None}
events = {
    "/early/responses": [{**event, "sequence_number": number} for number, event in enumerate(early)],
    "/limit/responses": [{**event, "sequence_number": number} for number, event in enumerate(early + limit)],
    "/v1/messages": [
        {"type": "message_start", "message": {**start, "usage": {"input_tokens": 5, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "half"}},
    ],
}


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        stream = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events[self.path]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(stream)))
        self.end_headers()
        self.wfile.write(stream)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"


def of_openai(base):
    client = openai.OpenAI(api_key="k", base_url=base)
    with client.responses.stream(model="m", input="x") as stream:
        final = stream.get_final_response()
    return f"{final.output_text} {final.status} {final.usage and final.usage.output_tokens}"


def of_anthropic(base):
    client = anthropic.Anthropic(api_key="k", base_url=base)
    with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "x"}]) as stream:
        final = stream.get_final_message()
    return f"{final.content[0].text} {final.stop_reason} {final.usage.output_tokens}"


def python(ask, base):
    try:
        return ask(base)
    except Exception as error:
        return type(error).__name__


def js(name, base):
    return subprocess.run(["node", "ask.mjs", name, base], check=True, capture_output=True, text=True, timeout=120).stdout.strip()


seen = {
    "python openai, ends early": python(of_openai, f"{url}/early"),
    "python openai, incomplete": python(of_openai, f"{url}/limit"),
    "python anthropic, ends early": python(of_anthropic, url),
    "js openai, ends early": js("openai", f"{url}/early"),
    "js openai, incomplete": js("openai", f"{url}/limit"),
    "js anthropic, ends early": js("anthropic", url),
}
for case, result in seen.items():
    print(f"{case}: {result}")
expected = ["RuntimeError", "RuntimeError", "half None 1", "half in_progress undefined", "half incomplete 7", "AnthropicError"]
sys.exit(0 if list(seen.values()) == expected else 1)
PYTHON
