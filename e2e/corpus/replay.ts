import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Replay } from '../../server/test/support/relay/wire.ts'
import { anthropicExchanges } from './anthropic.ts'
import type { Exchange } from './exchange.ts'
import { geminiExchanges } from './gemini.ts'
import { openaiChatExchanges } from './openai-chat.ts'
import { openaiResponsesExchanges } from './openai-responses.ts'

/** The exchanges of this folder, by dialect. */
export const corpus: Readonly<Record<string, readonly Exchange[]>> = {
  'chat completions': openaiChatExchanges,
  responses: openaiResponsesExchanges,
  messages: anthropicExchanges,
  generateContent: geminiExchanges,
}

const all = Object.values(corpus).flat()
const byId = new Map(all.map((exchange) => [exchange.id, exchange]))

/** Key of a request, from the places in which providers take it. */
const keyOf = (request: IncomingMessage): string => {
  const { headers, url = '' } = request
  const bearer = headers.authorization?.replace(/^Bearer /, '')
  const named =
    headers['x-api-key'] ?? headers['x-goog-api-key'] ?? new URL(url, 'http://corpus').searchParams.get('key')
  return String(bearer ?? named ?? '')
}

/** Cuts a body as a network may: `byte:n` into n bytes each, `coalesce` not at all, anything else by events. */
const cut = (events: readonly string[], chunking: string): Buffer[] => {
  const texts = events.map((event) => `${event}\n\n`)
  const [mode, size = '1'] = chunking.split(':')
  if (mode !== 'byte' && mode !== 'random' && mode !== 'coalesce') return texts.map((text) => Buffer.from(text))
  const bytes = Buffer.from(texts.join(''))
  const length = mode === 'coalesce' ? bytes.length : Number(size)
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  )
}

const answer = async ({ response: recorded }: Exchange, chunking: string, response: ServerResponse): Promise<void> => {
  const { status, sse, body } = recorded
  if (sse === undefined) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return
  }
  response.writeHead(status, { 'content-type': 'text/event-stream' })
  for (const chunk of cut(sse, chunking)) {
    response.write(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

/** A fake provider that answers key `wire-<id>` with the exchange of that id. */
export const startCorpus = async (chunking: string): Promise<Replay> => {
  let mode = chunking
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { searchParams, pathname } = new URL(request.url ?? '', 'http://corpus')
      if (pathname === '/__chunking') mode = searchParams.get('mode') ?? mode
      const exchange = byId.get(keyOf(request).replace('wire-', ''))
      if (exchange === undefined) response.writeHead(pathname === '/__chunking' ? 200 : 404).end()
      else void answer(exchange, mode, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ids: ({ provider, format } = {}) =>
      all.filter((exchange) => exchange.provider === provider && exchange.format === format).map(({ id }) => id),
    get(id) {
      const exchange = byId.get(id)
      if (exchange === undefined) throw new Error(`no exchange ${id}`)
      return exchange
    },
    log: () => [],
    reset: () => {},
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
