import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { listen, shut } from './listener.ts'

/** An upstream that does what a test says, for tests. */

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly response: ServerResponse
  /** Resolves when the connection of this request is gone or its answer has ended. */
  readonly closed: Promise<void>
}

export interface TestUpstream {
  readonly url: string
  readonly received: Received[]
  /** Answers from now on. */
  answer: (call: Received) => void
  close(): Promise<void>
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => {
  return ({ response }: Received): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}

export const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 5, model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`

export const usageChunk = (prompt: number, completion: number): string =>
  `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } })}\n\n`

export const done = 'data: [DONE]\n\n'

export const stream = (...events: readonly string[]) => {
  return ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(event)
    response.end()
  }
}

export const completion = (content: string) => ({
  id: 'x',
  object: 'chat.completion',
  created: 5,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})

/** Sends a piece again and again, as fast as it is taken. */
export const pour = (type: string, { piece, times, end = '' }: { piece: Buffer; times: number; end?: string }) => {
  let sent = 0
  return {
    answer({ response }: Received): void {
      response.writeHead(200, { 'content-type': type })
      const more = (): void => {
        while (sent < times) {
          sent += 1
          if (!response.write(piece)) {
            response.once('drain', more)
            return
          }
        }
        response.end(end)
      }
      more()
    },
    /** How many were sent when no more are taken. */
    async stuckAt(): Promise<number> {
      let before = -1
      while (before !== sent) {
        before = sent
        await new Promise((resolve) => setTimeout(resolve, 150))
      }
      return sent
    },
  }
}

export const openTestUpstream = async (): Promise<TestUpstream> => {
  const received: Received[] = []
  const opened: { server: Server; url: string } = await listen((request, response) => {
    const parts: Buffer[] = []
    const closed = new Promise<void>((resolve) => response.on('close', resolve))
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const call = { method, path, headers, body: Buffer.concat(parts), response, closed }
      received.push(call)
      upstream.answer(call)
    })
  })
  const upstream: TestUpstream = {
    url: opened.url,
    received,
    answer: json(completion('hello')),
    close: () => shut(opened.server),
  }
  return upstream
}
