import { defaultTierRatios, defaultToolPrices } from '@tollgate/contract/prices'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { receiptOf } from '../../src/billing/cost.ts'
import type { Price } from '../../src/billing/price.ts'
import type { PriceBook } from '../../src/billing/prices.ts'
import { reservation } from '../../src/billing/reserve.ts'
import type { Usage } from '../../src/billing/usage.ts'
import { anthropicDialect } from '../../src/dialects/anthropic/dialect.ts'
import { readConverseRequest } from '../../src/dialects/bedrock/client-request.ts'
import { bedrockConverse } from '../../src/dialects/bedrock/dialect.ts'
import type { JsonObject } from '../../src/dialects/conversation/json.ts'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { geminiDialect } from '../../src/dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'
import type { RelayCall } from '../../src/relay/call.ts'
import { expectedCall } from '../../src/relay/holds/expected-call.ts'
import { firstAnswer } from '../../src/relay/holds/usual-output.ts'
import { bookWith } from '../support/billing/price.ts'
import { testCaller, testOptions } from '../support/relay/ports.ts'

/** Unknown usage is held as it is charged: at the dearest reading, in every dialect. */

interface Counts {
  readonly prompt: number
  readonly written: number
  readonly answer: number
}

interface Case {
  readonly dialect: string
  readonly kind: string
  readonly model: string
  readonly at: Dialect
  /** Members of the request that ask for something called `name`. */
  request(name: string): JsonObject
  /** The usage of an answer that has it. */
  usage(name: string, counts: Counts): Usage | undefined
}

const said = [{ role: 'user', content: 'x'.repeat(400) }]
const marked = (ttl: string) => [
  { role: 'user', content: [{ type: 'text', text: 'x'.repeat(400), cache_control: { type: 'ephemeral', ttl } }] },
]
const asOpenai = ({ prompt, answer }: Counts) => ({
  prompt_tokens: prompt,
  completion_tokens: answer,
  total_tokens: prompt + answer,
})
const asResponse = ({ prompt, answer }: Counts) => ({
  input_tokens: prompt,
  output_tokens: answer,
  total_tokens: prompt + answer,
})
const asMessage = ({ prompt, answer }: Counts) => ({ input_tokens: prompt, output_tokens: answer })
const asContent = ({ prompt, answer }: Counts) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: answer,
  totalTokenCount: prompt + answer,
})

const chat = (answer: JsonObject) => openaiChatDialect.passthrough.usage(answer)
const responses = (answer: JsonObject) => openaiResponsesDialect.passthrough.usage(answer)
const messages = (answer: JsonObject) => anthropicDialect.passthrough.usage(answer)
const contents = (answer: JsonObject) => geminiDialect.passthrough.usage(answer)
const converse = (answer: JsonObject) => bedrockConverse.readAnswer(answer).usage

/** Of the prompt, so much was written to a cache for a lifetime of this name. */
const writtenFor = (name: string, { written }: Counts) => ({
  cache_creation_input_tokens: written,
  cache_creation: { [`ephemeral_${name}_input_tokens`]: written },
})
const lessWritten = (counts: Counts): Counts => ({ ...counts, prompt: counts.prompt - counts.written })

const ofChat = { dialect: 'chat', model: 'gpt-5.5', at: openaiChatDialect }
const ofResponses = { dialect: 'Responses', model: 'gpt-5.5', at: openaiResponsesDialect }
const ofMessages = { dialect: 'Messages', model: 'claude-opus-5', at: anthropicDialect }
const ofGemini = { dialect: 'Gemini', model: 'gemini-3-pro-preview', at: geminiDialect }
/** Clients of Converse are read into Messages. */
const ofConverse = { dialect: 'Converse', model: 'claude-opus-5', at: anthropicDialect }
const gemini = { contents: [{ role: 'user', parts: [{ text: 'x'.repeat(400) }] }] }
const input = [{ role: 'user', content: [{ type: 'input_text', text: 'x'.repeat(400) }] }]

const cases: readonly Case[] = [
  {
    ...ofChat,
    kind: 'tier',
    request: (name) => ({ messages: said, max_tokens: 500, service_tier: name }),
    usage: (name, counts) => chat({ service_tier: name, usage: asOpenai(counts) }),
  },
  {
    ...ofChat,
    kind: 'tool',
    request: (name) => ({ messages: said, max_tokens: 500, tools: [{ type: name }] }),
    usage: (name, counts) => chat({ usage: { ...asOpenai(counts), server_tool_use: { [`${name}_requests`]: 1 } } }),
  },
  {
    ...ofChat,
    kind: 'life of a cache write',
    request: (name) => ({ messages: marked(name), max_tokens: 500 }),
    usage: (name, counts) => chat({ usage: { ...asOpenai(counts), ...writtenFor(name, counts) } }),
  },
  {
    ...ofChat,
    kind: 'place',
    request: (name) => ({ messages: said, max_tokens: 500, inference_geo: name }),
    usage: (name, counts) => chat({ usage: { ...asOpenai(counts), inference_geo: name } }),
  },
  {
    ...ofResponses,
    kind: 'tier',
    request: (name) => ({ input, max_output_tokens: 500, service_tier: name }),
    usage: (name, counts) => responses({ service_tier: name, output: [], usage: asResponse(counts) }),
  },
  {
    ...ofResponses,
    kind: 'tool',
    request: (name) => ({ input, max_output_tokens: 500, tools: [{ type: name }] }),
    usage: (name, counts) =>
      responses({ output: [{ type: `${name}_call`, id: 'c', status: 'completed' }], usage: asResponse(counts) }),
  },
  {
    ...ofResponses,
    kind: 'life of a cache write',
    request: (name) => ({
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'x'.repeat(400), prompt_cache_breakpoint: { mode: 'explicit', ttl: name } },
          ],
        },
      ],
      max_output_tokens: 500,
    }),
    usage: (name, counts) =>
      responses({ output: [], usage: { ...asResponse(counts), input_tokens_details: writtenFor(name, counts) } }),
  },
  {
    ...ofMessages,
    kind: 'tier',
    request: (name) => ({ messages: said, max_tokens: 500, service_tier: name }),
    usage: (name, counts) => messages({ usage: { ...asMessage(counts), service_tier: name } }),
  },
  {
    ...ofMessages,
    kind: 'speed',
    request: (name) => ({ messages: said, max_tokens: 500, speed: name }),
    usage: (name, counts) => messages({ usage: { ...asMessage(counts), speed: name } }),
  },
  {
    ...ofMessages,
    kind: 'tool',
    request: (name) => ({ messages: said, max_tokens: 500, tools: [{ type: `${name}_20270101`, name }] }),
    usage: (name, counts) =>
      messages({ content: [{ type: 'server_tool_use', id: 's', name, input: {} }], usage: asMessage(counts) }),
  },
  {
    ...ofMessages,
    kind: 'life of a cache write',
    request: (name) => ({ messages: marked(name), max_tokens: 500 }),
    usage: (name, counts) => messages({ usage: { ...asMessage(lessWritten(counts)), ...writtenFor(name, counts) } }),
  },
  {
    ...ofMessages,
    kind: 'place',
    request: (name) => ({ messages: said, max_tokens: 500, inference_geo: name }),
    usage: (name, counts) => messages({ usage: { ...asMessage(counts), inference_geo: name } }),
  },
  {
    ...ofGemini,
    kind: 'tier',
    request: (name) => ({ ...gemini, generationConfig: { maxOutputTokens: 500 }, serviceTier: name }),
    usage: (name, counts) => contents({ candidates: [], usageMetadata: { ...asContent(counts), serviceTier: name } }),
  },
  {
    ...ofGemini,
    kind: 'tool',
    request: (name) => ({ ...gemini, generationConfig: { maxOutputTokens: 500 }, tools: [{ [name]: {} }] }),
    usage: (name, counts) =>
      contents({
        candidates: [{ content: { parts: [{ text: 'x' }] }, groundingMetadata: { [name]: { used: true } } }],
        usageMetadata: asContent(counts),
      }),
  },
  {
    ...ofChat,
    kind: 'latency at Bedrock',
    model: 'anthropic.claude-3-5-haiku-20241022-v1:0',
    request: (name) => ({ messages: said, max_tokens: 500, performanceConfig: { latency: name } }),
    usage: (name, counts) =>
      converse({
        output: { message: { content: [{ text: 'x' }] } },
        performanceConfig: { latency: name },
        usage: { inputTokens: counts.prompt, outputTokens: counts.answer },
      }),
  },
  {
    ...ofConverse,
    kind: 'place',
    request: (name) =>
      readConverseRequest(
        {
          messages: [{ role: 'user', content: [{ text: 'x'.repeat(400) }] }],
          inferenceConfig: { maxTokens: 500 },
          additionalModelRequestFields: { inference_geo: name },
        },
        { model: 'claude-opus-5', stream: false },
      ),
    usage: (name, counts) => messages({ usage: { ...asMessage(counts), inference_geo: name } }),
  },
  {
    ...ofConverse,
    kind: 'speed',
    request: (name) =>
      readConverseRequest(
        {
          messages: [{ role: 'user', content: [{ text: 'x'.repeat(400) }] }],
          inferenceConfig: { maxTokens: 500 },
          additionalModelRequestFields: { speed: name },
        },
        { model: 'claude-opus-5', stream: false },
      ),
    usage: (name, counts) =>
      converse({
        output: { message: { content: [{ text: 'x' }] } },
        serviceTier: { type: name },
        usage: { inputTokens: counts.prompt, outputTokens: counts.answer },
      }),
  },
]

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

const priceOf = (model: string): Price => {
  const price = book.of(model, 'default', { acceptsUnpriced: false })
  if (price === undefined) throw new Error(`${model} has no price`)
  return price
}

const callOf = ({ at, model }: Case, body: JsonObject, stream: boolean): RelayCall => ({
  id: 'id',
  startedAt: 0,
  caller: testCaller,
  ip: '',
  path: '/',
  model,
  stream,
  endpoint: 'conversation',
  dialect: at,
  query: '',
  raw: Buffer.from(JSON.stringify(body)),
  body,
  accept: undefined,
  passed: {},
})

const heldFor = (one: Case, body: JsonObject, { prompt, stream }: { prompt: number; stream: boolean }): number =>
  reservation(
    expectedCall(callOf(one, body, stream), prompt, { options: testOptions, usual: firstAnswer, marks: undefined }),
    priceOf(one.model),
  )

const names = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}x$/)
const counts = fc
  .record({
    prompt: fc.integer({ min: 1, max: 150_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    answer: fc.integer({ min: 1, max: 500 }),
  })
  .map(({ prompt, share, answer }) => ({ prompt, answer, written: Math.max(1, Math.floor(prompt * share)) }))

describe.each(cases)('an unknown $kind in $dialect', (one) => {
  it('is held for as it is charged, streamed or not', () => {
    fc.assert(
      fc.property(names, counts, fc.boolean(), (name, used, stream) => {
        const usage = one.usage(name, used)
        if (usage === undefined) throw new Error('no usage')
        const receipt = receiptOf(usage, priceOf(one.model), { estimated: false })
        expect(receipt.provisional).toHaveLength(1)
        expect(heldFor(one, one.request(name), { prompt: used.prompt, stream })).toBeGreaterThanOrEqual(receipt.quota)
      }),
      { numRuns: 100 },
    )
  })

  it('is dearer than the same call without it', () => {
    const plain = {
      ...one.request('x'),
      ...({
        tools: undefined,
        service_tier: undefined,
        serviceTier: undefined,
        speed: undefined,
        inference_geo: undefined,
        performanceConfig: undefined,
      } as JsonObject),
    }
    const withIt = heldFor(one, one.request('unheard_of'), { prompt: 1000, stream: false })
    const without = JSON.parse(
      JSON.stringify(plain).replace(/,"(?:cache_control|prompt_cache_breakpoint)":\{[^}]*\}/g, ''),
    )
    const usual = heldFor(one, without, { prompt: 1000, stream: false })
    // OpenAI's writes cost what its input does, whatever their lifetime.
    if (one.kind === 'life of a cache write' && one.model.startsWith('gpt'))
      expect(withIt).toBeGreaterThanOrEqual(usual)
    else expect(withIt).toBeGreaterThan(usual)
  })
})

describe('known names', () => {
  const [, tool] = cases
  if (tool === undefined) throw new Error('no case')
  const held = (tools: readonly JsonObject[]): number =>
    heldFor(tool, { messages: said, max_tokens: 500, tools }, { prompt: 1000, stream: false })

  it.each([
    ['functions', [{ type: 'function', function: { name: 'f' } }], 0],
    ['tools of the client', [{ type: 'bash_20250124', name: 'bash' }, { type: 'computer_use_preview' }], 0],
    ['a search', [{ type: 'web_search' }], 5000],
    ['a search by a dated name', [{ type: 'web_search_20250305', name: 'web_search' }], 5000],
    ['a container', [{ type: 'code_interpreter', container: { type: 'auto' } }], 15_000],
    ['the same tool twice', [{ type: 'web_search' }, { type: 'web_search' }], 5000],
  ])('%s hold one call', (_, tools, more) => {
    expect(held(tools) - held([])).toBe(more)
  })
})
