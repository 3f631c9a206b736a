import type { Receipt } from '@tollgate/contract'
import { defaultTierRatios, defaultToolPrices } from '@tollgate/contract/prices'
import { beforeAll, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { receiptOf, recompute } from '../../src/billing/cost.ts'
import type { Price } from '../../src/billing/price.ts'
import type { PriceBook } from '../../src/billing/prices.ts'
import type { Usage } from '../../src/billing/usage.ts'
import { anthropicDialect, anthropicMessages } from '../../src/dialects/anthropic/dialect.ts'
import { bedrockConverse } from '../../src/dialects/bedrock/dialect.ts'
import { cohereChat } from '../../src/dialects/cohere/dialect.ts'
import { collect } from '../../src/dialects/conversation/collect.ts'
import type { Dialect, UpstreamDialect } from '../../src/dialects/dialect.ts'
import { geminiContent, geminiDialect } from '../../src/dialects/gemini/dialect.ts'
import { ollamaChat } from '../../src/dialects/ollama/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'
import type { PassthroughDialect } from '../../src/dialects/passthrough.ts'
import { bookWith, listPrice } from '../support/billing/price.ts'
import { payloadsOf, type Recording, recordingsOf } from '../support/recorded/recordings.ts'

/** Charges recorded answers, then the same answers with one name replaced by an undeclared one. */

interface Reader {
  readonly passthrough?: Dialect['passthrough']
  readonly upstream: UpstreamDialect
}

const chat: Reader = { passthrough: openaiChatDialect.passthrough, upstream: openaiChat() }
const gemini: Reader = { passthrough: geminiDialect.passthrough, upstream: geminiContent() }

const readers: Readonly<Record<string, Reader>> = {
  'openai.chat': chat,
  'openai.completions': chat,
  'openai.responses': { passthrough: openaiResponsesDialect.passthrough, upstream: openaiResponses },
  'anthropic.messages': { passthrough: anthropicDialect.passthrough, upstream: anthropicMessages() },
  'gemini.generateContent': gemini,
  'gemini.streamGenerateContent': gemini,
  'bedrock.converse': { upstream: bedrockConverse },
  'cohere.chat.v2': { upstream: cohereChat },
  'ollama.chat': { upstream: ollamaChat },
}

/** Answers of one's own, for machines without the corpus, and for what it does not hold. */
const own: readonly Recording[] = [
  {
    id: 'own chat',
    provider: 'openai',
    format: 'openai.chat',
    stream: false,
    model: 'gpt-5.5',
    response: {
      status: 200,
      body: {
        model: 'gpt-5.5',
        service_tier: 'priority',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 1000,
          completion_tokens: 100,
          total_tokens: 1100,
          prompt_tokens_details: { cached_tokens: 400, audio_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 20 },
        },
      },
    },
  },
  {
    id: 'own response',
    provider: 'openai',
    format: 'openai.responses',
    stream: false,
    model: 'gpt-5.5',
    response: {
      status: 200,
      body: {
        id: 'resp_1',
        model: 'gpt-5.5',
        service_tier: 'flex',
        status: 'completed',
        output: [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } }],
        usage: {
          input_tokens: 1000,
          output_tokens: 100,
          total_tokens: 1100,
          input_tokens_details: { cached_tokens: 10 },
        },
        tool_usage: { web_search: { num_requests: 1 } },
      },
    },
  },
  {
    id: 'own message',
    provider: 'anthropic',
    format: 'anthropic.messages',
    stream: false,
    model: 'claude-opus-5',
    response: {
      status: 200,
      body: {
        model: 'claude-opus-5',
        content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }],
        stop_reason: 'end_turn',
        usage: {
          input_tokens: 1000,
          output_tokens: 100,
          cache_creation_input_tokens: 300,
          cache_read_input_tokens: 50,
          cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
          server_tool_use: { web_search_requests: 2 },
          service_tier: 'priority',
          inference_geo: 'us',
        },
      },
    },
  },
  {
    id: 'own content',
    provider: 'gemini',
    format: 'gemini.generateContent',
    stream: false,
    model: 'gemini-3-pro-preview',
    response: {
      status: 200,
      body: {
        candidates: [
          { content: { parts: [{ text: 'x' }] }, finishReason: 'STOP', groundingMetadata: { webSearchQueries: ['a'] } },
        ],
        usageMetadata: {
          promptTokenCount: 1000,
          candidatesTokenCount: 100,
          totalTokenCount: 1100,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: 900 },
            { modality: 'AUDIO', tokenCount: 100 },
          ],
          serviceTier: 'flex',
        },
      },
    },
  },
]

type Json = Record<string, unknown>
type Path = readonly (string | number)[]

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Where an answer or an event has its usage, tier and tools. */
const containers: ReadonlySet<string> = new Set(['usage', 'usageMetadata', 'tool_usage'])
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === 0 ||
  value === '' ||
  value === false ||
  (isObject(value) && Object.values(value).every(isNothing))

interface Change {
  readonly what: 'member' | 'tier' | 'tool'
  /** Names from the outermost to the one that changes. */
  readonly path: Path
}

const membersIn = (value: unknown, path: Path): Change[] => {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]): Change[] => {
    if (isNothing(inner)) return []
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    const changes = membersIn(inner, here)
    return Array.isArray(value) ? changes : [{ what: 'member', path: here }, ...changes]
  })
}

/** Members that repeat what the usage says, or parts of it. */
const copies: ReadonlySet<string> = new Set(['provider_metadata', 'trace', 'usage_breakdown', 'x_groq'])

const tierNames: ReadonlySet<string> = new Set(['service_tier', 'serviceTier', 'trafficType'])

const changesIn = (value: unknown, path: Path = []): Change[] => {
  if (!isObject(value) || path.length > 8) return []
  return Object.entries(value).flatMap(([name, inner]): Change[] => {
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    if (tierNames.has(name) && typeof inner === 'string' && inner !== '') return [{ what: 'tier', path: here }]
    const isTool =
      (name === 'type' &&
        typeof inner === 'string' &&
        /_(?:search|interpreter|generation)_call$/.test(inner) &&
        value.id !== undefined) ||
      (name === 'name' && value.type === 'server_tool_use')
    if (isTool) return [{ what: 'tool', path: here }]
    const tiers = isObject(inner) && !copies.has(name) ? changesIn(inner, here) : []
    return containers.has(name) && isObject(inner) ? [...membersIn(inner, here), ...tiers] : tiers
  })
}

/** A copy in which the name or the text at a path is another one. */
const changedAt = (value: unknown, path: Path, { what, to }: { what: Change['what']; to: string }): unknown => {
  const [first, ...rest] = path
  if (first === undefined || !isObject(value)) return value
  if (Array.isArray(value))
    return (value as unknown[]).map((each, at) => (at === first ? changedAt(each, rest, { what, to }) : each))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== first) return [name, inner]
      if (rest.length > 0) return [name, changedAt(inner, rest, { what, to })]
      return what === 'member' ? [to, inner] : [name, to]
    }),
  )
}

/** A tool is named again in other events. */
const renamed = (value: unknown, from: unknown, to: string): unknown => {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return (value as unknown[]).map((each) => renamed(each, from, to))
  const tells = value.type === 'server_tool_use' ? 'name' : 'type'
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === tells && inner === from ? to : renamed(inner, from, to),
    ]),
  )
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

const mutated = (payloads: readonly unknown[], { what, path }: Change, to: string): readonly unknown[] => {
  if (what !== 'tool') return payloads.map((payload) => changedAt(payload, path, { what, to }))
  const from = payloads.map((payload) => valueAt(payload, path)).find((name) => typeof name === 'string')
  return payloads.map((payload) => renamed(payload, from, to))
}

const asEvents = (payloads: readonly unknown[]): Buffer[] =>
  payloads.map((payload) => {
    const type = isObject(payload) && typeof payload.type === 'string' ? `event: ${payload.type}\n` : ''
    return Buffer.from(`${type}data: ${JSON.stringify(payload)}\n\n`)
  })

const forwarded = (
  dialect: PassthroughDialect,
  recording: Recording,
  payloads: readonly unknown[],
): Usage | undefined => {
  if (!recording.stream) return dialect.usage(payloads[0] as Json)
  const inspector = dialect.createInspector()
  for (const event of asEvents(payloads)) inspector.readUsage(event)
  return inspector.usage()
}

const translated = ({ upstream }: Reader, recording: Recording, payloads: readonly unknown[]): Usage | undefined => {
  if (!recording.stream) return upstream.readAnswer(payloads[0] as Json).usage
  const stream = upstream.openStream()
  const events = payloads.flatMap((payload) =>
    stream.read(JSON.stringify(payload), isObject(payload) && typeof payload.type === 'string' ? payload.type : ''),
  )
  return collect([...events, ...stream.end()]).usage
}

let book: PriceBook
beforeAll(async () => {
  book = bookWith({
    modelRatio: {},
    modelPrice: {},
    tierRatios: defaultTierRatios,
    toolPrices: defaultToolPrices,
    list: await openShippedBook(),
  })
})

const plain = listPrice({ input: 1, output: 4, cache_read: 0.1 })
const priceOf = (model: string | null): Price =>
  book.of(model ?? 'unnamed', 'default', { acceptsUnpriced: false }) ?? { ...plain, model: model ?? 'unnamed' }

const receiptsOf = (recording: Recording, payloads: readonly unknown[]): Receipt[] => {
  const reader = readers[recording.format]
  if (reader === undefined) return []
  const usages = [
    ...(reader.passthrough === undefined ? [] : [forwarded(reader.passthrough, recording, payloads)]),
    translated(reader, recording, payloads),
  ]
  return usages
    .filter((usage) => usage !== undefined)
    .map((usage) => receiptOf(usage, priceOf(recording.model), { estimated: false }))
}

/** A sequence of numbers from 0 to 1 that is the same in every run. */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const recordings = [...own, ...recordingsOf(Object.keys(readers))]

describe('the bill of a recorded answer', () => {
  it.each(recordings.map((recording) => [recording.id, recording] as const))('is certain: %s', (_, recording) => {
    for (const receipt of receiptsOf(recording, payloadsOf(recording))) expect(receipt.provisional).toBeUndefined()
  })

  it('is marked where one name in it is unknown', () => {
    const random = numbersFrom(20_261_129)
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
    const usable = recordings
      .map((recording) => ({ recording, payloads: payloadsOf(recording) }))
      .map((each) => ({ ...each, changes: each.payloads.flatMap((payload) => changesIn(payload)) }))
      .filter(({ recording, payloads, changes }) => changes.length > 0 && receiptsOf(recording, payloads).length > 0)
    const unmarked: string[] = []
    let tried = 0
    while (tried < 2500) {
      const one = pick(usable)
      const change = pick(one?.changes ?? [])
      if (one === undefined || change === undefined) throw new Error('no recordings')
      const to = `${pick(['', 'x_', 'ultra_', '新'])}${String(change.path.at(-1))}${Math.floor(random() * 1000)}`
      const payloads = mutated(one.payloads, change, to)
      tried += 1
      const receipts = receiptsOf(one.recording, payloads)
      for (const receipt of receipts) {
        expect(recompute(receipt)).toBe(receipt.quota)
        if (receipt.provisional === undefined)
          unmarked.push(`${one.recording.id} ${change.what} ${change.path.join('.')} → ${to}`)
      }
      if (receipts.length === 0) unmarked.push(`${one.recording.id} without usage: ${change.path.join('.')}`)
    }
    expect(unmarked).toEqual([])
  })
})
