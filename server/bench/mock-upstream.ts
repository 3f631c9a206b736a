import { createServer, type ServerResponse } from 'node:http'

/** What every answer of the mock reports, so that the bill can be checked to the unit. */
const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 }
const chunks = 50

const answer = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(chunks) }, finish_reason: 'stop' }],
  usage,
})

const event = (more: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4o', ...more })}\n\n`

const word = event({ choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] })
const ending = [
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  event({ choices: [], usage }),
  'data: [DONE]\n\n',
].join('')

/** Sends the words one write at a time, `delayMs` apart, then the ending. */
const stream = (response: ServerResponse, delayMs: number): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let sent = 0
  const next = (): void => {
    if (response.destroyed) return
    if (sent === chunks) {
      response.end(ending)
      return
    }
    sent += 1
    response.write(word)
    if (delayMs > 0) setTimeout(next, delayMs)
    else setImmediate(next)
  }
  next()
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts)
    if (body.includes('"stream":true')) {
      stream(response, body.includes('"slow"') ? 500 : 0)
      return
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  process.send?.({ port: typeof bound === 'object' && bound !== null ? bound.port : 0 })
})
