import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** One call as the provider got it. */
export interface UpstreamCall {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The body as it came. */
  readonly raw: string
  readonly response: ServerResponse
  /** Resolves when the answer has ended or the caller has gone; true when it was the caller. */
  readonly left: Promise<boolean>
}

export type Answer = (call: UpstreamCall) => void

export interface ScriptedUpstream {
  readonly url: string
  readonly calls: UpstreamCall[]
  /** How calls are answered from now on. */
  answer: Answer
  close(): Promise<void>
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

const event = (payload: unknown): string => `data: ${JSON.stringify(payload)}\n\n`

/** A stream with these payloads, and its end mark. */
export const stream =
  (...payloads: unknown[]): Answer =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${payloads.map(event).join('')}data: [DONE]\n\n`)
  }

/** Sends these payloads and then does `next`: breaks off, falls silent. */
export const streamThen =
  (payloads: unknown[], next: Answer): Answer =>
  (call) => {
    call.response.writeHead(200, { 'content-type': 'text/event-stream' })
    call.response.write(payloads.map(event).join(''), () => next(call))
  }

export const silence: Answer = () => {}

/** Cuts the connection. */
export const reset: Answer = ({ response }) => {
  response.socket?.resetAndDestroy()
}

export const usage = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
})

const common = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'gpt-4o' }

/** A chat answer of 20 prompt and 50 completion tokens, unless it says otherwise. */
export const completion = (message: object = { content: 'Hello!' }, more: object = {}) => ({
  ...common,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  usage: usage(20, 50),
  ...more,
})

export const chunk = (delta: object, more: object = {}) => ({
  ...common,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
})

export const usageChunk = (prompt: number, completion: number) => ({
  ...chunk({}),
  choices: [],
  usage: usage(prompt, completion),
})

/** A provider on this machine that does what a test says. */
export const startScriptedUpstream = async (): Promise<ScriptedUpstream> => {
  const calls: UpstreamCall[] = []
  // Its idle connections stay: on a busy machine a call would meet one that is just being closed.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const parts: Buffer[] = []
    const left = once(response, 'close').then(() => !response.writableFinished)
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const raw = Buffer.concat(parts).toString()
      const call = { path: request.url ?? '', headers: request.headers, raw, response, left }
      calls.push(call)
      upstream.answer(call)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const upstream: ScriptedUpstream = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    calls,
    answer: json(completion()),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return upstream
}
