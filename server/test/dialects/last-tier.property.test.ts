import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Recording } from '../support/recorded/recordings.ts'
import { usageReaders } from '../support/recorded/usage-readers.ts'

/** A stream may state its tier in several reports: the last one that states any holds, the standard one too. */

type Json = Readonly<Record<string, unknown>>

interface Stream {
  readonly what: string
  readonly format: string
  readonly model: string
  /** How the standard tier is called. */
  readonly standard: readonly string[]
  readonly others: readonly string[]
  payloads(tiers: readonly (string | undefined)[]): readonly Json[]
}

const known = (tier: string | undefined, name = 'service_tier'): Json => (tier === undefined ? {} : { [name]: tier })

const chunk = (more: Json): Json => ({ id: 'c', object: 'chat.completion.chunk', model: 'gpt-5.5', ...more })
const delta = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] }
const chatUsage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 }
const ofChat = {
  format: 'openai.chat',
  model: 'gpt-5.5',
  standard: ['default', 'standard'],
  others: ['priority', 'flex'],
}

const responseUsage = { input_tokens: 1000, output_tokens: 500, total_tokens: 1500 }
const response = (tier: string | undefined): Json => ({
  id: 'r',
  object: 'response',
  model: 'gpt-5.5',
  output: [],
  usage: responseUsage,
  ...known(tier),
})

const claudeUsage = { input_tokens: 1000, output_tokens: 500 }
const message: Json = { id: 'm', type: 'message', role: 'assistant', model: 'claude-opus-5', content: [] }
const ofClaude = { format: 'anthropic.messages', model: 'claude-opus-5', standard: ['standard'] }
const claudeEvents = (name: string, [first, ...later]: readonly (string | undefined)[]): readonly Json[] => [
  {
    type: 'message_start',
    message: { ...message, usage: { ...claudeUsage, output_tokens: 1, ...known(first, name) } },
  },
  ...later.map((tier) => ({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { ...claudeUsage, ...known(tier, name) },
  })),
  { type: 'message_stop' },
]

const metadata = { promptTokenCount: 1000, candidatesTokenCount: 500, totalTokenCount: 1500 }
const ofGemini = { format: 'gemini.streamGenerateContent', model: 'gemini-3-pro-preview' }
const contents = (name: string, tiers: readonly (string | undefined)[]): readonly Json[] =>
  tiers.map((tier) => ({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, index: 0 }],
    modelVersion: 'gemini-3-pro-preview',
    usageMetadata: { ...metadata, ...known(tier, name) },
  }))

const streams: readonly Stream[] = [
  {
    ...ofChat,
    what: 'chat, beside its reports',
    payloads: (tiers) => tiers.map((tier) => chunk({ ...delta, usage: chatUsage, ...known(tier) })),
  },
  {
    ...ofChat,
    what: 'chat, in its reports',
    payloads: (tiers) => tiers.map((tier) => chunk({ ...delta, usage: { ...chatUsage, ...known(tier) } })),
  },
  {
    ...ofChat,
    what: 'chat that reports at its end',
    payloads: (tiers) =>
      tiers.map((tier, at) =>
        chunk({ ...delta, ...known(tier), ...(at === tiers.length - 1 ? { usage: chatUsage } : {}) }),
      ),
  },
  {
    ...ofChat,
    what: 'responses',
    format: 'openai.responses',
    payloads: (tiers) =>
      tiers.map((tier, at) => ({
        type: at === tiers.length - 1 ? 'response.completed' : 'response.in_progress',
        response: { ...response(tier), ...(at === tiers.length - 1 ? {} : { usage: null }) },
      })),
  },
  {
    ...ofClaude,
    what: 'messages',
    others: ['priority', 'batch'],
    payloads: (tiers) => claudeEvents('service_tier', tiers),
  },
  { ...ofClaude, what: 'messages by speed', others: ['fast'], payloads: (tiers) => claudeEvents('speed', tiers) },
  {
    ...ofGemini,
    what: 'contents',
    standard: ['standard'],
    others: ['priority', 'flex'],
    payloads: (tiers) => contents('serviceTier', tiers),
  },
  {
    ...ofGemini,
    what: 'contents by traffic',
    standard: ['ON_DEMAND'],
    others: ['ON_DEMAND_PRIORITY', 'ON_DEMAND_FLEX'],
    payloads: (tiers) => contents('trafficType', tiers),
  },
]

const plain = (tier: string): string => tier.replace(/^ON_DEMAND_/, '').toLowerCase()

describe.each(streams.map((stream) => [stream.what, stream] as const))('%s', (what, stream) => {
  const { standard, others, format, model, payloads } = stream
  const tier = fc.constantFrom(undefined, ...standard, ...others)

  it('is billed in the tier that was stated last', () => {
    fc.assert(
      fc.property(fc.array(tier, { minLength: 1, maxLength: 4 }), (stated) => {
        // OpenAI reports usage once, and only what stands there is its tier.
        const heard = what === 'responses' ? stated.slice(-1) : stated
        const last = heard.findLast((name) => name !== undefined)
        const expected = last === undefined || standard.includes(last) ? undefined : plain(last)
        const recording = { format, model, stream: true } as Recording
        const read = usageReaders[format]?.(recording, payloads(stated)) ?? []
        expect(read.map((usage) => usage?.tier)).toEqual([expected, expected])
      }),
      { numRuns: 200 },
    )
  })
})
