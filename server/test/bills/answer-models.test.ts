import type { Receipt } from '@tollgate/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { openShippedBook } from '../../src/billing/book/shipped-book.ts'
import { recompute } from '../../src/billing/cost.ts'
import type { PriceSettings } from '../../src/billing/price-settings.ts'
import { createChannelPrices } from '../../src/billing/upstream/channel-prices.ts'
import { bookWith } from '../support/billing/price.ts'
import { askIn, everyWay } from '../support/gateway/dialect-calls.ts'
import { message, named, response } from '../support/gateway/dialects.ts'
import { ask, channel, lastRecord, reopenGateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json, stream } from '../support/gateway/upstream.ts'

useScene()

const withPrices = async (changes: Partial<PriceSettings> = {}): Promise<void> => {
  const list = await openShippedBook()
  const costs = createChannelPrices({ list, quotaPerUnit: 500_000 })
  await reopenGateway({ prices: bookWith({ modelRatio: {}, list, ...changes }), costs })
  useChannels(channel({ type: 14 }))
}

beforeEach(() => withPrices())

/** The charge of the last call, whose receipt must compute it. */
const charged = (): Receipt => {
  const record = lastRecord()
  const receipt = record?.receipt
  if (record?.kind !== 'charge' || receipt === undefined) throw new Error('nothing was charged')
  expect(receipt.quota).toBe(record.quota)
  expect(recompute(JSON.parse(JSON.stringify(receipt)))).toBe(record.quota)
  return receipt
}

const claudeAnswer = (model: string, usage: object, content: readonly object[] = [{ type: 'text', text: 'Hello' }]) =>
  json({ ...message, model, content, usage })

const claudeStream = (model: string, started: object, usage: object, before: readonly string[] = []) =>
  stream(
    named('message_start', {
      message: { ...message, model, content: [], stop_reason: null, usage: { ...started, output_tokens: 1 } },
    }),
    ...before,
    named('content_block_start', { index: 9, content_block: { type: 'text', text: '' } }),
    named('content_block_delta', { index: 9, delta: { type: 'text_delta', text: 'Hello' } }),
    named('content_block_stop', { index: 9 }),
    named('message_delta', { delta: { stop_reason: 'end_turn' }, usage }),
    named('message_stop', {}),
  )

const compaction = { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 }
const compacted = {
  input_tokens: 23_000,
  output_tokens: 1000,
  iterations: [compaction, { type: 'message', input_tokens: 23_000, output_tokens: 1000 }],
}
const advised = {
  input_tokens: 412,
  output_tokens: 531,
  iterations: [
    { type: 'message', input_tokens: 412, output_tokens: 89 },
    { type: 'advisor_message', model: 'claude-opus-5', input_tokens: 823, output_tokens: 1612 },
    { type: 'message', input_tokens: 1348, cache_read_input_tokens: 412, output_tokens: 442 },
  ],
}
const [asked, fallback] = ['claude-fable-5-1', 'claude-opus-5']
/** As Anthropic's cookbook shows it: what was refused before any output is not billed. */
const fellBack = {
  input_tokens: 10_000,
  output_tokens: 1000,
  iterations: [
    { type: 'message', model: asked, input_tokens: 9900, output_tokens: 0 },
    { type: 'fallback_message', model: fallback, input_tokens: 10_000, output_tokens: 1000 },
  ],
}
const fellBackLate = {
  ...fellBack,
  iterations: [
    { type: 'message', model: asked, input_tokens: 12_000, cache_read_input_tokens: 4000, output_tokens: 300 },
    fellBack.iterations[1],
  ],
}

describe.each(everyWay)('an answer of several iterations, asked for by %s, streamed: %s,', (dialect, asStream) => {
  const answer = async (model: string, usage: object, content?: readonly object[]): Promise<Receipt> => {
    upstream.answer = asStream
      ? claudeStream(model, { input_tokens: 180_000 }, usage)
      : claudeAnswer(model, usage, content)
    // As long as the prompt that is compacted: what cannot have been sent is not believed.
    const response = await askIn(dialect, model, { stream: asStream, text: 'word '.repeat(50_000) })
    expect(response.status).toBe(200)
    await response.text()
    return charged()
  }

  it('costs what compaction used as well', async () => {
    expect(await answer('claude-opus-4-6', compacted)).toMatchObject({ quota: 563_750 })
  })

  it('costs an advisor at its own price', async () => {
    upstream.answer = asStream
      ? claudeStream('claude-sonnet-5-5', { input_tokens: 412 }, advised)
      : claudeAnswer('claude-sonnet-5-5', advised)
    await (await askIn(dialect, 'claude-sonnet-5-5', { stream: asStream })).text()
    const receipt = charged()
    expect(receipt).toMatchObject({ quota: 26_643, models: [{ source: 'iterations', model: 'claude-opus-5' }] })
    expect(lastRecord()?.cost).toBe(26_643)
    expect(receipt.models?.[0]?.lines).toEqual([
      { item: 'input', quantity: 823, price: '5' },
      { item: 'output', quantity: 1612, price: '25' },
    ])
    expect(receipt.provisional).toBeUndefined()
  })

  it('costs a fallback at its own price, and nothing for the model that refused at once', async () => {
    upstream.answer = asStream
      ? claudeStream(fallback, { input_tokens: 10_000 }, fellBack)
      : claudeAnswer(fallback, fellBack)
    await (await askIn(dialect, asked, { stream: asStream })).text()
    const receipt = charged()
    expect(receipt).toMatchObject({ quota: 37_500, model: fallback })
    expect(receipt.models).toBeUndefined()
    expect(lastRecord()?.cost).toBe(37_500)
  })

  it('costs each model of a fallback that came in the middle', async () => {
    const mark = { type: 'fallback', from: { model: asked }, to: { model: fallback } }
    const begin = [
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hel' } }),
      named('content_block_stop', { index: 0 }),
      named('content_block_start', { index: 1, content_block: mark }),
      named('content_block_stop', { index: 1 }),
    ]
    upstream.answer = asStream
      ? claudeStream(asked, { input_tokens: 12_000, cache_read_input_tokens: 4000 }, fellBackLate, begin)
      : claudeAnswer(fallback, fellBackLate, [{ type: 'text', text: 'Hel' }, mark, { type: 'text', text: 'lo' }])
    await (await askIn(dialect, asked, { stream: asStream })).text()
    // 12,000 at 10 $, 4000 from the cache at 0.25 $, 300 at 50 $ a million.
    expect(charged()).toMatchObject({
      quota: 37_500 + 60_000 + 500 + 7500,
      model: fallback,
      models: [{ model: asked, asked: true }],
    })
  })
})

it('an advisor that no list knows costs its maker’s dearest price, and is marked', async () => {
  const unknown = 'claude-oracle-9'
  const usage = {
    input_tokens: 20,
    output_tokens: 100,
    iterations: [
      { type: 'message', input_tokens: 20, output_tokens: 100 },
      { type: 'advisor_message', model: unknown, input_tokens: 50_000, output_tokens: 1800 },
    ],
  }
  upstream.answer = claudeAnswer('claude-haiku-5-5', usage)
  await (await askIn('messages', 'claude-haiku-5-5')).text()
  const receipt = charged()
  expect(receipt.provisional).toEqual([
    { kind: 'model', place: 'iterations', name: unknown, value: unknown, quantity: 51_800 },
  ])
  // The provider's price of it is unknown, too.
  expect(lastRecord()?.cost).toBeUndefined()
  // Of Anthropic's models that the lists know, Mythos at a region of Bedrock is the dearest.
  expect(receipt.models?.[0]?.lines.map(({ price }) => price)).toEqual(['27.5', '137.5'])
  expect(receipt.quota).toBe(26 + 811_250)
})

it('an advisor of a fixed price is billed beside a call of a fixed price', async () => {
  await withPrices({ modelPrice: { 'claude-sonnet-5-5': 0.01, 'claude-opus-5': 0.5 } })
  upstream.answer = claudeAnswer('claude-sonnet-5-5', advised)
  await (await askIn('messages', 'claude-sonnet-5-5')).text()
  expect(charged().quota).toBe(5000 + 250_000)
})

it('the operator’s price of an advisor counts before that of a list', async () => {
  await withPrices({ modelRatio: { 'claude-opus-5': 1 }, completionRatio: { 'claude-opus-5': 1 } })
  upstream.answer = claudeAnswer('claude-sonnet-5-5', advised)
  await (await askIn('messages', 'claude-sonnet-5-5')).text()
  expect(charged().quota).toBe(Math.round(8871.2 / 2 + 823 + 1612))
})

const drawn = (tools: readonly object[], used: object) => ({
  ...response,
  model: 'gpt-5.5-2026-08-01',
  tools,
  output: [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }],
  usage: { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 },
  tool_usage: { image_gen: used },
})
const square = {
  input_tokens: 500,
  input_tokens_details: { text_tokens: 500, image_tokens: 0 },
  output_tokens: 4160,
  output_tokens_details: { image_tokens: 4160, text_tokens: 0 },
}

describe.each([false, true])('pictures of the tool image_generation, streamed: %s,', (asStream) => {
  const draw = async (answer: object, tools: readonly object[] = [{ type: 'image_generation' }]): Promise<Receipt> => {
    useChannels(channel({ type: 1 }))
    upstream.answer = asStream
      ? stream(
          named('response.created', { response: { ...response, output: [], usage: null } }),
          named('response.completed', { response: answer }),
        )
      : json(answer)
    await (await askIn('responses', 'gpt-5.5', { stream: asStream, more: { tools } })).text()
    return charged()
  }

  it('cost what their model asks', async () => {
    const receipt = await draw(drawn([{ type: 'image_generation', model: 'gpt-image-1.5' }], square))
    expect(receipt).toMatchObject({ quota: 71_810, models: [{ source: 'image_generation', model: 'gpt-image-1.5' }] })
  })

  it('cost the same where the output does not hold them', async () => {
    const answer = { ...drawn([{ type: 'image_generation', model: 'gpt-image-1.5' }], square), output: [] }
    expect(await draw(answer)).toMatchObject({ quota: 71_810 })
  })

  it('are billed where the answer states nothing else', async () => {
    const answer = { ...drawn([{ type: 'image_generation', model: 'gpt-image-1.5' }], square), usage: null }
    expect((await draw(answer)).models).toMatchObject([{ model: 'gpt-image-1.5' }])
  })

  it('cost what the model of the request asks where the answer names none', async () => {
    const answer = { ...drawn([], square), tools: undefined }
    const tools = [{ type: 'image_generation', model: 'gpt-image-1.5' }]
    expect(await draw(answer, tools)).toMatchObject({ quota: 71_810 })
  })

  it('cost what the usual model asks where nobody names one', async () => {
    const receipt = await draw(drawn([{ type: 'image_generation' }], square))
    // 500 at 5 $ and 4160 at 40 $ a million.
    expect(receipt).toMatchObject({ quota: 4000 + 1250 + 83_200, models: [{ model: 'gpt-image-1' }] })
  })

  it('that are edited cost their pictures in the prompt', async () => {
    const used = {
      ...square,
      input_tokens: 1500,
      input_tokens_details: { text_tokens: 500, image_tokens: 1000 },
    }
    const receipt = await draw(drawn([{ type: 'image_generation', model: 'gpt-image-1.5', action: 'edit' }], used))
    expect(receipt.quota).toBe(71_810 + 4000)
  })

  it('are counted where a host states no tokens of them', async () => {
    const answer = { ...drawn([{ type: 'image_generation', model: 'gpt-image-1.5' }], square), tool_usage: undefined }
    answer.output = [{ ...answer.output[0], size: '1024x1024', quality: 'high' } as never]
    expect(await draw(answer)).toMatchObject({ quota: 4000 + 66_560 })
  })
})

describe('a call that names other models', () => {
  const routed = async (body: object, answer: object, asStream = false): Promise<Receipt> => {
    useChannels(channel({ type: 20 }))
    upstream.answer = asStream
      ? stream(
          `data: ${JSON.stringify({ ...answer, object: 'chat.completion.chunk', usage: undefined, choices: [{ index: 0, delta: { content: 'Hi' } }] })}\n\n`,
          `data: ${JSON.stringify({ ...answer, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
          'data: [DONE]\n\n',
        )
      : json(answer)
    await (await ask({ messages: [{ role: 'user', content: 'hi' }], stream: asStream, ...body })).text()
    return charged()
  }
  const stating = (model: string) => ({
    ...completion('Hi'),
    model,
    usage: { prompt_tokens: 10_000, completion_tokens: 1000, total_tokens: 11_000 },
  })
  const nano = { model: 'openai/gpt-5.4-nano' }

  it.each([false, true])('is priced as the one that answered, streamed: %s', async (asStream) => {
    const body = { ...nano, models: ['openai/gpt-6-astra'], route: 'fallback' }
    const receipt = await routed(body, stating('openai/gpt-6-astra'), asStream)
    expect(receipt).toMatchObject({ quota: 75_000, model: 'openai/gpt-6-astra' })
    expect(receipt.provisional).toBeUndefined()
  })

  it.each(['openai/gpt-5.4-nano', 'gpt-5.4-nano-2026-03-05', 'openai/gpt-5.4-nano:free', 'GPT-5.4-nano-latest'])(
    'costs what was asked for where %s answered',
    async (name) => {
      const receipt = await routed({ ...nano, models: ['openai/gpt-6-astra'] }, stating(name))
      expect(receipt).toMatchObject({ quota: 1625 })
      expect(receipt.model).toBeUndefined()
    },
  )

  it('is marked where the model that answered has no price', async () => {
    const named = { ...nano, models: ['openai/gpt-6-astra'] }
    const receipt = await routed(named, stating('acme/brain-1'))
    expect(receipt).toMatchObject({
      quota: 1625,
      provisional: [{ kind: 'model', place: 'answer', name: 'acme/brain-1', quantity: 11_000 }],
    })
    const maker = await routed(named, stating('openai/gpt-99'))
    expect(maker.quota).toBeGreaterThan(75_000)
    expect(maker.provisional).toMatchObject([{ kind: 'model', name: 'openai/gpt-99' }])
  })

  it('is priced as what a router chose', async () => {
    await withPrices({ modelRatio: { 'openrouter/auto': 1 } })
    const receipt = await routed({ model: 'openrouter/auto' }, stating('openai/gpt-6-astra'))
    expect(receipt.quota).toBe(75_000)
  })

  it('keeps the fixed price that the operator set for a router', async () => {
    await withPrices({ modelPrice: { 'openrouter/auto': 0.01 } })
    expect((await routed({ model: 'openrouter/auto' }, stating('openai/gpt-6-astra'))).quota).toBe(5000)
  })

  it('is priced as a fallback that only the model of the answer names', async () => {
    upstream.answer = claudeAnswer(fallback, { input_tokens: 10_000, output_tokens: 1000 })
    await (await askIn('messages', asked, { more: { fallbacks: [{ model: fallback }] } })).text()
    expect(charged()).toMatchObject({ quota: 37_500, model: fallback })
  })
})

describe('a plain call', () => {
  const plain = async (model: string, stated: string): Promise<Receipt> => {
    useChannels(channel({ type: 1 }))
    upstream.answer = json({
      ...completion('Hi'),
      model: stated,
      usage: { prompt_tokens: 10_000, completion_tokens: 1000, total_tokens: 11_000 },
    })
    await (await ask({ model, messages: [{ role: 'user', content: 'hi' }] })).text()
    return charged()
  }

  it.each(['gpt-5.5', 'gpt-5.5-2026-08-01', 'm', 'my-own-name'])('costs the same where %s answers', async (stated) => {
    const receipt = await plain('gpt-5.5', stated)
    expect(receipt.quota).toBe(40_000)
    expect(receipt.model).toBeUndefined()
    expect(receipt.provisional).toBeUndefined()
  })

  it('is marked, at the same price, where lists know another price of the model that answers', async () => {
    expect(await plain('gpt-5.5', 'gpt-6-astra')).toMatchObject({
      quota: 40_000,
      provisional: [{ kind: 'model', place: 'answer', name: 'gpt-6-astra' }],
    })
  })

  it('is not marked where its price is the operator’s own', async () => {
    await withPrices({ modelRatio: { 'gpt-5.5': 1 } })
    expect((await plain('gpt-5.5', 'gpt-6-astra')).provisional).toBeUndefined()
  })
})
