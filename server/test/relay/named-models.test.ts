import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { reservation } from '../../src/billing/reserve.ts'
import { priceOf } from '../support/billing/price.ts'
import { testToken } from '../support/gateway/listener.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testOptions, testPrices } from '../support/relay/ports.ts'

/** Members of requests by which their sender chooses a model or a route beside `model`. */

useScene()

const [cheap, dear, foreign] = ['openai/gpt-5.4-nano', 'openai/gpt-6-astra', 'openai/o-nowhere']
const prices = { [cheap]: 0.1, [dear]: 5, 'claude-haiku-5-5': 0.5, 'claude-fable-5-1': 5, 'claude-opus-5': 2.5 }

const pricesByModel = () => {
  const made = new Map(
    Object.entries(prices).map(([model, ratio]) => [model, priceOf('m', { modelRatio: { m: ratio } })]),
  )
  const cheapest = made.get(cheap)
  return { ...testPrices(), of: (model: string) => made.get(model) ?? cheapest }
}

/** A key whose list names these models, and a channel that serves more. */
const limitTo = (...models: readonly string[]): void => {
  gateway.tokens.set('good', { ...testToken, modelLimits: new Set(models) })
}

beforeEach(async () => {
  await reopenGateway({ prices: pricesByModel() })
  useChannels(channel({ type: 20, models: new Set([...Object.keys(prices), 'gpt-4o']) }))
  upstream.answer = json(completion('hello'))
})

const chat = { ...hi, model: cheap }

describe('a member that names a model which the key may not use', () => {
  beforeEach(() => limitTo(cheap, 'claude-haiku-5-5', 'claude-fable-5-1'))

  it.each([
    ['models of OpenRouter', { models: [dear], route: 'fallback' }, 403],
    ['models within extra_body', { extra_body: { models: [dear] } }, 403],
    ['a model within extra_body', { extra_body: { model: dear } }, 403],
    ['a body within a body', { extra_body: { extra_body: { fallbacks: [{ model: dear }] } } }, 403],
    ['fallbacks of LiteLLM', { fallbacks: [{ [cheap]: [dear] }] }, 403],
    ['a body within a fallback', { fallbacks: [{ model: cheap, extra_body: { model: dear } }] }, 403],
    ['fallbacks as texts', { fallbacks: [dear] }, 403],
    ['fallbacks of a context', { context_window_fallback_dict: { [cheap]: dear } }, 403],
    ['models of Vercel', { providerOptions: { gateway: { models: [dear] } } }, 403],
    ['models of Vercel in other letters', { provider_options: { GATEWAY: { Models: [dear] } } }, 403],
    ['models of Groq', { compound_custom: { models: { reasoning_model: dear } } }, 403],
    ['a preset', { preset: 'expensive' }, 403],
    ['a member that nobody knows', { my_fallback_model: dear }, 403],
    ['models in capitals', { MODELS: [dear] }, 403],
    ['the advisor of OpenRouter', { tools: [{ type: 'openrouter:advisor', parameters: { model: dear } }] }, 403],
    ['the advisor without a model', { tools: [{ type: 'openrouter:advisor' }] }, 400],
    [
      'a tool of an advisor',
      { tools: [{ type: 'openrouter:advisor', parameters: { model: cheap, tools: [{ type: 'x', model: dear }] } }] },
      403,
    ],
    ['a plugin', { plugins: [{ id: 'fusion', analysis_models: [cheap] }] }, 400],
    ['the provider', { provider: { only: ['azure'] } }, 400],
    ['the provider as a word', { provider: 'azure' }, 400],
    ['an order of Vercel', { providerOptions: { gateway: { order: ['azure'] } } }, 400],
    ['a route without models', { route: 'fallback' }, 400],
    ['the default fallbacks', { fallbacks: 'default' }, 400],
    ['an agent', { agent_id: 'ag_1' }, 400],
    ['MODEL beside model', { MODEL: dear }, 400],
    ['model with a long s', { ſtream: true }, 400],
  ])('is refused: %s', async (_, members, status) => {
    for (const stream of [false, true]) {
      const refused = await ask({ ...chat, ...members, stream })
      expect([refused.status, upstream.received.length]).toEqual([status, 0])
      expect(await refused.json()).toMatchObject({ error: { message: expect.any(String) } })
      expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    }
  })

  it('is refused in the words of an Anthropic client', async () => {
    useChannels(channel({ type: 14, models: new Set(Object.keys(prices)) }))
    const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' }
    const body = { model: 'claude-haiku-5-5', max_tokens: 100, messages: hi.messages }
    for (const members of [{ tools: [advisor] }, { fallbacks: [{ model: 'claude-opus-5' }] }]) {
      const refused = await ask({ ...body, ...members }, '/v1/messages')
      expect(refused.status).toBe(403)
      expect(await refused.json()).toMatchObject({
        type: 'error',
        error: { message: expect.stringContaining('claude-opus-5') },
      })
    }
    expect(upstream.received).toEqual([])
  })

  it('is refused in Responses and in Gemini’s own calls', async () => {
    const drawing = { type: 'image_generation', model: dear }
    expect((await ask({ model: cheap, input: 'x', tools: [drawing] }, '/v1/responses')).status).toBe(403)
    const contents = [{ role: 'user', parts: [{ text: 'x' }] }]
    limitTo('claude-haiku-5-5')
    const path = '/v1beta/models/claude-haiku-5-5:generateContent'
    const routing = (routingConfig: object) => ({ contents, generationConfig: { temperature: 0, routingConfig } })
    expect((await ask(routing({ manualMode: { modelName: dear } }), path)).status).toBe(403)
    expect((await ask(routing({ autoMode: { modelRoutingPreference: 'BALANCED' } }), path)).status).toBe(400)
    expect((await ask({ contents, model: `models/${dear}` }, path)).status).toBe(403)
    expect(upstream.received).toEqual([])
  })

  it('is refused in the query of the address', async () => {
    for (const query of [`?model=${dear}`, `?MODELS=${dear}`, `?deployment=${dear}`])
      expect((await ask(chat, `/v1/chat/completions${query}`)).status).toBe(403)
    expect((await ask(chat, `/v1/chat/completions?model=${cheap}&x=${dear}`)).status).toBe(200)
    expect(upstream.received).toHaveLength(1)
  })

  it('is refused where it hides behind a second one of its name', async () => {
    const bodies = [
      `{"model":"${cheap}","messages":[],"models":["${dear}"],"models":null}`,
      `{"model":"${cheap}","messages":[],"extra_body":{"models":["${dear}"],"models":[]}}`,
      `{"model":"${cheap}","messages":[],"tools":[{"type":"openrouter:advisor","type":"function","parameters":{"model":"${dear}"}}]}`,
      `{"model":"${cheap}","messages":[],"tools":[{"type":"open\\u0072outer:fusion","type":"function"}]}`,
      `{"model":"${cheap}","messages":[],"provider":{"only":["azure"],"only":null}}`,
      `{"model":"${cheap}","messages":[],"f\\u0061llbacks":["${dear}"],"fallbacks":[]}`,
    ]
    for (const body of bodies) expect((await ask(body)).status, body).toBe(400)
    expect(upstream.received).toEqual([])
  })
})

describe('a member that names a model which the key may use', () => {
  it('goes as it is, and the dearest model is held', async () => {
    limitTo(cheap, dear)
    const body = { ...chat, max_tokens: 1000, models: [dear], route: 'fallback' }
    expect((await ask(body)).status).toBe(200)
    expect(JSON.parse(sentBody())).toEqual(body)
    const [hold] = gateway.parts.holds.ends
    const expected = { promptTokens: JSON.stringify(body).length, outputTokens: 1000, leastTokens: 500 }
    expect(hold?.amount).toBe(reservation(expected, pricesByModel().of(dear) ?? raise()))
  })

  it('is charged at the price of the model that was asked', async () => {
    limitTo(cheap, dear)
    await ask(chat)
    const { quota } = lastRecord() ?? {}
    await ask({ ...chat, models: [dear] })
    expect(lastRecord()).toMatchObject({ kind: 'charge', model: cheap, quota })
  })

  it('is refused where no channel of the group serves it, whatever the key’s list says', async () => {
    limitTo(cheap, foreign)
    expect((await ask({ ...chat, models: [foreign] })).status).toBe(403)
    gateway.tokens.set('good', testToken)
    expect((await ask({ ...chat, models: [foreign] })).status).toBe(403)
    expect((await ask({ ...chat, models: [dear] })).status).toBe(200)
  })

  it('holds a stream to the dearest price while it comes', async () => {
    limitTo(cheap, dear)
    upstream.answer = stream(chunk('x'), usageChunk(1, 2), done)
    expect(await (await ask({ ...chat, models: [dear], stream: true })).text()).toContain('[DONE]')
    expect(lastRecord()).toMatchObject({ kind: 'charge', model: cheap, completionTokens: 2 })
  })
})

describe('members that choose nothing', () => {
  it.each([
    ['what privacy a provider gives', { provider: { data_collection: 'deny', zdr: true } }],
    ['plugins without a model', { plugins: [{ id: 'web' }] }],
    [
      'tools without a model',
      { tools: [{ type: 'openrouter:web_search' }, { type: 'function', function: { name: 'a' } }] },
    ],
    [
      'a schema with a model in it',
      { tools: [{ type: 'function', name: 'a', parameters: { type: 'object', properties: { model: {} } } }] },
    ],
    ['empty ones', { models: [], fallbacks: null, route: null, provider: {}, preset: '' }],
    ['unknown ones', { prior_output: 'x', own_field: { model: dear } }],
    ['metadata', { metadata: { model: dear, models: [dear] } }],
  ])('pass: %s', async (_, members) => {
    limitTo(cheap)
    expect((await ask({ ...chat, ...members })).status).toBe(200)
    expect(JSON.parse(sentBody())).toEqual({ ...chat, ...members })
  })
})

describe('where the operator wants such members left out', () => {
  beforeEach(() => {
    limitTo(cheap)
    gateway.parts.settings = { ...testOptions, modelMembers: 'remove' }
  })

  it('they are, and are named in a header and the log', async () => {
    const body = { ...chat, models: [dear], route: 'fallback', provider: { only: ['azure'] }, seed: 1 }
    const answer = await ask(body)
    expect([answer.status, answer.headers.get('x-tollgate-lost-fields')]).toEqual([200, 'models, provider.only'])
    expect(JSON.parse(sentBody())).toMatchObject({ ...chat, seed: 1 })
    expect(JSON.parse(sentBody())).not.toHaveProperty('models')
    expect(JSON.parse(sentBody())).not.toHaveProperty('provider')
    expect(lastRecord()?.other).toMatchObject({ lost_fields: ['models', 'provider.only'] })
  })

  it('a tool goes alone, and settings keep the rest', async () => {
    const kept = { type: 'function', function: { name: 'a' } }
    await ask({ ...chat, tools: [kept, { type: 'openrouter:advisor', parameters: { model: dear } }] })
    expect(JSON.parse(sentBody())).toMatchObject({ tools: [kept] })
    await ask({ ...chat, tools: [{ type: 'openrouter:fusion' }], tool_choice: 'auto' })
    expect(JSON.parse(sentBody())).toEqual(chat)
  })

  it('nothing is left out for strict groups, nor where a reading is uncertain', async () => {
    gateway.parts.settings = { ...testOptions, modelMembers: 'remove', strictGroups: new Set(['default']) }
    expect((await ask({ ...chat, models: [dear] })).status).toBe(403)
    gateway.parts.settings = { ...testOptions, modelMembers: 'remove' }
    expect((await ask(`{"model":"${cheap}","messages":[],"models":["${dear}"],"models":[]}`)).status).toBe(400)
  })
})

it('lets hosts be chosen by keys without a list, and by all where the operator wants that', async () => {
  const hosted = { ...chat, provider: { order: ['azure'] } }
  expect((await ask(hosted)).status).toBe(200)
  expect((await ask({ ...chat, tools: [{ type: 'openrouter:fusion' }] })).status).toBe(400)
  limitTo(cheap)
  gateway.parts.settings = { ...testOptions, modelMembers: 'models' }
  const body = { ...chat, provider: { only: ['azure'] } }
  expect((await ask(body)).status).toBe(200)
  expect(JSON.parse(sentBody())).toEqual(body)
  expect((await ask({ ...body, models: [dear] })).status).toBe(403)
  expect((await ask({ ...body, fallbacks: 'default' })).status).toBe(400)
})

it('takes a picture tool that names no model from a key whose list has no model of pictures', async () => {
  useChannels(channel({ type: 1, models: new Set(['gpt-4o', 'gpt-image-1.5']) }))
  upstream.answer = json({ id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-4o', output: [] })
  const body = { model: 'gpt-4o', input: 'x', tools: [{ type: 'image_generation' }] }
  limitTo('gpt-4o')
  expect((await ask({ ...body, tool_choice: { type: 'image_generation' } }, '/v1/responses')).status).toBe(403)
  const without = await ask(body, '/v1/responses')
  expect(without.headers.get('x-tollgate-lost-fields')).toBe('tools.image_generation')
  expect(JSON.parse(sentBody())).toEqual({ model: 'gpt-4o', input: 'x' })
  limitTo('gpt-4o', 'gpt-image-1.5')
  await ask(body, '/v1/responses')
  expect(JSON.parse(sentBody())).toEqual(body)
})

describe('any spelling in any place', () => {
  const letterCases = (name: string): fc.Arbitrary<string> =>
    fc
      .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
      .map((upper) =>
        [...name].map((letter, index) => (upper[index] === true ? letter.toUpperCase() : letter)).join(''),
      )
  const escaped = (name: string): fc.Arbitrary<string> =>
    fc.nat({ max: name.length - 1 }).map((at) => {
      const code = name.charCodeAt(at).toString(16).padStart(4, '0')
      return `"${name.slice(0, at)}\\u${code}${name.slice(at + 1)}"`
    })
  const quoted = (name: string): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant(JSON.stringify(name)),
      letterCases(name).map((other) => JSON.stringify(other)),
      escaped(name),
    )
  const member = (name: string, value: string): fc.Arbitrary<string> => quoted(name).map((text) => `${text}:${value}`)
  const value = JSON.stringify(dear)
  const naming = fc.oneof(
    ...['models', 'fallbacks', 'fallback_models', 'context_window_fallbacks', 'default_fallbacks'].map((name) =>
      member(name, `[${value}]`),
    ),
    member('fallbacks', `[{"model":${value}}]`),
    member('tools', `[{"type":"advisor_20260301","name":"a","model":${value}}]`),
    quoted('model').map((name) => `"tools":[{"type":"advisor_20260301",${name}:${value}}]`),
    quoted('model').map((name) => `"extra_body":{${name}:${value}}`),
    member('preset', '"x"'),
    member('fallbacks', `[{"model":"${cheap}","params":[{"model":${value}}]}]`),
    quoted('gateway').map((name) => `"providerOptions":{${name}:{"models":[${value}]}}`),
    quoted('models').map((name) => `"provider_options":{"gateway":{${name}:[${value}]}}`),
    quoted('models').map((name) => `"compound_custom":{${name}:{"answering_model":${value}}}`),
    quoted('parameters').map((name) => `"tools":[{"type":"openrouter:advisor",${name}:{"model":${value}}}]`),
    quoted('tools').map((name) => `${name}:[{"type":"openrouter:fusion"}]`),
    quoted('plugins').map((name) => `${name}:[{"id":"fusion"}]`),
    quoted('model').map((name) => `${name}:${value}`),
  )
  const nested = fc.oneof(
    naming,
    naming.filter((text) => !text.includes('extra_body')).map((text) => `"extra_body":{${text}}`),
  )
  const around = fc.subarray(['"seed":1', '"top_p":1', '"user":"u"', '"x":{"y":[{}]}'])

  it('never reaches a provider', async () => {
    limitTo(cheap)
    await fc.assert(
      fc.asyncProperty(nested, around, fc.boolean(), async (text, others, first) => {
        const own = `"model":"${cheap}","messages":[]`
        const body = `{${(first ? [text, own, ...others] : [own, ...others, text]).join(',')}}`
        const { status } = await ask(body)
        // Of two members `model` the last one counts, and both get its value.
        if (status === 200) expect(sentBody(), body).not.toContain(dear)
        else expect([400, 403], body).toContain(status)
      }),
      { numRuns: 300 },
    )
    expect(upstream.received.some(({ body }) => body.includes(dear))).toBe(false)
  })
})

const raise = (): never => {
  throw new Error('no price')
}
