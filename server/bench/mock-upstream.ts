import { createServer, type ServerResponse } from 'node:http'

/** Usage in every answer of the mock, so that the bill can be checked to the unit. */
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

const claudeEvent = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

/** The same answer in two dialects, as the parts in which it is written. */
const openaiAnswer = { begin: '', word, ending }
const claudeAnswer = {
  begin: [
    claudeEvent('message_start', {
      message: {
        id: 'msg_bench',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        stop_reason: null,
        usage: { input_tokens: usage.prompt_tokens, output_tokens: 1 },
      },
    }),
    claudeEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ].join(''),
  word: claudeEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word ' } }),
  ending: [
    claudeEvent('content_block_stop', { index: 0 }),
    claudeEvent('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage.completion_tokens },
    }),
    claudeEvent('message_stop', {}),
  ].join(''),
}

/** Milliseconds between two words: `slow` streams last, `paced` ones are far enough apart that each word is a packet of its own. */
const paces: readonly [string, number][] = [
  ['"slow"', 500],
  ['"paced"', 5],
]

const delayOf = (body: Buffer): number => paces.find(([name]) => body.includes(name))?.[1] ?? 0

/** Sends the words one write at a time, `delayMs` apart, then the ending. */
const stream = (response: ServerResponse, delayMs: number, { begin, word, ending } = openaiAnswer): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (begin !== '') response.write(begin)
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

/** Calls that are held at the moment, and the most at a time since somebody asked. */
const held = { now: 0, most: 0 }
const heldMs = 50

/** Answers after a while, so that calls are under way at the same time. */
const hold = (response: ServerResponse): void => {
  held.now += 1
  held.most = Math.max(held.most, held.now)
  setTimeout(() => {
    held.now -= 1
    response.end(answer)
  }, heldMs)
}

const server = createServer((request, response) => {
  if (request.url === '/most-held') {
    response.end(String(held.most))
    held.most = held.now
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts)
    if (body.includes('"stream":true') || request.url?.includes(':stream')) {
      const isClaude = body.includes('"claude')
      stream(response, delayOf(body), isClaude ? claudeAnswer : openaiAnswer)
      return
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    if (body.includes('"pace":"held"')) hold(response)
    else response.end(answer)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  process.send?.({ port: typeof bound === 'object' && bound !== null ? bound.port : 0 })
})
