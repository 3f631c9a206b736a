import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noUsage } from '../../billing/usage.ts'
import { UsageReports, widestLimits } from '../../billing/usage-reports.ts'
import { geminiDialect } from '../../dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import type { RelayCall } from '../call.ts'
import { searchUnitsOf, usageLimits } from './limits.ts'
import { isUndoubted, laterLimits } from './undoubted.ts'

type Body = Readonly<Record<string, unknown>>

const chat = (body: Body = {}) => ({ endpoint: 'conversation', dialect: openaiChatDialect, body }) as const
const gemini = (body: Body) => ({ endpoint: 'conversation', dialect: geminiDialect, body }) as const
const completions = (body: Body) => ({ endpoint: 'completions', dialect: undefined, body }) as const

describe('limits of a report', () => {
  it('are the context and the longest output of the model', () => {
    expect(usageLimits(chat(), 'gpt-4o')).toEqual({ prompt: 128_000, completion: 16_384 })
    expect(usageLimits(chat(), 'my-own-model')).toEqual(widestLimits)
  })

  it('leave room for a conversation that the provider compacts on its way', () => {
    const body = { context_management: { edits: [{ type: 'compact_20260112' }] } }
    expect(usageLimits(chat(body), 'gpt-4o').prompt).toBe(128_000 * 20)
  })

  it('leave room for reasoning beside a maximum that the client sets', () => {
    expect(usageLimits(chat({ max_tokens: 100 }), 'my-own-model').completion).toBe(131_172)
    expect(usageLimits(chat({ max_tokens: 100 }), 'gpt-4o').completion).toBe(16_384)
    const config = { generationConfig: { maxOutputTokens: 50 } }
    expect(usageLimits(gemini(config), 'my-own-model').completion).toBe(131_122)
  })

  it.each([
    ['chat', chat, { n: 3 }, 3],
    ['chat', chat, { n: 1e300 }, 10_000],
    ['chat', chat, { n: '7' }, 1],
    ['gemini', gemini, { generationConfig: { candidateCount: 2 } }, 2],
    ['completions', completions, { prompt: ['a', 'b'], best_of: 4, n: 2 }, 8],
    ['completions', completions, { prompt: [1, 2, 3] }, 1],
  ] as const)('count the answers that %s asks for', (_, call, body, answers) => {
    const { completion } = usageLimits(call(body), 'my-own-model')
    expect(completion).toBe(widestLimits.completion * answers)
  })

  it.each<readonly [string, Record<string, unknown>, number]>([
    ['a search', { tools: [{ type: 'web_search' }] }, 20],
    ['a search beside functions', { tools: [{ type: 'function', function: {} }, { type: 'web_search_20250305' }] }, 20],
    ['Gemini’s search', { tools: [{ googleSearch: {} }] }, 20],
    ['Gemini’s search beside functions', { tools: [{ functionDeclarations: [], googleSearch: {} }] }, 20],
    ['options of a search', { web_search_options: {} }, 20],
    ['functions', { tools: [{ type: 'function', function: {} }] }, 1],
    ['Claude’s functions', { tools: [{ name: 'f', input_schema: {} }] }, 1],
    ['Gemini’s functions', { tools: [{ functionDeclarations: [] }] }, 1],
    ['a search that is switched off', { enable_search: false }, 1],
    ['no list of tools', { tools: 'web_search' }, 1],
  ])('count the rounds that %s may take', (_, body, rounds) => {
    expect(usageLimits(chat(body), 'gpt-4o').prompt).toBe(128_000 * rounds)
  })

  it('count the rounds of models that search by themselves', () => {
    expect(usageLimits(chat(), 'o3-deep-research').prompt).toBe(4_000_000)
  })

  it('do not bound lists of inputs by one context', () => {
    expect(usageLimits({ endpoint: 'embeddings', dialect: undefined, body: {} }, 'gpt-4').prompt).toBe(
      widestLimits.prompt,
    )
  })
})

it('search units follow the documents and their length', () => {
  const of = (documents: unknown, bytes = 0) => searchUnitsOf({ body: { documents }, raw: Buffer.alloc(bytes) })
  expect(of(['a', 'b'])).toEqual({ expected: 1, most: 102 })
  expect(of(Array.from({ length: 250 }, () => 'a'))).toEqual({ expected: 3, most: 350 })
  expect(of(['a'], 2_000_000).expected).toBe(11)
  expect(of(undefined)).toEqual({ expected: 1, most: 100 })
})

it('a report that needs no limits is within those of its call', () => {
  const tokens = fc.oneof(fc.nat(40), fc.nat(9000), fc.nat(3_000_000))
  const usages = fc.record({
    input: tokens,
    cacheRead: tokens,
    audioInput: fc.nat(5),
    output: tokens,
    reasoning: tokens,
  })
  const bodies = fc.record(
    {
      max_tokens: fc.constantFrom<unknown>(0, 1, 16, 100, 5000, '30', -4, 0.5, null),
      max_completion_tokens: fc.constantFrom<unknown>(2, 60, 'x'),
      generationConfig: fc.constantFrom<unknown>({ maxOutputTokens: 40 }, { responseModalities: ['AUDIO'] }),
      n: fc.constantFrom<unknown>(0, 1, 3, -2, '7'),
      tools: fc.constantFrom<unknown>([{ type: 'web_search' }], []),
      prompt: fc.constantFrom<unknown>('a', ['a', 'b']),
      enable_thinking: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const endpoints = fc.constantFrom(
    ...([
      'conversation',
      'completions',
      'embeddings',
      'moderations',
      'rerank',
      'images',
      'speech',
      'transcripts',
    ] as const),
  )
  const models = fc.constantFrom(
    'gpt-4',
    'gpt-4-turbo',
    'gpt-3.5-turbo',
    'gpt-4o',
    'qwen3-max',
    'o3-deep-research',
    'mine',
  )
  const raw = Buffer.from('{"model":"m"}')
  const provider = fc.constantFrom({}, { reasoningBeside: true }, { addsContext: true })
  let undoubted = 0
  fc.assert(
    fc.property(
      usages,
      bodies,
      endpoints,
      models,
      provider,
      fc.boolean(),
      (counts, body, endpoint, model, by, isGemini) => {
        const usage = { ...noUsage, ...counts }
        const dialect = endpoint === 'conversation' ? (isGemini ? geminiDialect : openaiChatDialect) : undefined
        const call = { endpoint, dialect, body, raw } as unknown as RelayCall
        const made = { sent: raw, provider: by as never }
        const [later, now] = [
          new UsageReports(laterLimits(call, model, made)),
          new UsageReports(usageLimits(call, model, made)),
        ]
        for (const each of [usage, { ...usage, output: usage.output * 2 }]) {
          later.note(each)
          now.note(each)
          expect([later.best, later.doubted]).toEqual([now.best, now.doubted])
        }
        if (!isUndoubted(usage, call)) return
        undoubted += 1
        const reports = new UsageReports(usageLimits(call, model, made))
        reports.note(usage)
        expect([reports.best, reports.doubted]).toEqual([usage, undefined])
      },
    ),
    { numRuns: 5000 },
  )
  expect(undoubted).toBeGreaterThan(100)
})
