import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listPrice, priceOf } from '../../../test/support/billing/price.ts'
import { furtherMembers, plainBodies } from '../../../test/support/dialects/plain-bodies.ts'
import { openTestHolds, testCaller, testOptions } from '../../../test/support/relay/ports.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { plainBodyIn } from '../../dialects/plain/plain-body.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import type { RelayOptions, TokenCounter } from '../ports.ts'
import type { CacheMarks } from './channel-marks.ts'
import { createHoldPlacer, type HeldCall } from './place-hold.ts'
import { openUsualOutput, type UsualAnswer } from './usual-output.ts'

/** Calls of texts are held for without a look into their bodies: exactly as the general way holds for them. */

const callOf = (dialect: Dialect, body: JsonObject, isMarked: boolean): RelayCall => {
  const text = JSON.stringify(body)
  const shape = dialect.requestRules.plain
  const plain = shape && plainBodyIn(shape, body, text)
  return {
    id: 'id',
    startedAt: 0,
    caller: testCaller,
    ip: '',
    path: '/',
    model: 'm',
    stream: false,
    endpoint: 'conversation',
    dialect,
    query: '',
    raw: Buffer.from(text),
    body,
    text,
    ...(isMarked && plain !== undefined ? { plain } : {}),
    accept: undefined,
    passed: {},
  }
}

const counter: TokenCounter = { text: async () => 7, prompt: async (_, __, body) => JSON.stringify(body).length >> 2 }

const prices = {
  ratios: priceOf('gpt-4o'),
  sound: priceOf('gpt-4o-audio-preview'),
  'a price per call': priceOf('gpt-4o', { modelPrice: { 'gpt-4o': 0.01 } }),
  'lengths of context': listPrice(
    { input: 1.25, output: 10, cache_write: 2, reasoning: 11 },
    { tiers: { priority: 2 } },
  ),
  'exact fractions': listPrice({ input: 0.123_456_789_012, output: 7.000_000_1, request: 0.01 }),
  nothing: priceOf('gpt-4o', { modelRatio: { 'gpt-4o': 0 } }),
}

const names = <T extends string>(...values: readonly T[]) => fc.constantFrom(undefined, ...values)

interface Site {
  readonly price: keyof typeof prices
  readonly marks: CacheMarks
  readonly balance: number
  readonly options: RelayOptions
  readonly answers: readonly UsualAnswer[]
}

const site: fc.Arbitrary<Site> = fc.record({
  price: fc.constantFrom(...(Object.keys(prices) as (keyof typeof prices)[])),
  marks: names('5m', '1h'),
  balance: fc.constantFrom(-5, 0, 1, 500, 5_000, 1_000_000_000),
  options: fc
    .record({
      preConsumedTokens: fc.constantFrom(0, 500, 1.5, 1_000_000),
      overdraft: fc.constantFrom(0, 1_000),
      freeWithoutBalance: fc.boolean(),
    })
    .map((some) => ({ ...testOptions, ...some })),
  answers: fc.array(fc.record({ tokens: fc.nat(5_000), place: names('us'), tier: names('priority', 'flex') }), {
    maxLength: 4,
  }),
})

type Placed = Pick<HeldCall, 'request' | 'expected' | 'counted'> | { readonly code: string; readonly params: unknown }

/** Outcome of a call on a site, and the estimate of the next one. */
const placed = async (call: RelayCall, { price, marks, balance, options, answers }: Site) => {
  const usual = openUsualOutput()
  for (const answer of answers) usual.learn('m', answer)
  const placer = createHoldPlacer({ holds: openTestHolds(balance), counter, usual, unsetMarks: () => marks })
  const outcome = async (): Promise<Placed> => {
    try {
      const held = await placer.place(call, prices[price], options)
      const stated = { input: 5, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, audioInput: 0, output: 4000 }
      placer.learn(call, held, { ...stated, audioOutput: 0, reasoning: 0, place: 'eu', tier: 'priority' })
      const { request, expected, counted } = held
      return { request, expected, counted }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { code: error.code, params: error.params }
    }
  }
  return { placed: await outcome(), usual: usual.of('m') }
}

/** Words that the general way takes for settings wherever they stand; the quick way knows that they are texts. */
const settingNames = ['audio', '"cache_control"', '"prompt_cache_breakpoint"', '"prompt_cache_options"']
const holdsNoName = (body: JsonObject): boolean => {
  const text = JSON.stringify(body)
  return settingNames.every((name) => !text.includes(name))
}

describe.each(plainBodies)('calls of texts in $dialect.name', ({ dialect, body }) => {
  it('are held for, refused and learned from as the general way does, plain or not', async () => {
    const more = fc.constantFrom(undefined, ...Object.keys(furtherMembers))
    await fc.assert(
      fc.asyncProperty(body.filter(holdsNoName), more, site, async (plain, name, on) => {
        const sent = name === undefined ? plain : { ...plain, [name]: furtherMembers[name] }
        const quick = callOf(dialect, sent, true)
        expect(quick.plain === undefined).toBe(name !== undefined)
        expect(await placed(quick, on)).toEqual(await placed(callOf(dialect, sent, false), on))
      }),
      { numRuns: 300 },
    )
  })

  it('are not held for as if a word in a text were a setting', async () => {
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom('audio', 'cache_control', 'prompt_cache_options'),
        site,
        async (plain, word, on) => {
          const rich = { ...on, balance: 2 ** 50 }
          const withWord = withText(plain, word)
          const { placed: quick } = await placed(callOf(dialect, withWord, true), rich)
          const { placed: general } = await placed(callOf(dialect, withWord, false), rich)
          if (!('expected' in quick && 'expected' in general)) throw new Error('refused')
          expect(quick.expected).toEqual({ ...general.expected, mayHoldAudio: false, cached: on.marks })
          const { placed: plainWord } = await placed(
            callOf(dialect, withText(plain, 'x'.repeat(word.length)), false),
            rich,
          )
          if (holdsNoName(plain)) expect(quick).toEqual(plainWord)
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** The body with one more turn, of this text. */
const withText = (body: JsonObject, text: string): JsonObject => {
  if (Array.isArray(body.contents))
    return { ...body, contents: [...body.contents, { role: 'user', parts: [{ text }] }] }
  if (body.input !== undefined) return { ...body, input: [{ type: 'message', role: 'user', content: text }] }
  return { ...body, messages: [...(body.messages as object[]), { role: 'user', content: text }] }
}
