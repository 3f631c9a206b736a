import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readUsage as claudeUsage, readAnyUsage as readClaude } from '../../dialects/anthropic/answer.ts'
import { passthrough as claude } from '../../dialects/anthropic/passthrough.ts'
import { readUsage as geminiUsage, readAnyUsage as readGoogle } from '../../dialects/gemini/answer.ts'
import { passthrough as gemini } from '../../dialects/gemini/passthrough.ts'
import { passthrough as chat } from '../../dialects/openai-chat/passthrough.ts'
import { anyReport, reportedUsage } from '../../dialects/openai-chat/reported-usage.ts'
import { passthrough as responses } from '../../dialects/openai-responses/passthrough.ts'
import { anyResponseUsage, responseUsage } from '../../dialects/openai-responses/tools-used.ts'
import { declaredMembers } from '../declared/members.ts'
import type { Usage } from '../usage.ts'
import { readOpenaiUsage, usageFromOpenai } from '../usage-openai.ts'
import {
  type PlainMembers,
  plainAnthropicUsage,
  plainGeminiUsage,
  plainMembers,
  plainOpenaiUsage,
} from './plain-usage.ts'

type Json = Record<string, unknown>

const count = fc.oneof(fc.constant(0), fc.nat(50), fc.nat(200_000))

/** Some members of a record, some of them as null. */
const some = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>, always: readonly string[] = []) =>
  fc.record(
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: fc.constant<unknown>(null) }),
      ]),
    ),
    { requiredKeys: [...always], noNullPrototype: true },
  ) as fc.Arbitrary<Json>

/** Reports that state it under several names mostly agree. */
const cachedCount = fc.constantFrom(0, 0, 7, 7, 7, 40)

const promptDetails = some({
  cached_tokens: cachedCount,
  text_tokens: count,
  audio_tokens: fc.constantFrom(0, 0, 0, 3),
  cache_write_tokens: fc.constantFrom(0, 0, 4),
})
const completionDetails = some({
  reasoning_tokens: fc.nat(60),
  audio_tokens: fc.constantFrom(0, 0, 0, 3),
  accepted_prediction_tokens: count,
  rejected_prediction_tokens: count,
})

/** Mostly a total that adds up. */
const withTotal = (report: Json, [prompt, completion, total]: readonly [string, string, string], off: number): Json => {
  const sum = [report[prompt], report[completion]].reduce<number>(
    (all, each) => all + (typeof each === 'number' ? each : 0),
    0,
  )
  return { ...report, [total]: sum + off }
}
const off = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -50, max: 60 }) },
)

const openaiOf = (prompt: string, completion: string, own: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc
    .tuple(some({ [prompt]: count, [completion]: count, ...own }, [prompt, completion]), off, fc.boolean())
    .map(([report, gap, hasTotal]) =>
      hasTotal ? withTotal(report, [prompt, completion, 'total_tokens'], gap) : report,
    )

const chatReports = openaiOf('prompt_tokens', 'completion_tokens', {
  prompt_tokens_details: promptDetails,
  completion_tokens_details: completionDetails,
  prompt_cache_hit_tokens: cachedCount,
  prompt_cache_miss_tokens: count,
  cached_tokens: cachedCount,
  service_tier: fc.constantFrom('default', 'standard', 'priority', ''),
})
const responseReports = openaiOf('input_tokens', 'output_tokens', {
  input_tokens_details: promptDetails,
  output_tokens_details: completionDetails,
})
const claudeReports = some({
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  cache_creation: some({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
  output_tokens_details: some({ thinking_tokens: count }),
  server_tool_use: some({ web_search_requests: fc.constantFrom(0, 0, 0, 2), web_fetch_requests: fc.constant(0) }),
  service_tier: fc.constantFrom('standard', 'standard', 'priority', 'batch'),
  inference_geo: fc.constantFrom('global', 'not_available', 'us', ''),
  speed: fc.constantFrom('standard', 'fast'),
})
const modalities = fc.array(
  some({ modality: fc.constantFrom('TEXT', 'TEXT', 'TEXT', 'TEXT', 'AUDIO', 'NEW'), tokenCount: count }),
  { maxLength: 2 },
)
const geminiReports = fc
  .tuple(
    some(
      {
        promptTokenCount: count,
        candidatesTokenCount: count,
        cachedContentTokenCount: fc.nat(60),
        promptTokensDetails: modalities,
        candidatesTokensDetails: modalities,
        cacheTokensDetails: modalities,
        trafficType: fc.constantFrom('ON_DEMAND', 'ON_DEMAND_FLEX', 'PROVISIONED_THROUGHPUT'),
        serviceTier: fc.constantFrom('standard', 'STANDARD', 'flex'),
      },
      ['promptTokenCount', 'candidatesTokenCount'],
    ),
    off,
  )
  .map(([report, gap]) => withTotal(report, ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'], gap))

const odd = fc.constantFrom<unknown>(
  ...[0, -1, 0.5, 1e15, 1e16, 1e300, Number.MAX_SAFE_INTEGER, '12', '0', 'x', '', null, true, false, [], {}, [3]],
  ...[{ ultra_tokens: 4 }, { cached_tokens: '7' }, { reasoning_tokens: 2 }, [{ modality: 'AUDIO', tokenCount: 3 }]],
)
const otherNames = fc.constantFrom(
  ...['ultra_tokens', '__proto__', 'constructor', 'cost', 'cost_in_usd_ticks', 'num_search_queries', 'iterations'],
  ...['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens', 'total_tokens', 'cached_tokens'],
  ...['prompt_tokens_details', 'input_tokens_details', 'completion_tokens_details', 'output_tokens_details'],
  ...['cache_creation_input_tokens', 'cache_creation', 'service_tier', 'speed', 'inference_geo', 'server_tool_use'],
  ...['responseTokenCount', 'thoughtsTokenCount', 'toolUsePromptTokenCount', 'promptTokenCount', 'seconds'],
)

interface Mutation {
  readonly kind: 'value' | 'rename' | 'add' | 'drop'
  readonly at: number
  readonly inner: boolean
  readonly name: string
  readonly value: unknown
}
const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('value' as const, 'rename' as const, 'add' as const, 'drop' as const),
    at: fc.nat(20),
    inner: fc.boolean(),
    name: otherNames,
    value: fc.oneof(odd, count),
  }),
  { maxLength: 2 },
)

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const mutated = (report: Json, { kind, at, inner, name, value }: Mutation): Json => {
  const names = Object.keys(report)
  const chosen = names[at % Math.max(1, names.length)]
  const nested = chosen === undefined ? undefined : report[chosen]
  if (inner && chosen !== undefined && isObject(nested))
    return { ...report, [chosen]: mutated(nested, { kind, at, inner: false, name, value }) }
  const entries = Object.entries(report)
  if (kind === 'add') return Object.fromEntries([...entries, [name, value]])
  if (kind === 'value') return Object.fromEntries(entries.map(([own, is]) => [own, own === chosen ? value : is]))
  if (kind === 'rename') return Object.fromEntries(entries.map(([own, is]) => [own === chosen ? name : own, is]))
  return Object.fromEntries(entries.filter(([own]) => own !== chosen))
}

const changed = (reports: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(reports, mutations).map(([report, all]) => all.reduce(mutated, report))

const runs = { numRuns: 2500 }

/** Compares both ways of reading a report; most reports without mutations are to be read in the quick one. */
const compare = (
  reports: fc.Arbitrary<Json>,
  { quick, general, read }: Readonly<Record<'quick' | 'general' | 'read', (report: unknown) => Usage | undefined>>,
): void => {
  let plain = 0
  fc.assert(
    fc.property(changed(reports), (report) => {
      const expected = general(report)
      const found = quick(report)
      if (found !== undefined) {
        plain += 1
        expect(found).toEqual(expected)
        expect(Object.keys(found)).toEqual(Object.keys(expected ?? {}))
      }
      expect(read(report)).toEqual(expected)
    }),
    runs,
  )
  expect(plain).toBeGreaterThan(40)
}

describe('a plain report', () => {
  it('of chat says what the general way reads in it', () =>
    compare(chatReports, { quick: plainOpenaiUsage, general: readOpenaiUsage, read: usageFromOpenai }))

  it('of responses does, too', () =>
    compare(responseReports, { quick: plainOpenaiUsage, general: readOpenaiUsage, read: usageFromOpenai }))

  it('of Anthropic does, too', () =>
    compare(claudeReports, { quick: plainAnthropicUsage, general: readClaude, read: claudeUsage }))

  it('of Gemini does, too', () =>
    compare(geminiReports, { quick: plainGeminiUsage, general: readGoogle, read: geminiUsage }))

  it('is undefined for what is no object', () => {
    for (const value of [undefined, null, 5, 'x', [], [{ prompt_tokens: 5 }]])
      expect([plainOpenaiUsage(value), plainAnthropicUsage(value), plainGeminiUsage(value)]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
  })

  it('states a cost also where that is 0, which is not plain', () => {
    const report = { prompt_tokens: 5, completion_tokens: 1, cost: 0 }
    expect(plainOpenaiUsage(report)).toBeUndefined()
    expect(usageFromOpenai(report)?.stated).toEqual({ amount: '0', by: 'cost' })
  })
})

const pathsOf = (members: PlainMembers, parent = ''): readonly string[] =>
  [...members].flatMap(([name, member]) =>
    member.kind === 'details' || member.kind === 'list'
      ? pathsOf(member.members, `${parent}${name}.`)
      : [`${parent}${name}`],
  )

describe('members of plain reports', () => {
  it.each(['openai', 'anthropic', 'gemini'] as const)('are declared: %s', (dialect) => {
    const declared = new Set(declaredMembers[dialect].flatMap(({ members }) => Object.keys(members)))
    expect(pathsOf(plainMembers[dialect]).filter((path) => !declared.has(path))).toEqual([])
  })
})

const models = fc.constantFrom('gpt-4o', 'gpt-4o-search-preview', 'gpt-5-search-api', 'my-search-model', undefined)
const tiers = fc.constantFrom<unknown>(undefined, 'default', 'standard', 'auto', 'priority', 'flex', null, '', 7)
const noMember = fc.constant<unknown>(undefined)
const answers = fc
  .record({
    model: models,
    service_tier: tiers,
    choices: fc.constantFrom<unknown>([{ message: { content: 'a' } }], [{ usage: { prompt_tokens: 3 } }], undefined),
    usage: fc.oneof(
      { weight: 6, arbitrary: changed(chatReports) as fc.Arbitrary<unknown> },
      { weight: 1, arbitrary: odd },
    ),
    x_groq: fc.oneof(
      { weight: 6, arbitrary: noMember },
      changed(chatReports).map((usage) => ({ usage })),
    ),
  })
  .map((answer) => Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined)))

const items = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom<unknown>({ type: 'message' }, { type: 'reasoning' }, { type: 'function_call' }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(
        { type: 'web_search_call', status: 'completed', action: { type: 'search' } },
        { type: 'image_generation_call', status: 'completed', size: '1024x1024', quality: 'high' },
        { type: 'code_interpreter_call', container_id: 'a' },
        { type: 'new_tool_call' },
        { type: 'shell_call_output' },
        {},
        null,
      ),
    },
  ),
  { maxLength: 3 },
)
const toolUsage = fc.constantFrom<unknown>(
  undefined,
  null,
  {
    image_gen: { input_tokens: 0, output_tokens: 0, input_tokens_details: { text_tokens: 0 } },
    web_search: { num_requests: 0 },
  },
  { web_search: { num_requests: 2 } },
  { image_gen: { input_tokens: 5, output_tokens: 900 } },
  { image_gen: [] },
  { new_tool: { calls: 1 } },
)
const whole = fc
  .record({
    model: models,
    service_tier: tiers,
    output: fc.oneof({ weight: 9, arbitrary: items as fc.Arbitrary<unknown> }, noMember),
    tool_usage: fc.oneof({ weight: 4, arbitrary: noMember }, toolUsage),
    tools: fc.constantFrom<unknown>(undefined, [{ type: 'web_search_preview' }], [{ type: 'image_generation' }]),
    usage: fc.oneof({ weight: 9, arbitrary: changed(responseReports) as fc.Arbitrary<unknown> }, odd),
  })
  .map((answer) => Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined)))

const event = (value: unknown, name = ''): Buffer =>
  Buffer.from(`${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`)

describe('an answer', () => {
  it('of chat uses what the general way says, whole or as the event of a stream', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const sent = JSON.parse(JSON.stringify(answer)) as Json
        const expected = anyReport(sent)
        expect(reportedUsage(sent)).toEqual(expected)
        expect(chat.usage(sent)).toEqual(expected)
        const inspector = chat.createInspector({ prompt: 1e300, completion: 1e300 })
        if (!inspector.readUsage(event(sent))) return
        // A stream keeps the tier that any of its chunks states.
        const { tier: _, ...tokens } = inspector.usage() ?? {}
        const { tier: __, ...same } = expected ?? {}
        expect(tokens).toEqual(same)
      }),
      runs,
    )
  })

  it('of responses does, too', () => {
    fc.assert(
      fc.property(whole, (answer) => {
        const sent = JSON.parse(JSON.stringify(answer)) as Json
        const expected = anyResponseUsage(sent)
        expect(responseUsage(sent)).toEqual(expected)
        const inspector = responses.createInspector({ prompt: 1e300, completion: 1e300 })
        inspector.readUsage(event({ type: 'response.completed', response: sent }))
        if (expected?.models === undefined) expect(inspector.usage()).toEqual(expected)
      }),
      runs,
    )
  })

  it('of Anthropic and Gemini does, too', () => {
    const widest = { prompt: 1e300, completion: 1e300 }
    fc.assert(
      fc.property(changed(claudeReports), changed(geminiReports), (claudes, googles) => {
        const ofClaude = readClaude(JSON.parse(JSON.stringify(claudes)))
        expect(claude.usage({ usage: JSON.parse(JSON.stringify(claudes)), content: [] })).toEqual(ofClaude)
        const ofGoogle = readGoogle(JSON.parse(JSON.stringify(googles)))
        expect(gemini.usage({ usageMetadata: JSON.parse(JSON.stringify(googles)), candidates: [] })).toEqual(ofGoogle)
        const inspector = gemini.createInspector(widest)
        inspector.readUsage(event({ usageMetadata: googles }))
        expect(inspector.usage()).toEqual(ofGoogle)
      }),
      runs,
    )
  })
})
