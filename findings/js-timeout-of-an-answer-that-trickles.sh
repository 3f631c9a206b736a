#!/bin/sh
# openai 7.59.0, @anthropic-ai/sdk 1.14.0 and @google/genai 3.3.0 (npm, Node 20), each with a timeout of one second, and a server that
# sends its status and headers at once and then something every 400 ms, for more than three seconds: blanks before the JSON of a plain
# answer (the heartbeat with which gateways keep a long call alive), or chunk after chunk of a stream. What the timeout measures is
# different each time. anthropic: only the time to the headers, so that both calls succeed. openai: a plain answer up to its last byte, so
# that the heartbeat does not help, and the running call is given up and sent as a POST again, three times in all; yet a stream only to
# its headers. google: everything up to the last byte, streams included, so that a stream that flows steadily is cut by a bare
# AbortError after a second, at whatever chunk that is.
#
# Expected output:
#   openai, plain: APIConnectionTimeoutError, 3 POSTs
#   openai, stream: complete, 1 POSTs
#   anthropic, plain: complete, 1 POSTs
#   anthropic, stream: complete, 1 POSTs
#   google, plain: AbortError, 1 POSTs
#   google, stream: AbortError after chunks, 1 POSTs
#
# Needs node with npm, and a package registry. Ends with 1 when the behaviour is another one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" 'openai@7.59.0' '@anthropic-ai/sdk@1.14.0' '@google/genai@3.3.0'
cat >"$folder/ask.mjs" <<'JAVASCRIPT'
import http from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";

const pieces = 9;
const plain = { id: "1", type: "message", role: "assistant", content: [], choices: [], candidates: [] };
const piece = {
  "/v1/chat/completions": { id: "1", choices: [{ index: 0, delta: { content: "a" } }] },
  "/v1/messages": { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
};
const ofGoogle = { candidates: [{ content: { role: "model", parts: [{ text: "a" }] } }] };
let posts = 0;
const server = http.createServer(async (request, answer) => {
  posts += 1;
  let body = "";
  for await (const bytes of request) body += bytes;
  const streams = JSON.parse(body).stream || request.url.includes("streamGenerateContent");
  answer.writeHead(200, { "content-type": streams ? "text/event-stream" : "application/json" });
  for (let number = 0; number < pieces && !answer.destroyed; number += 1) {
    const chunk = piece[request.url] ?? ofGoogle;
    answer.write(streams ? `${chunk.type ? `event: ${chunk.type}\n` : ""}data: ${JSON.stringify(chunk)}\n\n` : " ");
    await pause(400);
  }
  answer.end(streams ? "" : JSON.stringify(plain));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}`;
const options = { apiKey: "k", timeout: 1000 };
const openai = new OpenAI({ ...options, baseURL: `${url}/v1` }).chat.completions;
const anthropic = new Anthropic({ ...options, baseURL: url }).messages;
const google = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url, timeout: 1000 } }).models;
const question = { model: "m", messages: [{ role: "user", content: "x" }] };
const calls = {
  "openai, plain": () => openai.create(question),
  "openai, stream": () => openai.create({ ...question, stream: true }),
  "anthropic, plain": () => anthropic.create({ ...question, max_tokens: 9 }),
  "anthropic, stream": () => anthropic.create({ ...question, max_tokens: 9, stream: true }),
  "google, plain": () => google.generateContent({ model: "m", contents: "x" }),
  "google, stream": () => google.generateContentStream({ model: "m", contents: "x" }),
};
const lines = [];
for (const [name, call] of Object.entries(calls)) {
  posts = 0;
  let chunks = 0;
  let end = "complete";
  try {
    const result = await call();
    if (name.endsWith("stream")) {
      for await (const _ of result) chunks += 1;
      if (chunks !== pieces) end = `${chunks} chunks`;
    }
  } catch (error) {
    end = (error instanceof DOMException ? error.name : error.constructor.name) + (chunks > 0 ? " after chunks" : "");
  }
  lines.push(`${name}: ${end}, ${posts} POSTs`);
}
console.log(lines.join("\n"));
const expected = [
  "openai, plain: APIConnectionTimeoutError, 3 POSTs",
  "openai, stream: complete, 1 POSTs",
  "anthropic, plain: complete, 1 POSTs",
  "anthropic, stream: complete, 1 POSTs",
  "google, plain: AbortError, 1 POSTs",
  "google, stream: AbortError after chunks, 1 POSTs",
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JAVASCRIPT
node "$folder/ask.mjs"
