#!/bin/sh
# @google/genai 3.3.0 (npm, Node 20) and google-genai 3.6.1 (PyPI, Python 3.11), files.upload with a base URL of one's own: the server
# answers the start of an upload with an absolute x-goog-upload-url on another host. The two official clients of the
# same vendor then go to different places. The Python client sends the bytes to that other host, without its API key. The JavaScript
# client keeps only path and query of the URL and puts them behind the host of the base URL, with its API key, so that the other host
# never hears of the upload; and as the path of the base URL ("/gw") gets lost, the bytes arrive outside the place where a gateway lives
# that is mounted below a path. It surprises because an upload URL is to be used as it is, and because the start of the upload, sent by the
# same call, does carry "/gw".
#
# Expected output (gateway: the base URL; storage: the host that x-goog-upload-url names):
#   js: gateway POST /gw/upload/v1/files with key, gateway POST /upload/v1/files?upload_id=1 with key
#   python: gateway POST /gw/upload/v1/files with key, storage POST /upload/v1/files?upload_id=1 without key
#
# Needs node with npm, python3 with venv, and package registries. Ends with 1 when the behaviour is another one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" '@google/genai@3.3.0'
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'google-genai==3.6.1'
printf 'hello' >"$folder/note.txt"
cat >"$folder/upload.mjs" <<'JAVASCRIPT'
import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: process.argv[2] } });
await client.files.upload({ file: "note.txt", config: { mimeType: "text/plain" } });
JAVASCRIPT
"$folder/venv/bin/python" - <<'PYTHON'
import http.server
import json
import subprocess
import sys
import threading

from google import genai

seen = []


def listen(name, answer):
    class Answer(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("content-length") or 0))
            key = "with key" if self.headers.get("x-goog-api-key") else "without key"
            seen.append(f"{name} POST {self.path} {key}")
            header, body = answer(self.headers.get("x-goog-upload-command"))
            body = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.send_header(*header)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def stored(_):
    return ("x-goog-upload-status", "final"), {"file": {"name": "files/1"}}


def gateway(command):
    if command == "start":
        return ("x-goog-upload-url", f"http://127.0.0.1:{storage}/upload/v1/files?upload_id=1"), {}
    return stored(command)


storage = listen("storage", stored)
base = f"http://127.0.0.1:{listen('gateway', gateway)}/gw"
subprocess.run(["node", "upload.mjs", base], check=True, timeout=120)
js = ", ".join(seen)
seen.clear()
client = genai.Client(api_key="k", http_options={"base_url": base})
client.files.upload(file="note.txt")
python = ", ".join(seen)
print("js:", js)
print("python:", python)
start = "gateway POST /gw/upload/v1/files with key"
sys.exit(
    0
    if js == f"{start}, gateway POST /upload/v1/files?upload_id=1 with key"
    and python == f"{start}, storage POST /upload/v1/files?upload_id=1 without key"
    else 1
)
PYTHON
