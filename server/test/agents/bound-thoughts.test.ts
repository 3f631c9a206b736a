import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { named } from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  holdEnds,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json, type Received, stream } from '../support/gateway/upstream.ts'

useScene()

/** Thoughts that Claude binds to one account go to that account only, and no call fails for them. */

type Members = Record<string, unknown>

const keyOf = ({ headers }: Received): string => String(headers['x-api-key'] ?? '')
const bodyOf = ({ body }: Received) =>
  JSON.parse(body.toString()) as { stream?: boolean; model: string; messages: { content: unknown }[] }

/** Thinking blocks of a request. */
const thoughtsIn = (call: Received): Members[] =>
  bodyOf(call)
    .messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Members[]) : []))
    .filter(({ type }) => type === 'thinking' || type === 'redacted_thinking')

const signaturesIn = (call: Received): string[] =>
  thoughtsIn(call).map(({ signature, data }) => String(signature ?? data))

const refusal = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message:
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  },
}

let turns = 0
const contentOf = (key: string): Members[] => {
  turns += 1
  return [
    { type: 'thinking', thinking: 'Hm.', signature: `SIG-${key}-${turns}` },
    { type: 'redacted_thinking', data: `RED-${key}-${turns}` },
    { type: 'tool_use', id: `toolu_${turns}`, name: 'look', input: {} },
  ]
}

const eventsOf = (message: Members, content: readonly Members[]): string[] => [
  named('message_start', { message: { ...message, content: [], usage: { input_tokens: 10, output_tokens: 1 } } }),
  ...content.flatMap((block, index) => {
    const deltas =
      block.type === 'thinking'
        ? [
            { type: 'thinking_delta', thinking: block.thinking },
            { type: 'signature_delta', signature: block.signature },
          ]
        : []
    const opened = block.type === 'thinking' ? { type: 'thinking', thinking: '', signature: '' } : block
    return [
      named('content_block_start', { index, content_block: opened }),
      ...deltas.map((delta) => named('content_block_delta', { index, delta })),
      named('content_block_stop', { index }),
    ]
  }),
  named('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } }),
  named('message_stop', {}),
]

/** Anthropic, as strict as it may be: it takes what the same key has made, unchanged. */
const anthropic = (call: Received): void => {
  const key = keyOf(call)
  const { model, stream: streamed } = bodyOf(call)
  const isOwn = ({ type, thinking, signature, data }: Members): boolean =>
    type === 'thinking'
      ? thinking === 'Hm.' && String(signature).startsWith(`SIG-${key}-`)
      : String(data).startsWith(`RED-${key}-`)
  if (!thoughtsIn(call).every(isOwn)) {
    json(refusal, 400)(call)
    return
  }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'tool_use' }
  const content = contentOf(key)
  if (streamed === true) stream(...eventsOf(message, content))(call)
  else json({ ...message, content, usage: { input_tokens: 10, output_tokens: 20 } })(call)
}

const parameters = { type: 'object', properties: {} }
const listIn = (before: unknown): unknown[] =>
  (before as unknown[] | undefined) ?? [{ role: 'user', content: 'weather' }]

interface Told {
  readonly status: number
  readonly next: unknown
}
type Turn = (before: unknown, model: string) => Promise<Told>

const eventsIn = (text: string): Members[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))

/** A message's blocks, put together as Anthropic's SDK does it. */
const blocksOf = (events: readonly Members[]): Members[] => {
  const blocks: Members[] = []
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') blocks[index as number] = { ...(block as Members) }
    const { thinking, signature } = (delta ?? {}) as Members
    const open = blocks[index as number]
    if (open !== undefined && thinking !== undefined) open.thinking = String(open.thinking) + String(thinking)
    if (open !== undefined && signature !== undefined) open.signature = signature
  }
  return blocks
}

const messagesTurn =
  (streamed: boolean): Turn =>
  async (before, model) => {
    const messages = listIn(before)
    const tools = [{ name: 'look', input_schema: parameters }]
    const response = await ask({ model, max_tokens: 4000, tools, messages, stream: streamed }, '/v1/messages')
    const text = await response.text()
    if (response.status !== 200) return { status: response.status, next: undefined }
    const content = streamed ? blocksOf(eventsIn(text)) : (JSON.parse(text).content as Members[])
    const id = content.find(({ type }) => type === 'tool_use')?.id
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'sun' }] }
    return { status: 200, next: [...messages, { role: 'assistant', content }, result] }
  }

/** `keeps` what names the reasoning; else the gateway remembers it. */
const chatTurn =
  (keeps: boolean): Turn =>
  async (before, model) => {
    const messages = listIn(before)
    const tools = [{ type: 'function', function: { name: 'look', parameters } }]
    const response = await ask({ model, reasoning_effort: 'high', tools, messages })
    const { choices } = (await response.json()) as { choices?: { message: { tool_calls: { id: string }[] } }[] }
    const message = choices?.[0]?.message
    if (message === undefined) return { status: response.status, next: undefined }
    const calls = message.tool_calls
    const kept = keeps ? message : { role: 'assistant', content: null, tool_calls: calls }
    return { status: 200, next: [...messages, kept, { role: 'tool', tool_call_id: calls[0]?.id, content: 'sun' }] }
  }

const responsesTurn: Turn = async (before, model) => {
  const input = listIn(before)
  const tools = [{ type: 'function', name: 'look', parameters }]
  const include = ['reasoning.encrypted_content']
  const response = await ask(
    { model, store: false, reasoning: { effort: 'high' }, include, tools, input },
    '/v1/responses',
  )
  const { output } = (await response.json()) as { output?: { call_id?: string }[] }
  if (output === undefined) return { status: response.status, next: undefined }
  const result = { type: 'function_call_output', call_id: output.at(-1)?.call_id, output: 'sun' }
  return { status: 200, next: [...input, ...output, result] }
}

const geminiTurn: Turn = async (before, model) => {
  const contents = (before as unknown[] | undefined) ?? [{ role: 'user', parts: [{ text: 'weather' }] }]
  const tools = [{ functionDeclarations: [{ name: 'look', parameters }] }]
  const generationConfig = { thinkingConfig: { includeThoughts: true, thinkingBudget: 4000 } }
  const response = await ask({ contents, tools, generationConfig }, `/v1beta/models/${model}:generateContent`)
  const { candidates } = (await response.json()) as { candidates?: { content: unknown }[] }
  if (candidates === undefined) return { status: response.status, next: undefined }
  const result = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'sun' } } }] }
  return { status: 200, next: [...contents, candidates[0]?.content, result] }
}

const clients: Readonly<Record<string, Turn>> = {
  Messages: messagesTurn(false),
  'streaming Messages': messagesTurn(true),
  chat: chatTurn(true),
  'forgetful chat': chatTurn(false),
  Responses: responsesTurn,
  Gemini: geminiTurn,
}

const claude = (changes: Partial<RelayChannel>): RelayChannel => channel({ type: 14, ...changes })
const two = (): RelayChannel[] => [claude({ id: 1, keys: ['a'] }), claude({ id: 2, keys: ['b'] })]
const threeKeys = (): RelayChannel[] => [
  claude({ keys: ['a', 'b', 'c'], ring: { rotation: 'round_robin', affinity: false, seeds: [1, 2, 3], next: 0 } }),
]
const bound = 'claude-sonnet-5-5'
const counts = (): number[] => upstream.received.map((call) => thoughtsIn(call).length)

describe.each(Object.entries(clients))('a %s client', (_, turn) => {
  it.each([
    ['two channels', two],
    ['one channel with three keys', threeKeys],
  ])('stays with the account that made its thoughts, at %s', async (_name, channels) => {
    let draw = 0
    // The first turns alternate; without the memory the second ones would, too.
    const random = (): number => {
      draw += 1
      return (draw % 2) * 0.99
    }
    await reopenGateway({ random })
    useChannels(...channels())
    upstream.answer = anthropic
    for (const model of [bound, 'claude-haiku-5-5', bound, 'claude-sonnet-6']) {
      let next: unknown
      upstream.received.length = 0
      for (let round = 0; round < 3; round += 1) {
        const told = await turn(next, model)
        expect(told.status).toBe(200)
        next = told.next
      }
      expect(new Set(upstream.received.map(keyOf)).size).toBe(1)
      expect(counts()).toEqual([0, 2, 4])
    }
  })

  it('goes on at another account without whole thoughts, where its own is gone', async () => {
    useChannels(...two())
    upstream.answer = anthropic
    const first = await turn(undefined, bound)
    const made = keyOf(upstream.received[0] as Received)
    useChannels(...two().filter(({ keys }) => keys[0] !== made))
    upstream.received.length = 0
    const second = await turn(first.next, bound)
    expect(second.status).toBe(200)
    // What the new account made is read there, and what the old one made still is not.
    expect((await turn(second.next, bound)).status).toBe(200)
    expect(counts()).toEqual([0, 2])
    for (const { messages } of upstream.received.map(bodyOf))
      for (const { content } of messages) expect(content).not.toHaveLength(0)
  })

  it.each([bound, 'claude-opus-5-5', 'claude-fable-5-1', 'us.anthropic.claude-haiku-5-5'])(
    'is asked once more without thoughts, where %s refuses them',
    async (model) => {
      useChannels(claude({ id: 1, keys: ['a'] }))
      upstream.answer = anthropic
      const { next } = await turn(undefined, model)
      gateway.parts.recorder.records.length = 0
      upstream.received.length = 0
      upstream.answer = (call) => (thoughtsIn(call).length > 0 ? json(refusal, 400)(call) : anthropic(call))
      expect((await turn(next, model)).status).toBe(200)
      expect(counts()).toEqual([2, 0])
      expect(gateway.parts.recorder.records.map(({ kind }) => kind)).toEqual(['charge'])
    },
  )

  it('reads the refusal, where it is refused without thoughts as well', async () => {
    useChannels(claude({ id: 1, keys: ['a'] }))
    upstream.answer = anthropic
    const { next } = await turn(undefined, bound)
    upstream.received.length = 0
    upstream.answer = json(refusal, 400)
    expect((await turn(next, bound)).status).toBe(400)
    expect(counts()).toEqual([2, 0])
    expect(holdEnds().at(-1)).toBe('released')
  })

  it.each(['claude-opus-5-5', 'claude-opus-5', 'claude-sonnet-4-6'])(
    'brings the thoughts of %s to every account',
    async (model) => {
      useChannels(...two())
      upstream.answer = anthropic
      const { next } = await turn(undefined, model)
      const made = keyOf(upstream.received[0] as Received)
      const sent = signaturesIn
      useChannels(...two().filter(({ keys }) => keys[0] !== made))
      upstream.received.length = 0
      upstream.answer = json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400)
      await turn(next, model)
      expect(upstream.received.map((call) => sent(call).length)).toEqual([2])
    },
  )

  it('reads the refusal of an older model at once', async () => {
    useChannels(claude({ id: 1, keys: ['a'] }))
    upstream.answer = anthropic
    const { next } = await turn(undefined, 'claude-opus-4-8')
    upstream.received.length = 0
    upstream.answer = json(refusal, 400)
    expect((await turn(next, 'claude-opus-4-8')).status).toBe(400)
    expect(counts()).toEqual([2])
  })
})

/** A turn of thoughts alone, as one that was cut off, is left out with them. */
it('sends no turn without content', async () => {
  useChannels(...two())
  upstream.answer = anthropic
  const { next } = await messagesTurn(false)(undefined, bound)
  const made = keyOf(upstream.received[0] as Received)
  const [question, { content }] = next as [unknown, { content: Members[] }]
  const cut = [question, { role: 'assistant', content: content.slice(0, 2) }, { role: 'user', content: 'go on' }]
  useChannels(...two().filter(({ keys }) => keys[0] !== made))
  expect((await messagesTurn(false)(cut, bound)).status).toBe(200)
  expect(bodyOf(upstream.received.at(-1) as Received).messages).toEqual([question, { role: 'user', content: 'go on' }])
})
