import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { testCaller, testChannel, testModels } from '../../../../test/support/relay/ports.ts'
import { anthropicDialect } from '../../../dialects/anthropic/dialect.ts'
import type { JsonObject } from '../../../dialects/conversation/json.ts'
import type { Dialect } from '../../../dialects/dialect.ts'
import { geminiDialect } from '../../../dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../../dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../../dialects/openai-responses/dialect.ts'
import { plainBodyIn } from '../../../dialects/plain/plain-body.ts'
import { AppError } from '../../../lib/app-error.ts'
import { providers } from '../../../providers/index.ts'
import type { Provider, ProviderCall } from '../../../providers/provider.ts'
import type { RelayCall } from '../../call.ts'
import type { RelayChannel } from '../../ports.ts'
import { type AttemptParts, attemptRequest, timeoutsFor, writtenHead } from '../attempt-request.ts'
import type { Exchange, RelayLimits } from '../exchange.ts'
import { exchangeFor } from '../exchange-for.ts'
import { PassthroughExchange } from '../passthrough.ts'
import { plainExchange } from './plain-way.ts'

/** The quick way of plain calls sends the request of the general way: address, head and bytes, and the log says the same. */

const strange = ['tollgate:anthropic:s:x', 'x-anthropic-billing-header: a\nBe kind', 'a "quote" \\', '']
const text = fc.oneof(
  { weight: 20, arbitrary: fc.constant('Hello') },
  { weight: 1, arbitrary: fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom(...strange)) },
)
const models = fc.constantFrom(
  ...[
    'gpt-4o',
    'gpt-4.1-mini',
    'gpt-5',
    'gpt-5.4',
    'gpt-6',
    'o1-mini',
    'o3-mini',
    'o3-mini-high',
    'o1-pro',
    'gpt-oss-120b',
  ],
  ...['claude-opus-4-7', 'claude-3-5-sonnet', 'claude-sonnet-4-5-thinking', 'us.anthropic.claude-opus-4-7'],
  ...[
    'gemini-2.5-pro',
    'gemini-3-pro',
    'grok-4',
    'grok-3-mini',
    'grok-3-mini-high',
    'deepseek-chat',
    'deepseek-reasoner',
  ],
  ...['deepseek-v4-pro', 'kimi-k2.5', 'moonshot-v1-8k', 'glm-4.6', 'zai-org/GLM-4.6', 'qwen3-max', 'Qwen/Qwen3-8B'],
  ...[
    'mistral-large',
    'codestral',
    'magistral-medium',
    'MiniMax-M2',
    'ERNIE-4.0',
    'SparkDesk-v4.0',
    'sonar',
    'minimax-m2',
  ],
  ...['Pro/deepseek-ai/DeepSeek-V4-Pro', 'llama-3', 'custom-model', 'gemma-3-27b', 'o4-mini', 'qwq-32b'],
)
/** A member of these shapes stands in about every second body. */
const some = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> =>
  fc
    .record(Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, fc.option(value, { freq: 2 })])))
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== null)))
const tokens = fc.integer({ min: 1, max: 20_000 })
const share = fc.constantFrom(0, 0.0001, 0.5, 0.97, 1, 1.5)
const turns = (turn: fc.Arbitrary<unknown>) => fc.array(turn, { minLength: 1, maxLength: 5 })
const roles = (...names: string[]) => fc.constantFrom(...names)

interface Kind {
  readonly dialect: Dialect
  readonly paths: readonly string[]
  readonly fixed: Record<string, fc.Arbitrary<unknown>>
  readonly more: Record<string, fc.Arbitrary<unknown>>
}

const kinds: readonly Kind[] = [
  {
    dialect: openaiChatDialect,
    paths: ['/v1/chat/completions'],
    fixed: { messages: turns(fc.record({ role: roles('system', 'developer', 'user', 'assistant'), content: text })) },
    more: {
      stream: fc.boolean(),
      stream_options: some({ include_usage: fc.boolean() }),
      seed: tokens,
      stop: text,
      max_tokens: tokens,
      max_completion_tokens: tokens,
      temperature: share,
      top_p: share,
      presence_penalty: share,
      frequency_penalty: share,
    },
  },
  {
    dialect: anthropicDialect,
    paths: ['/v1/messages', '/v1/messages/count_tokens'],
    fixed: { messages: turns(fc.record({ role: roles('user', 'assistant'), content: text })) },
    more: {
      max_tokens: tokens,
      stream: fc.boolean(),
      temperature: share,
      top_p: share,
      top_k: tokens,
      system: fc.oneof(text, turns(fc.record({ type: fc.constant('text'), text }))),
    },
  },
  {
    dialect: openaiResponsesDialect,
    paths: ['/v1/responses'],
    fixed: { input: text },
    more: {
      stream: fc.boolean(),
      store: fc.boolean(),
      instructions: text,
      max_output_tokens: tokens,
      temperature: share,
      top_p: share,
    },
  },
  {
    dialect: geminiDialect,
    paths: [
      '/v1beta/models/m:generateContent',
      '/v1beta/models/m:streamGenerateContent',
      '/v1beta/models/m:countTokens',
    ],
    fixed: { contents: turns(fc.record({ role: roles('user', 'model'), parts: turns(fc.record({ text })) })) },
    more: { generationConfig: some({ temperature: share, maxOutputTokens: tokens }) },
  },
]

const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

const channels = fc.record({
  /** One of those that speak the client's dialect. */
  at: fc.nat(1000),
  baseUrl: fc.constantFrom(
    ...[
      '',
      'http://10.0.0.9:8000',
      'https://gateway.ai.cloudflare.com/v1/a',
      'https://x.test/api/v1',
      'https://x.test/v1',
    ],
    ...['https://x.test/openai/v1', 'https://x.test/{model}/chat'],
  ),
  key: fc.constantFrom('sk-1', 'one.two', 'a|b|c', 'a|us-east-1', 'bce-v3/x'),
  organization: fc.constantFrom('', 'org-1'),
  other: fc.constantFrom('', 'v1', 'us-central1', 'responses, messages'),
  mapped: rarely(models),
  systemPrompt: rarely(fc.constant({ text: 'Be kind', beforeOthers: true })),
  paramOverride: rarely(fc.constant({ temperature: 1 })),
  headerOverride: rarely(
    fc.constant(
      new Map([
        ['accept', 'x/{api_key}'],
        ['x-own', '{api_key}'],
      ]),
    ),
  ),
  cacheMarks: rarely(fc.constantFrom('5m' as const, 'off' as const)),
  firstContentMs: rarely(fc.constant(700)),
})

const settingsOf = fc.record({
  passThrough: fc.constantFrom(false, false, false, true),
  forceStreamOption: fc.boolean(),
  cacheMarks: fc.constantFrom(new Map(), new Map(), new Map([['default', '5m' as const]])),
  models: fc.constantFrom(testModels, {
    ...testModels,
    claude: { ...testModels.claude, headers: { 'claude-opus-4-7': { 'Anthropic-Beta': ['a', 'b'] } } },
  }),
})

const asking = fc.record({
  accept: fc.constantFrom(undefined, '*/*', 'application/json'),
  query: fc.constantFrom('', '', '?beta=true', '?alt=sse', '?api-version=2025-01-01', `?a=${'b'.repeat(1000)}`),
  passed: fc.constantFrom<Record<string, string>>(
    ...[{}, { 'anthropic-version': '2023-06-01' }, { 'anthropic-version': '2023-01-01' }, { 'anthropic-beta': 'a' }],
    ...[{ 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a' }, { 'anthropic-beta': 'a'.repeat(1001) }],
  ),
})

const calls = fc.integer({ min: 0, max: kinds.length - 1 }).chain((at) => {
  const kind = kinds[at]
  if (kind === undefined) throw new Error('no such kind')
  return fc.record({
    dialect: fc.constant(kind.dialect),
    path: fc.constantFrom(...kind.paths),
    asked: models,
    named: models,
    isAlias: fc.constantFrom(false, false, true),
    body: fc.tuple(fc.record(kind.fixed), some(kind.more)).map(([fixed, more]) => ({ ...fixed, ...more })),
    spaces: fc.nat(2),
  })
})

type Drawn = typeof calls extends fc.Arbitrary<infer Of> ? Of : never

const callOf = (drawn: Drawn, more: Pick<RelayCall, 'accept' | 'query' | 'passed'>): RelayCall => {
  const { dialect, path, asked, named, isAlias, spaces } = drawn
  const body: JsonObject = dialect.modelInPath ? drawn.body : { model: isAlias ? named : asked, ...drawn.body }
  const json = JSON.stringify(body, undefined, spaces)
  const shape = dialect.requestRules.plain
  return {
    id: 'req-1',
    startedAt: 0,
    caller: testCaller,
    ip: '',
    model: asked,
    endpoint: 'conversation',
    dialect,
    path,
    stream: body.stream === true || path.includes('streamGenerate'),
    raw: Buffer.from(json),
    text: json,
    body,
    plain: shape && plainBodyIn(shape, body, json),
    ...more,
  }
}

const limits: RelayLimits = {
  timeouts: { connect: 1, firstByte: 2, streamIdle: 3 },
  maxResponseBytes: 1000,
  defaultApiVersion: '2026-01-01',
}

const partsOf = (call: RelayCall, channel: RelayChannel, exchange: Exchange): AttemptParts =>
  ({ call, channel, key: channel.keys[0] ?? '', exchange, limits, models: testModels }) as unknown as AttemptParts

/** Result of an attempt, or its error. */
const tried = <T>(make: () => T): { readonly made?: T; readonly error?: string } => {
  try {
    return { made: make() }
  } catch (error) {
    if (error instanceof AppError) return { error: error.code }
    throw error
  }
}

const saidOf = (exchange: Exchange) => {
  const { heads: _, body, ...request } = exchange.request
  const { parts } = exchange as unknown as { readonly parts: Record<string, unknown> }
  const {
    call: _call,
    request: _request,
    upstream,
    errorOf,
    unsupported = [],
    effort,
    stripUsage = false,
    ...rest
  } = parts
  const isRead = { upstream: upstream !== undefined, errorOf: errorOf !== undefined }
  const log = { effort: exchange.effort, unsupported: exchange.unsupported }
  return { request: { ...request, body: body.toString() }, isRead, log, unsupported, effort, stripUsage, rest }
}

it('goes the quick way as the general way goes', () => {
  const counts = { quick: 0, written: 0, withParts: 0, byProvider: new Set<string>(), byDialect: new Set<string>() }
  fc.assert(
    fc.property(calls, channels, settingsOf, asking, (drawn, site, settings, more) => {
      const speaking = providers.filter(({ languages }) => languages.some(({ name }) => name === drawn.dialect.name))
      const provider = speaking[site.at % speaking.length]
      if (provider === undefined) throw new Error('nobody speaks it')
      const {
        key,
        mapped,
        systemPrompt,
        paramOverride,
        headerOverride,
        cacheMarks,
        firstContentMs,
        at: _,
        ...rest
      } = site
      const set = { systemPrompt, headerOverride, cacheMarks, firstContentMs }
      const channel = testChannel({
        ...rest,
        type: provider.type,
        baseUrl: rest.baseUrl || provider.baseUrl,
        keys: [key],
        modelMapping: new Map(mapped === undefined ? [] : [[drawn.asked, mapped]]),
        paramOverride,
        ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined)),
      })
      const call = callOf(drawn, more)
      const quick = plainExchange(call, channel, settings)
      if (quick === undefined) return
      counts.quick += 1
      counts.byProvider.add(channel.provider.name)
      counts.byDialect.add(drawn.dialect.name)
      const general = exchangeFor(call, channel, settings)
      expect(general).toBeInstanceOf(PassthroughExchange)
      expect(saidOf(quick)).toEqual(saidOf(general))
      if (quick.request.body !== call.raw) expect(quick.request.body).not.toEqual(call.raw)
      const parts = { ...partsOf(call, channel, general), models: settings.models }
      const head = tried(() => attemptRequest(parts))
      // The second call finds what the first has written.
      for (const time of ['first', 'second']) {
        const again = plainExchange(call, channel, settings)
        const { made: written, error } = tried(() => writtenHead({ ...parts, exchange: again ?? quick }))
        expect(error).toBe(written === undefined && error !== undefined ? head.error : undefined)
        if (written === undefined) continue
        counts.written += 1
        if (more.query !== '' || Object.keys(more.passed).length > 0) counts.withParts += 1
        expect(written.url, time).toBe(head.made?.url)
        expect(Object.entries(written.headers)).toEqual(Object.entries(head.made?.headers ?? {}))
        expect(written.origin + written.path).toContain(written.url)
        expect(written.timeouts).toEqual(timeoutsFor(false, limits, channel))
        expect(written.watchedTimeouts).toEqual(timeoutsFor(true, limits, channel))
      }
    }),
    { numRuns: 6000 },
  )
  expect(counts.quick).toBeGreaterThan(800)
  expect(counts.written).toBeGreaterThan(400)
  expect(counts.withParts).toBeGreaterThan(200)
  expect(counts.byProvider.size).toBeGreaterThan(20)
  expect(counts.byDialect.size).toBe(4)
})

it('goes the general way with a body that is not plain, with an override, and where a client brings thoughts', () => {
  const [kind] = kinds
  if (kind === undefined) throw new Error('no kind')
  const drawn = { ...kind, path: '/v1/chat/completions', asked: 'gpt-4o', named: 'gpt-4o', isAlias: false, spaces: 0 }
  const more = { accept: undefined, query: '', passed: {} }
  const settings = { passThrough: false, forceStreamOption: true, cacheMarks: new Map(), models: testModels }
  const plain = callOf({ ...drawn, body: { messages: [{ role: 'user', content: 'Hi' }] } }, more)
  expect(plainExchange(plain, testChannel(), settings)?.request.body).toBe(plain.raw)
  const others: readonly JsonObject[] = [
    { messages: [{ role: 'user', content: 'Hi' }], tools: [] },
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
    { messages: [{ role: 'user', content: 'tollgate:gemini:s:x' }] },
    { messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: 'low' },
  ]
  for (const body of others)
    expect(plainExchange(callOf({ ...drawn, body }, more), testChannel(), settings)).toBeUndefined()
  const overridden = testChannel({ paramOverride: { user: 'a' } })
  expect(plainExchange(plain, overridden, settings)).toBeUndefined()
  expect(plainExchange({ ...plain, recalled: new Map() }, testChannel(), settings)).toBeUndefined()
})

it('sees at once that options have changed', () => {
  const [kind] = kinds
  if (kind === undefined) throw new Error('no kind')
  const body = { messages: [{ role: 'user', content: 'Hi' }] }
  const drawn = {
    ...kind,
    body,
    path: '/v1/chat/completions',
    asked: 'gpt-4o',
    named: 'gpt-4o',
    isAlias: false,
    spaces: 0,
  }
  const call = callOf(drawn, { accept: undefined, query: '', passed: {} })
  const settings = { passThrough: false, forceStreamOption: true, cacheMarks: new Map(), models: testModels }
  const channel = testChannel()
  const before = plainExchange(call, channel, settings)
  expect(plainExchange(call, channel, { ...settings })?.request.heads).toBe(before?.request.heads)
  expect(plainExchange(call, channel, { ...settings, models: { ...testModels } })?.request.heads).not.toBe(
    before?.request.heads,
  )
  expect(plainExchange(call, channel, { ...settings, passThrough: true })).toBeUndefined()
})

/** Calls that differ in every part that a head is found by, at one channel of these keys. */
const headVariants = (keys: readonly string[]) => {
  const other = { ...limits, timeouts: { connect: 7, firstByte: 8, streamIdle: 9 } }
  const passedBy = [{}, { 'anthropic-beta': 'a' }, { 'anthropic-version': 'v' }]
  return fc.record({
    key: fc.constantFrom(...keys),
    stream: fc.boolean(),
    accept: fc.constantFrom(undefined, '*/*'),
    within: fc.constantFrom(limits, other),
    asked: fc.constantFrom('gpt-4o', 'gpt-4-gizmo-a'),
    query: fc.constantFrom('', '?beta=true', '?beta=false'),
    passed: fc.constantFrom<Record<string, string>>(...passedBy, { 'anthropic-version': 'v', 'anthropic-beta': 'a' }),
  })
}

it.each([
  ['OpenAI', 1, openaiChatDialect, '/v1/chat/completions'],
  ['Anthropic', 14, anthropicDialect, '/v1/messages'],
] as const)(
  'keeps heads of %s by all that they are written from, and goes on where there are many',
  (_, type, dialect, path) => {
    const keys = Array.from({ length: 9 }, (__, index) => `key-${index}`)
    const channel = testChannel({ type, keys, firstContentMs: 5 })
    const settings = { passThrough: false, forceStreamOption: true, cacheMarks: new Map(), models: testModels }
    const bodies = { dialect, path, named: 'gpt-4o', isAlias: true, spaces: 0 }
    fc.assert(
      fc.property(headVariants(keys), ({ key, stream, accept, within, asked, query, passed }) => {
        const body = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5, stream }
        const call = callOf({ ...bodies, asked, body }, { accept, query, passed })
        const exchange = plainExchange(call, channel, settings)
        if (exchange === undefined) throw new Error('it is plain')
        const parts = { ...partsOf(call, channel, exchange), key, limits: within }
        const { url, headers } = attemptRequest(parts)
        const written = writtenHead(parts)
        expect(written).toMatchObject({ url, timeouts: timeoutsFor(false, within, channel) })
        expect(Object.entries(written?.headers ?? {})).toEqual(Object.entries(headers))
        expect(exchange.request.heads?.length).toBeLessThanOrEqual(64)
      }),
      { numRuns: 2000 },
    )
  },
)

it('finds the head of a call that passes the same headers on', () => {
  const channel = testChannel({ type: 14 })
  const settings = { passThrough: false, forceStreamOption: true, cacheMarks: new Map(), models: testModels }
  const body = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }
  const drawn = {
    dialect: anthropicDialect,
    path: '/v1/messages',
    asked: 'claude-opus-4-7',
    named: 'x',
    isAlias: false,
  }
  const headOf = (query: string, passed: Record<string, string>) => {
    const call = callOf({ ...drawn, body, spaces: 0 }, { accept: undefined, query, passed })
    const exchange = plainExchange(call, channel, settings)
    return exchange && writtenHead(partsOf(call, channel, exchange))
  }
  const first = headOf('?beta=true', { 'anthropic-version': 'v', 'anthropic-beta': 'b' })
  expect(first).toBeDefined()
  expect(headOf('?beta=true', { 'anthropic-version': 'v', 'anthropic-beta': 'b' })).toBe(first)
  expect(headOf('', { 'anthropic-version': 'v' })).not.toBe(first)
})

afterEach(() => vi.useRealTimers())

it.each(providers.filter(({ freshHead }) => freshHead !== true).map((provider) => [provider.name, provider] as const))(
  'finds address and head of %s the same at any time',
  (_, provider: Provider) => {
    vi.useFakeTimers()
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1beta/models/m:generateContent'])
      for (const key of ['sk-1', 'one.two', 'a|b|c', 'a|us-east-1'])
        for (const stream of [true, false]) {
          const channel = testChannel({ type: provider.type, baseUrl: provider.baseUrl, keys: [key] })
          const asked = {
            channel,
            key,
            path,
            query: '',
            model: 'm',
            origin: 'm',
            stream,
            passed: {},
            options: testModels,
          }
          const call: ProviderCall = { ...asked, defaultApiVersion: '2026-01-01' }
          const heads = [1, 2_000_000_000_000].map((now) => {
            vi.setSystemTime(now)
            return tried(() => [provider.url(call), provider.headers(call)])
          })
          expect(heads[0]).toEqual(heads[1])
        }
  },
)
