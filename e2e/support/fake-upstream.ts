import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface FakeUpstream {
  readonly url: string
  /** Bodies received so far, parsed. */
  readonly seen: Record<string, unknown>[]
  close(): Promise<void>
}

const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 }
const words = 'The gate opens, the meter counts, and every token finds its place on the bill.'.split(/(?<= )/)

const chunk = (more: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-e2e', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4o', ...more })}\n\n`

const stream = (response: ServerResponse, delayMs: number): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let next = 0
  const send = (): void => {
    if (response.destroyed) return
    const word = words[next]
    if (word === undefined) {
      response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
      response.write(chunk({ choices: [], usage }))
      response.end('data: [DONE]\n\n')
      return
    }
    next += 1
    response.write(chunk({ choices: [{ index: 0, delta: { content: word }, finish_reason: null }] }))
    setTimeout(send, delayMs)
  }
  send()
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

interface FakeOptions {
  readonly delayMs: number
  /** Names that it lists. */
  readonly models: readonly string[]
}

const usualOptions: FakeOptions = { delayMs: 5, models: ['gpt-4o', 'gpt-4o-mini', 'gpt-5'] }

const answer = (
  request: IncomingMessage,
  body: Record<string, unknown>,
  response: ServerResponse,
  { delayMs, models }: FakeOptions,
): void => {
  const path = request.url ?? ''
  if (request.headers.authorization === 'Bearer sk-refused') {
    json(response, 401, {
      error: {
        message: 'Incorrect API key provided: sk-refused',
        type: 'invalid_request_error',
        code: 'invalid_api_key',
      },
    })
    return
  }
  if (path.endsWith('/models')) {
    json(response, 200, { object: 'list', data: models.map((id) => ({ id })) })
    return
  }
  if (path.endsWith('/embeddings')) {
    json(response, 200, {
      object: 'list',
      model: body.model,
      data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }],
      usage: { prompt_tokens: 8, total_tokens: 8 },
    })
    return
  }
  if (body.stream === true) {
    stream(response, delayMs)
    return
  }
  const message = { role: 'assistant', content: words.join('') }
  json(response, 200, {
    id: 'chatcmpl-e2e',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  })
}

/** An OpenAI-like provider on this machine: 20 prompt and 50 completion tokens for every chat; the key `sk-refused` gets 401. */
export const startFakeUpstream = async (changes: Partial<FakeOptions> = {}): Promise<FakeUpstream> => {
  const options = { ...usualOptions, ...changes }
  const seen: Record<string, unknown>[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
      seen.push(body)
      answer(request, body, response, options)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
