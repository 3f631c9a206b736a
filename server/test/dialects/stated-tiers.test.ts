import { defaultTierRatios } from '@tollgate/contract/prices'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { cost, receiptOf } from '../../src/billing/cost.ts'
import { declaredKey } from '../../src/billing/declared/declarations.ts'
import { familyOf } from '../../src/billing/declared/families.ts'
import type { PriceBook } from '../../src/billing/prices.ts'
import type { Usage } from '../../src/billing/usage.ts'
import { usageInBatch } from '../../src/relay/batches/billing/answer-usage.ts'
import { bookWith } from '../support/billing/price.ts'
import type { Recording } from '../support/recorded/recordings.ts'
import { usageReaders } from '../support/recorded/usage-readers.ts'

/** A tier that an answer states although nobody asked for it: wherever it stands, one that no table knows marks the charge, which is the dearest. */

type Json = Readonly<Record<string, unknown>>

interface Place {
  readonly what: string
  readonly model: string
  readonly format: string
  /** The events of a stream, or the one answer, in which a tier stands at this place. */
  payloads(tier: string | undefined): readonly Json[]
  readonly stream: boolean
}

const chatUsage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 }
const chunk = (more: Json): Json => ({
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'gpt-5.5',
  choices: [],
  ...more,
})
const text = { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] }
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const known = (tier: string | undefined, name = 'service_tier'): Json => (tier === undefined ? {} : { [name]: tier })

const ofChat = { model: 'gpt-5.5', format: 'openai.chat' }
const chats: readonly Place[] = [
  ...(['top', 'usage'] as const).map((at) => ({
    ...ofChat,
    what: `chat, ${at}`,
    stream: false,
    payloads: (tier: string | undefined) => [
      {
        model: 'gpt-5.5',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        ...(at === 'top' ? known(tier) : {}),
        usage: { ...chatUsage, ...(at === 'usage' ? known(tier) : {}) },
      },
    ],
  })),
  ...([0, 1, 2, 'usage', 'speed', 'all'] as const).map((at) => ({
    ...ofChat,
    what: `chat streamed, ${at}`,
    stream: true,
    payloads: (tier: string | undefined) => [
      chunk({ ...text, ...(at === 0 || at === 'all' ? known(tier) : {}) }),
      chunk({ ...stop, ...(at === 1 || at === 'all' ? known(tier) : {}) }),
      chunk({
        ...(at === 2 || at === 'all' ? known(tier) : {}),
        usage: {
          ...chatUsage,
          ...(at === 'usage' ? known(tier) : {}),
          ...(at === 'speed' ? known(tier, 'speed') : {}),
        },
      }),
    ],
  })),
]

const responseUsage = { input_tokens: 1000, output_tokens: 500, total_tokens: 1500 }
const response = (tier: string | undefined, at: string): Json => ({
  id: 'r',
  object: 'response',
  model: 'gpt-5.5',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }],
  ...(at === 'top' ? known(tier) : {}),
  usage: { ...responseUsage, ...(at === 'usage' ? known(tier) : {}), ...(at === 'speed' ? known(tier, 'speed') : {}) },
})
const responses: readonly Place[] = ['top', 'usage', 'speed'].flatMap((at) => [
  {
    what: `response, ${at}`,
    model: 'gpt-5.5',
    format: 'openai.responses',
    stream: false,
    payloads: (tier: string | undefined) => [response(tier, at)],
  },
  {
    what: `response streamed, ${at}`,
    model: 'gpt-5.5',
    format: 'openai.responses',
    stream: true,
    payloads: (tier: string | undefined) => [
      {
        type: 'response.created',
        response: { ...response('auto', 'top'), status: 'in_progress', output: [], usage: null },
      },
      { type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta: 'Hi' },
      { type: 'response.completed', response: response(tier, at) },
    ],
  },
  {
    what: `session, ${at}`,
    model: 'gpt-realtime',
    format: 'openai.realtime',
    stream: true,
    payloads: (tier: string | undefined) => [{ type: 'response.done', response: response(tier, at) }],
  },
])

const claude = 'claude-opus-5'
const messageUsage = { input_tokens: 1000, output_tokens: 500 }
const message = (usage: Json): Json => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: claude,
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage,
})
const messages: readonly Place[] = ['service_tier', 'speed', 'inference_geo'].flatMap((name) => [
  {
    what: `message, ${name}`,
    model: claude,
    format: 'anthropic.messages',
    stream: false,
    payloads: (tier: string | undefined) => [message({ ...messageUsage, ...known(tier, name) })],
  },
  ...(['start', 'end', 'both'] as const).map((at) => ({
    what: `message streamed, ${name} at its ${at}`,
    model: claude,
    format: 'anthropic.messages',
    stream: true,
    payloads: (tier: string | undefined) => [
      {
        type: 'message_start',
        message: {
          ...message({ ...messageUsage, output_tokens: 1, ...(at === 'end' ? {} : known(tier, name)) }),
          content: [],
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { ...messageUsage, ...(at === 'start' ? {} : known(tier, name)) },
      },
      { type: 'message_stop' },
    ],
  })),
  {
    what: `iterations, ${name}`,
    model: claude,
    format: 'anthropic.messages',
    stream: false,
    payloads: (tier: string | undefined) => [
      message({ ...messageUsage, iterations: [{ type: 'message', ...messageUsage, ...known(tier, name) }] }),
    ],
  },
])

const metadata = { promptTokenCount: 1000, candidatesTokenCount: 500, totalTokenCount: 1500 }
const content = (usageMetadata: Json | undefined): Json => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }],
  modelVersion: 'gemini-3-pro-preview',
  ...(usageMetadata === undefined ? {} : { usageMetadata }),
})
const contents: readonly Place[] = ['serviceTier', 'trafficType'].flatMap((name) => [
  {
    what: `content, ${name}`,
    model: 'gemini-3-pro-preview',
    format: 'gemini.generateContent',
    stream: false,
    payloads: (tier: string | undefined) => [content({ ...metadata, ...known(tier, name) })],
  },
  ...([0, 1] as const).map((at) => ({
    what: `content streamed, ${name} in chunk ${at}`,
    model: 'gemini-3-pro-preview',
    format: 'gemini.streamGenerateContent',
    stream: true,
    payloads: (tier: string | undefined) => [
      content({ ...metadata, candidatesTokenCount: 1, ...(at === 0 ? known(tier, name) : {}) }),
      content({ ...metadata, ...(at === 1 ? known(tier, name) : {}) }),
    ],
  })),
  {
    what: `Live, ${name}`,
    model: 'gemini-live-2.5-flash',
    format: 'gemini.live',
    stream: true,
    payloads: (tier: string | undefined) => [
      { serverContent: { modelTurn: { parts: [{ text: 'Hi' }] } } },
      {
        serverContent: { turnComplete: true },
        usageMetadata: { promptTokenCount: 1000, responseTokenCount: 500, totalTokenCount: 1500, ...known(tier, name) },
      },
    ],
  },
])

const bedrockUsage = { inputTokens: 1000, outputTokens: 500, totalTokens: 1500 }
const converses: readonly Place[] = [
  {
    what: 'Converse',
    model: 'amazon.nova-pro-v1:0',
    format: 'bedrock.converse',
    stream: false,
    payloads: (tier) => [
      {
        output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
        stopReason: 'end_turn',
        usage: bedrockUsage,
        ...(tier === undefined ? {} : { serviceTier: { type: tier } }),
      },
    ],
  },
  {
    what: 'Converse, latency',
    model: 'amazon.nova-pro-v1:0',
    format: 'bedrock.converse',
    stream: false,
    payloads: (tier) => [
      {
        output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
        stopReason: 'end_turn',
        usage: bedrockUsage,
        ...(tier === undefined ? {} : { performanceConfig: { latency: tier } }),
      },
    ],
  },
]

const media: readonly Place[] = [
  {
    what: 'vectors',
    model: 'text-embedding-3-small',
    format: 'openai.embeddings',
    stream: false,
    payloads: (tier) => [
      {
        object: 'list',
        data: [],
        model: 'text-embedding-3-small',
        ...known(tier),
        usage: { prompt_tokens: 1000, total_tokens: 1000 },
      },
    ],
  },
  {
    what: 'pictures',
    model: 'gpt-image-1',
    format: 'openai.images.generations',
    stream: false,
    payloads: (tier) => [{ data: [{ b64_json: '' }], ...known(tier), usage: responseUsage }],
  },
  {
    what: 'pictures, usage',
    model: 'gpt-image-1',
    format: 'openai.images.generations',
    stream: false,
    payloads: (tier) => [{ data: [{ b64_json: '' }], usage: { ...responseUsage, ...known(tier) } }],
  },
  {
    what: 'transcripts',
    model: 'gpt-4o-transcribe',
    format: 'openai.audio.transcriptions',
    stream: false,
    payloads: (tier) => [{ text: 'Hi', usage: { type: 'tokens', ...responseUsage, ...known(tier) } }],
  },
]

const places = [...chats, ...responses, ...messages, ...contents, ...converses, ...media]

let book: PriceBook
beforeAll(async () => {
  book = bookWith({ modelRatio: {}, modelPrice: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
})

const priceFor = (model: string) => {
  const price = book.of(model, 'default', { acceptsUnpriced: true })
  if (price === undefined) throw new Error(`no price of ${model}`)
  return price
}

const usagesOf = ({ format, model, stream, payloads }: Place, tier: string | undefined): readonly Usage[] => {
  const recording = { id: '', provider: '', format, stream, model, response: { status: 200 } } as Recording
  const read = usageReaders[format]?.(recording, payloads(tier)) ?? []
  return read.filter((usage) => usage !== undefined)
}

const declaredFactor = { as: 'factor', factor: 1.25 } as const

const names = fc.stringMatching(/^[a-z][a-z_-]{2,12}[0-9]$/)

describe('a tier that nobody asked for', () => {
  it.each(places.map((place) => [place.what, place] as const))('is marked where no table knows it: %s', (_, place) => {
    const price = priceFor(place.model)
    const plain = usagesOf(place, undefined)
    expect(plain.length).toBeGreaterThan(0)
    fc.assert(
      fc.property(names, (tier) => {
        const usages = usagesOf(place, tier)
        expect(usages).toHaveLength(plain.length)
        for (const [index, usage] of usages.entries()) {
          const receipt = receiptOf(usage, price, { estimated: false })
          expect([place.what, index, receipt.provisional?.length ?? 0]).not.toEqual([place.what, index, 0])
          expect(receipt.quota).toBeGreaterThanOrEqual(cost(plain[index] ?? usage, price))
        }
      }),
      { numRuns: 20 },
    )
  })

  it('is marked for the latency of Bedrock, whose price no source states, until the operator declares it', () => {
    const latency = places.find(({ what }) => what === 'Converse, latency')
    if (latency === undefined) throw new Error('no such place')
    const price = priceFor(latency.model)
    const [usage] = usagesOf(latency, 'optimized')
    if (usage === undefined) throw new Error('no usage')
    const receipt = receiptOf(usage, price, { estimated: false })
    expect(receipt.provisional).toMatchObject([{ kind: 'tier', name: 'optimized' }])
    const declared = {
      [declaredKey({ kind: 'tier', place: familyOf(latency.model), name: 'optimized' })]: declaredFactor,
    }
    const after = receiptOf(usage, { ...price, declared }, { estimated: false })
    expect(after.provisional).toBeUndefined()
    expect(after.quota).toBeLessThan(receipt.quota)
  })

  it.each(places.filter(({ stream }) => !stream).map((place) => [place.what, place] as const))(
    'is marked in a batch: %s',
    (_, place) => {
      if (place.format.startsWith('bedrock')) return
      const price = priceFor(place.model)
      const [answer] = place.payloads('warp9')
      if (answer === undefined) throw new Error('no answer')
      const { usage } = usageInBatch(answer, place.model, 10_000)
      if (usage === undefined) throw new Error('no usage')
      expect(receiptOf(usage, price, { estimated: false }).provisional).toBeDefined()
    },
  )
})
