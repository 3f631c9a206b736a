import { beforeEach, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { recompute } from '../../src/billing/cost.ts'
import { providerOf } from '../../src/providers/index.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json } from '../support/gateway/upstream.ts'
import { testPrices } from '../support/relay/ports.ts'

useScene()

/** Qwen's caches: what a client asks to keep is read at 10 % and written at 125 %, what the provider keeps by itself is read at 20 %. */
const model = 'qwen3.7-max'

const typed = (type: number): RelayChannel => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`no type ${type}`)
  return channel({ type, provider } as Partial<RelayChannel>)
}

beforeEach(async () => {
  const list = await openShippedBook()
  await reopenGateway({ prices: testPrices(priceOf(model, { modelRatio: {}, list })) })
})

const clients: readonly (readonly [
  name: string,
  call: (stream: boolean) => readonly [Record<string, unknown>, string],
])[] = [
  ['chat', (stream) => [{ model, messages: hi.messages, stream }, '/v1/chat/completions']],
  ['responses', (stream) => [{ model, input: 'hi', stream }, '/v1/responses']],
  ['messages', (stream) => [{ model, max_tokens: 300, messages: hi.messages, stream }, '/v1/messages']],
  [
    'gemini',
    (stream) => [
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    ],
  ],
]

const cases: readonly (readonly [name: string, details: object, quota: number])[] = [
  ['an explicit read', { cached_tokens: 8000, cache_type: 'ephemeral' }, 3875],
  ['an implicit read', { cached_tokens: 8000, cache_type: 'implicit' }, 4875],
  ['a read of an unnamed kind', { cached_tokens: 8000 }, 4875],
  ['a write', { cached_tokens: 0, cache_creation_input_tokens: 8000, cache_type: 'ephemeral' }, 15_375],
  [
    'a write for five minutes',
    { cache_creation_input_tokens: 8000, cache_creation: { ephemeral_5m_input_tokens: 8000 }, cache_type: 'ephemeral' },
    15_375,
  ],
  [
    'a write for an hour',
    { cache_creation_input_tokens: 8000, cache_creation: { ephemeral_1h_input_tokens: 8000 }, cache_type: 'ephemeral' },
    22_875,
  ],
  [
    'a read and writes of both lifetimes',
    {
      cached_tokens: 4000,
      cache_creation_input_tokens: 3000,
      cache_creation: { ephemeral_5m_input_tokens: 2000, ephemeral_1h_input_tokens: 1000 },
      cache_type: 'ephemeral',
    },
    3000 * 1.25 + 4000 * 0.125 + 2000 * 1.5625 + 1000 * 2.5 + 375,
  ],
]

describe.each(clients)('a call of a client of %s', (_, bodyOf) => {
  describe.each([
    ['whole', false],
    ['streamed', true],
  ])('%s', (_way, isStream) => {
    it.each(cases)('costs what %s does', async (_name, details, quota) => {
      useChannels(typed(17))
      const usage = {
        prompt_tokens: 10_000,
        completion_tokens: 100,
        total_tokens: 10_100,
        prompt_tokens_details: details,
      }
      upstream.answer = (call) => {
        if (!isStream) {
          json({ ...completion('hello'), model, usage })(call)
          return
        }
        const last = { id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [], usage }
        const events = [chunk('hello'), `data: ${JSON.stringify(last)}\n\n`, done]
        call.response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
      }
      const [body, path] = bodyOf(isStream)
      await (await ask(body, path)).text()
      expect(lastRecord()).toMatchObject({ kind: 'charge', quota, promptTokens: 10_000 })
      const { receipt } = lastRecord() ?? {}
      // No page says what the longer lifetime costs.
      const isAssumed = JSON.stringify(details).includes('_1h_')
      expect(receipt?.provisional?.map(({ kind }) => kind)).toEqual(isAssumed ? ['cache'] : undefined)
      expect(receipt && recompute(receipt)).toBe(quota)
    })
  })
})
