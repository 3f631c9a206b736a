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

/** Reasoning that OpenAI has encrypted for one account goes to that account only, and no call fails for it. */

const keyOf = ({ headers }: Received): string => headers.authorization?.replace('Bearer ', '') ?? ''
const bodyOf = ({ body }: Received) =>
  JSON.parse(body.toString()) as { input: { type?: string; encrypted_content?: string }[]; stream?: boolean }

let turns = 0
const answerOf = (key: string) => {
  turns += 1
  return {
    id: `resp_${turns}`,
    object: 'response',
    status: 'completed',
    model: 'gpt-6.1-sol',
    error: null,
    incomplete_details: null,
    output: [
      { id: `rs_${turns}`, type: 'reasoning', summary: [], encrypted_content: `gAAAA-${key}-${turns}` },
      {
        id: `fc_${turns}`,
        type: 'function_call',
        call_id: `call_${turns}`,
        name: 'look',
        arguments: '{}',
        status: 'completed',
      },
    ],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  }
}

const refusal = {
  error: {
    message:
      'The encrypted content gAAA could not be verified. Reason: Encrypted content organization_id did not match the target organization.',
    type: 'invalid_request_error',
    code: 'invalid_encrypted_content',
    param: null,
  },
}

/** OpenAI, as it reads only what the same key has made. */
const openai = (call: Received): void => {
  const key = keyOf(call)
  const { input, stream: streamed } = bodyOf(call)
  const seals = input.flatMap(({ encrypted_content: seal }) => (seal === undefined ? [] : [seal]))
  if (seals.some((seal) => !seal.startsWith(`gAAAA-${key}-`))) {
    json(refusal, 400)(call)
    return
  }
  const answer = answerOf(key)
  if (streamed !== true) {
    json(answer)(call)
    return
  }
  const items = answer.output.flatMap((item, output_index) => [
    named('response.output_item.added', { output_index, item: { ...item, encrypted_content: undefined } }),
    named('response.output_item.done', { output_index, item }),
  ])
  stream(
    named('response.created', { response: { ...answer, output: [], status: 'in_progress' } }),
    ...items,
    named('response.completed', { response: answer }),
  )(call)
}

type Turn = (before: unknown, streamed: boolean) => Promise<{ status: number; next: unknown }>

const eventsIn = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))

const parameters = { type: 'object', properties: {} }

/** Two turns of an agent in each dialect: a question, and the result of the call. */
const clients: Readonly<Record<string, Turn>> = {
  responses: async (before, streamed) => {
    const input = (before as unknown[] | undefined) ?? [{ role: 'user', content: 'weather' }]
    const body = {
      model: 'gpt-6.1-sol',
      store: false,
      stream: streamed,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'look', parameters }],
      input,
    }
    const response = await ask(body, '/v1/responses')
    const text = await response.text()
    if (response.status !== 200) return { status: response.status, next: undefined }
    const whole = streamed ? (eventsIn(text).at(-1)?.response as { output: { call_id?: string }[] }) : JSON.parse(text)
    const output = whole.output as { call_id?: string }[]
    return {
      status: 200,
      next: [...input, ...output, { type: 'function_call_output', call_id: output.at(-1)?.call_id, output: 'sun' }],
    }
  },
  Anthropic: async (before) => {
    const messages = (before as unknown[] | undefined) ?? [{ role: 'user', content: 'weather' }]
    const body = {
      model: 'gpt-6.1-sol',
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: [{ name: 'look', input_schema: parameters }],
      messages,
    }
    const response = await ask(body, '/v1/messages')
    const { content } = (await response.json()) as { content?: { type: string; id?: string }[] }
    if (content === undefined) return { status: response.status, next: undefined }
    const id = content.find(({ type }) => type === 'tool_use')?.id
    return {
      status: response.status,
      next: [
        ...messages,
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'sun' }] },
      ],
    }
  },
  // This client keeps no reasoning: the gateway remembers it.
  chat: async (before) => {
    const messages = (before as unknown[] | undefined) ?? [{ role: 'user', content: 'weather' }]
    const body = {
      model: 'gpt-6.1-sol',
      reasoning_effort: 'high',
      tools: [{ type: 'function', function: { name: 'look', parameters } }],
      messages,
    }
    const response = await ask(body)
    const { choices } = (await response.json()) as { choices?: { message: { tool_calls: { id: string }[] } }[] }
    const calls = choices?.[0]?.message.tool_calls
    if (calls === undefined) return { status: response.status, next: undefined }
    return {
      status: response.status,
      next: [
        ...messages,
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: calls[0]?.id, content: 'sun' },
      ],
    }
  },
}

const two = (): RelayChannel[] => [channel({ id: 1, keys: ['a'] }), channel({ id: 2, keys: ['b'] })]
const twoKeys = (): RelayChannel[] => [
  channel({ keys: ['a', 'b', 'c'], ring: { rotation: 'round_robin', affinity: false, seeds: [1, 2, 3], next: 0 } }),
]

const hasSeals = (call: Received | undefined): boolean => call?.body.toString().includes('gAAAA-') === true

describe.each(Object.entries(clients))('a %s client', (name, turn) => {
  it.each([
    ['two channels', two],
    ['one channel with three keys', twoKeys],
  ])('stays with the account that made its reasoning, at %s', async (_, channels) => {
    // The first turns alternate; without the memory the second ones would, too.
    let draw = 0
    const random = (): number => {
      draw += 1
      return (draw % 2) * 0.99
    }
    await reopenGateway({ random })
    useChannels(...channels())
    upstream.answer = openai
    for (let conversation = 0; conversation < 6; conversation += 1) {
      let next: unknown
      upstream.received.length = 0
      for (const streamed of [false, name === 'responses', false]) {
        const told = await turn(next, streamed)
        expect(told.status).toBe(200)
        next = told.next
      }
      expect(new Set(upstream.received.map(keyOf)).size).toBe(1)
      expect(upstream.received.map(hasSeals)).toEqual([false, true, true])
    }
  })

  it('goes on at another account without the reasoning, where its own is gone', async () => {
    useChannels(...two())
    upstream.answer = openai
    const first = await turn(undefined, false)
    const made = keyOf(upstream.received[0] as Received)
    useChannels(...two().filter(({ keys }) => keys[0] !== made))
    upstream.received.length = 0
    const second = await turn(first.next, false)
    expect(second.status).toBe(200)
    expect(upstream.received.map(hasSeals)).toEqual([false])
    // The new account reads its own reasoning and still not that of the old one.
    expect((await turn(second.next, false)).status).toBe(200)
    expect(upstream.received.map(hasSeals)).toEqual([false, true])
  })

  it('is asked once more without the reasoning, where its account cannot read it after all', async () => {
    useChannels(channel({ id: 1, keys: ['a'] }))
    upstream.answer = openai
    const { next } = await turn(undefined, false)
    // The account behind the key has changed.
    gateway.parts.recorder.records.length = 0
    upstream.received.length = 0
    upstream.answer = (call) => (hasSeals(call) ? json(refusal, 400)(call) : openai(call))
    expect((await turn(next, false)).status).toBe(200)
    expect(upstream.received.map(hasSeals)).toEqual([true, false])
    expect(gateway.parts.recorder.records.map(({ kind }) => kind)).toEqual(['charge'])
  })

  it('reads the refusal, where it is refused without reasoning as well', async () => {
    useChannels(channel({ id: 1, keys: ['a'] }))
    upstream.answer = openai
    const { next } = await turn(undefined, false)
    upstream.received.length = 0
    upstream.answer = json(refusal, 400)
    expect((await turn(next, false)).status).toBe(400)
    expect(upstream.received.length).toBe(2)
    expect(holdEnds().at(-1)).toBe('released')
  })
})
