import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { WebSocket } from 'undici'
import { chunk, done, type Received, usageChunk } from './upstream.ts'

/** Answers that come in a burst, or in any pieces, and the calls that get them, in every dialect. */

const event = (data: Readonly<Record<string, unknown>>): string =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`

/** More bytes than a stream may bring before its cost is looked at, and more tokens than are held for it. */
const pieces = 80
const piece = 'word '.repeat(50)
export const tokens = 4000
export const last = 'conclusion'
/** Nine tokens at 1.25 units, rounded. */
export const promptCost = 11
export const texts = [...Array.from({ length: pieces }, () => piece), last]

export interface Sender {
  readonly type: number
  readonly events: readonly string[]
  /** The same answer at once. */
  readonly whole: object
}

const response = { id: 'r', object: 'response', status: 'in_progress', output: [] }
const chatUsage = { prompt_tokens: 9, completion_tokens: tokens, total_tokens: tokens + 9 }
const usage = { input_tokens: 9, output_tokens: tokens, total_tokens: tokens + 9 }

const role = `data: ${JSON.stringify({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 5,
  model: 'm',
  choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
})}\n\n`

const finish = `data: ${JSON.stringify({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 5,
  model: 'm',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
})}\n\n`

export const upstreams: Record<'chat' | 'responses' | 'messages' | 'gemini', Sender> = {
  chat: {
    type: 43,
    events: [role, ...texts.map(chunk), finish, usageChunk(9, tokens), done],
    whole: {
      id: 'c',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: texts.join('') }, finish_reason: 'stop' }],
      usage: chatUsage,
    },
  },
  responses: {
    type: 1,
    events: [
      event({ type: 'response.created', response }),
      ...texts.map((delta) =>
        event({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta }),
      ),
      event({ type: 'response.completed', response: { ...response, status: 'completed', usage } }),
    ],
    whole: {
      ...response,
      status: 'completed',
      output: [
        {
          type: 'message',
          id: 'm',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: texts.join(''), annotations: [] }],
        },
      ],
      usage,
    },
  },
  messages: {
    type: 14,
    events: [
      event({
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm', usage: { input_tokens: 9 } },
      }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...texts.map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: tokens } }),
      event({ type: 'message_stop' }),
    ],
    whole: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: texts.join('') }],
      model: 'm',
      stop_reason: 'end_turn',
      usage: { input_tokens: 9, output_tokens: tokens },
    },
  },
  gemini: {
    type: 24,
    events: texts.map((text) =>
      event({
        candidates: [
          { index: 0, content: { role: 'model', parts: [{ text }] }, ...(text === last && { finishReason: 'STOP' }) },
        ],
        ...(text === last && { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: tokens } }),
      }),
    ),
    whole: {
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: texts.join('') }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: tokens },
    },
  },
}

const messages = [{ role: 'user', content: 'hi' }]
export const clients = {
  chat: { path: '/v1/chat/completions', body: { model: 'gpt-4o', stream: true, messages } },
  responses: { path: '/v1/responses', body: { model: 'gpt-4o', stream: true, input: 'hi' } },
  socket: { path: '', body: { type: 'response.create', model: 'gpt-4o', input: 'hi' } },
  messages: { path: '/v1/messages', body: { model: 'gpt-4o', stream: true, messages } },
  gemini: {
    path: '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
  completions: { path: '/v1/completions', body: { model: 'gpt-4o', stream: true, prompt: 'hi' } },
}

export type ClientName = keyof typeof clients
export type UpstreamName = keyof typeof upstreams

const completionChunk = (text: string, reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'text_completion', choices: [{ index: 0, text, finish_reason: reason }] })}\n\n`

/** Legacy completions have chunks of their own. */
export const completions: Sender = {
  type: 1,
  events: [...texts.map((text) => completionChunk(text)), completionChunk('', 'stop'), usageChunk(9, tokens), done],
  whole: {
    id: 'c',
    object: 'text_completion',
    choices: [{ index: 0, text: texts.join(''), finish_reason: 'stop' }],
    usage: chatUsage,
  },
}

/** Answer as a client received it, over HTTP or a socket. */
export interface Got {
  /** 0 over a socket, which has none. */
  readonly status: number
  /** Of the call; empty over a socket. */
  readonly id: string
  readonly text: string
}

export const overSocket = (url: string, key: string, body: object): Promise<Got> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer sk-${key}` },
    })
    let text = ''
    socket.addEventListener('open', () => socket.send(JSON.stringify(body)))
    socket.addEventListener('message', ({ data }) => {
      text += `data: ${data}\n\n`
      const { type } = JSON.parse(String(data))
      if (type === 'error' || type === 'response.completed' || type === 'response.failed') socket.close()
    })
    socket.addEventListener('close', () => resolve({ status: 0, id: '', text }))
    socket.addEventListener('error', () => reject(new Error('the socket failed')))
  })

/** As much of an answer as comes: its connection may break. */
const readText = async (answer: Response): Promise<string> => {
  let text = ''
  try {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString('latin1')
  } catch {}
  return text
}

export const overHttp = async (url: string, key: string, path: string, body: object): Promise<Got> => {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, id: answer.headers.get('x-oneapi-request-id') ?? '', text: await readText(answer) }
}

/** A body in the pieces that `cuts` make of it, parts of a thousand; `resets` breaks the connection after the last. */
const pieceBy = (body: string, type: string, cuts: readonly number[], resets: boolean) => {
  const bytes = Buffer.from(body)
  const borders = [0, ...[...cuts].sort((a, b) => a - b).map((cut) => Math.floor((bytes.length * cut) / 1000))]
  const parts = borders.map((from, at) => bytes.subarray(from, borders[at + 1] ?? bytes.length))
  return async ({ response: out }: Received): Promise<void> => {
    out.writeHead(200, { 'content-type': type })
    for (const part of parts) {
      await new Promise<void>((sent) => out.write(part, () => sent()))
      await setImmediate()
    }
    if (resets) out.destroy()
    else out.end()
  }
}

/** The first events of the stream, all unless `most` says how many, in pieces. */
export const burst = ({ events }: Sender, cuts: readonly number[], resets: boolean, most?: number) =>
  pieceBy(events.slice(0, most).join(''), 'text/event-stream', cuts, resets)

/** The whole answer in pieces. */
export const wholeIn = ({ whole }: Sender, cuts: readonly number[], resets: boolean) =>
  pieceBy(JSON.stringify(whole), 'application/json', cuts, resets)

export const countOf = (text: string, word: string): number => text.split(word).length - 1

export interface Run {
  readonly balance: number
  readonly remain: number | undefined
  readonly max: number | undefined
  readonly overdraft: number
  readonly cuts: readonly number[]
  readonly resets: boolean
  readonly checked: boolean
}

export const runs: fc.Arbitrary<Run> = fc.record({
  balance: fc.integer({ min: 2600, max: 24_000 }),
  remain: fc.option(fc.integer({ min: 2600, max: 24_000 }), { nil: undefined }),
  max: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
  overdraft: fc.constantFrom(0, 3000),
  cuts: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 6 }),
  ),
  resets: fc.boolean(),
  checked: fc.boolean(),
})

export const bounded = (client: ClientName, max: number | undefined): object => {
  if (max === undefined) return {}
  if (client === 'gemini') return { generationConfig: { maxOutputTokens: max } }
  return client === 'responses' || client === 'socket' ? { max_output_tokens: max } : { max_tokens: max }
}

export const pairs = [
  ...Object.keys(clients).flatMap((client) =>
    Object.keys(upstreams)
      .filter((upstream) =>
        client === 'completions'
          ? upstream === 'chat'
          : upstream !== 'responses' || client === 'responses' || client === 'socket',
      )
      .map((upstream) => [client, upstream] as [ClientName, UpstreamName]),
  ),
]
