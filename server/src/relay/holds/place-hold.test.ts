import { expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { openTestHolds, testCaller, testOptions } from '../../../test/support/relay/ports.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall, RelayEndpoint } from '../call.ts'
import type { TokenCounter } from '../ports.ts'
import { createHoldPlacer } from './place-hold.ts'
import { openUsualOutput } from './usual-output.ts'

/** gpt-4o: 1.25 units per prompt token, 5 per completion token. */
const price = priceOf('gpt-4o')

const callOf = (body: Record<string, unknown>, endpoint: RelayEndpoint = 'conversation'): RelayCall => ({
  id: 'id',
  startedAt: 0,
  caller: testCaller,
  ip: '',
  path: '/v1/chat/completions',
  model: 'gpt-4o',
  stream: false,
  endpoint,
  dialect: endpoint === 'conversation' ? openaiChatDialect : undefined,
  query: '',
  raw: Buffer.from(JSON.stringify(body)),
  body,
  accept: undefined,
  passed: {},
})

const open = (balance: number, tokens = 200) => {
  const counted: string[] = []
  const counter: TokenCounter = {
    text: async () => tokens,
    prompt: async (model) => {
      counted.push(model)
      return tokens
    },
  }
  const holds = openTestHolds(balance)
  const placer = createHoldPlacer({ holds, counter, usual: openUsualOutput() })
  const place = (body: Record<string, unknown>, endpoint?: RelayEndpoint, options = testOptions) =>
    placer.place(callOf(body, endpoint), price, options)
  const amounts = (): number[] => holds.ends.map(({ amount }) => amount)
  return { place, amounts, counted }
}

const messages = [{ role: 'user', content: 'x'.repeat(2000) }]
const request = { model: 'gpt-4o', messages, max_tokens: 100 }
const bytes = JSON.stringify(request).length

it('holds a token per byte at once where there is plenty', () => {
  const { place, amounts, counted } = open(1_000_000)
  expect(place(request)).not.toBeInstanceOf(Promise)
  expect(amounts()).toEqual([Math.ceil((bytes + 100 * 4) * 1.25)])
  expect(counted).toEqual([])
})

it('counts the prompt where a bound would take what others need', async () => {
  const { place, amounts, counted } = open(10_000)
  await place(request)
  expect(amounts()).toEqual([(200 + 100 * 4) * 1.25])
  expect(counted).toEqual(['gpt-4o'])
})

it('lets a call pass that its balance just pays for', async () => {
  const { place, amounts } = open(750)
  await place(request)
  expect(amounts()).toEqual([750])
  await expect(place(request)).rejects.toMatchObject({ code: 'insufficient_user_quota' })
})

it('asks no tokenizer for a call that cannot be paid for anyway', async () => {
  for (const balance of [0, 400]) {
    const { place, counted } = open(balance)
    await expect(place(request)).rejects.toBeInstanceOf(AppError)
    expect(counted).toEqual([])
  }
})

it('goes into an overdraft that is tolerated, but does not begin below zero', async () => {
  const options = { ...testOptions, overdraft: 1000 }
  const { place, amounts } = open(100)
  await place(request, 'conversation', options)
  expect(amounts()).toEqual([750])
  await expect(place(request, 'conversation', options)).rejects.toMatchObject({ code: 'insufficient_user_quota' })
})

it('does not take an address of a picture for its cost', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  const { place, amounts } = open(1_000_000_000)
  place({ model: 'gpt-4o', messages: [{ role: 'user', content: Array(50).fill(image) }], max_tokens: 1 })
  expect(amounts()[0]).toBeGreaterThan(50 * 85 * 1.25)
})

it('holds the query of a rerank call for each document', () => {
  const { place, amounts } = open(1_000_000_000)
  place({ model: 'gpt-4o', query: 'q'.repeat(1000), documents: ['a', 'b', 'c'] }, 'rerank')
  expect(amounts()[0]).toBeGreaterThanOrEqual(3 * 1000 * 1.25)
  expect(amounts()[0]).toBeLessThan(3 * 1000 * 1.25 + 500)
})

it('learns what a model usually writes from answers without a maximum', () => {
  const usual = openUsualOutput()
  const counter: TokenCounter = { text: async () => 1, prompt: async () => 1 }
  const placer = createHoldPlacer({ holds: openTestHolds(), counter, usual })
  const usage = {
    input: 1,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWrite1h: 0,
    audioInput: 0,
    output: 4000,
    audioOutput: 0,
    reasoning: 0,
  }
  const learn = (body: Record<string, unknown>): number => {
    const call = callOf(body)
    const held = placer.place(call, price, testOptions)
    if (held instanceof Promise) throw new Error('not at once')
    placer.learn(call, held, usage)
    return usual.of('gpt-4o').tokens
  }
  expect(learn(request)).toBe(500)
  expect(learn({ model: 'gpt-4o', messages, n: 2 })).toBe(800)
})
