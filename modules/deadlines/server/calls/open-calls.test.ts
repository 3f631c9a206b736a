import { defaultTierRatios } from '@tollgate/contract/prices'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bookWith } from '#server-test/support/billing/price.ts'
import { generated } from '#server-test/support/gateway/dialects.ts'
import { openTestGateway, type TestGateway, testToken } from '#server-test/support/gateway/listener.ts'
import {
  completion,
  json,
  openTestUpstream,
  type Received,
  type TestUpstream,
} from '#server-test/support/gateway/upstream.ts'
import { openTestLimiter } from '#server-test/support/limits/limiter.ts'
import { openTestChannels, testChannel, testOptions } from '#server-test/support/relay/ports.ts'
import { createDeadlineCalls } from './deadline-calls.ts'

const ratios = { 'gpt-5': 1, 'gemini-2.5-flash': 1, 'claude-sonnet-4-5': 1 }
const prices = bookWith({ modelRatio: ratios, completionRatio: {}, tierRatios: defaultTierRatios })

/** Stands still, so that no answer is slow. */
const now = Date.now()

let upstream: TestUpstream
let gateway: TestGateway
let client: OpenAI

beforeEach(async () => {
  upstream = await openTestUpstream()
  gateway = await openTestGateway({
    relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })), prices },
    gateway: { deadlines: createDeadlineCalls({ prices, clock: () => now }) },
  })
  client = new OpenAI({ apiKey: 'good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterEach(async () => {
  gateway.parts.settings = testOptions
  await gateway.close()
  await upstream.close()
})

const asked = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'hi' }] }
const bodyOf = ({ body }: Received) => JSON.parse(body.toString())
const bodies = () => upstream.received.map(bodyOf)
const ask = (deadline = '6h') => client.chat.completions.create(asked, { headers: { 'x-tollgate-deadline': deadline } })
const records = () => gateway.parts.recorder.records
const laneOf = (index = 0) => records()[index]?.other

/** An upstream with a flex tier: `flex` answers its requests. */
const withFlex = (flex: (call: Received) => void) => (call: Received) =>
  bodyOf(call).service_tier === 'flex' ? flex(call) : json(completion('at once'))(call)

const usage = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 }
const inFlex = json({ ...completion('in flex'), usage, service_tier: 'flex' })
const unavailable = json({ error: { message: 'Resource unavailable', code: 'resource_unavailable' } }, 429)

describe('a call with a deadline', () => {
  it('is made in the flex tier, and its log says what was saved', async () => {
    upstream.answer = withFlex(inFlex)
    expect((await ask()).choices[0]?.message.content).toBe('in flex')
    expect(bodies()).toEqual([{ ...asked, service_tier: 'flex' }])
    const deadline = Math.floor(now / 1000) + 6 * 3600
    const [record] = records()
    const quota = record?.kind === 'charge' ? record.quota : -1
    expect(quota).toBeGreaterThan(0)
    expect(laneOf()).toMatchObject({ lane: { lane: 'flex', deadline, standard: 2 * quota, saved: quota } })
    expect(record?.kind === 'charge' && JSON.parse(`${record.otherText}}`)).toMatchObject({ lane: { saved: quota } })
  })

  it('is made at once where the flex tier is refused, which says nothing about the channel', async () => {
    upstream.answer = withFlex(unavailable)
    expect((await ask()).choices[0]?.message.content).toBe('at once')
    expect(bodies()).toEqual([{ ...asked, service_tier: 'flex' }, asked])
    expect(records()).toHaveLength(1)
    expect(laneOf()).toMatchObject({ lane: { lane: 'standard', saved: 0 } })
    expect(gateway.parts.channels.reports.filter(({ failure }) => failure !== undefined)).toEqual([])
  })

  it('is made at once where the flex tier is too slow, and its client gets one answer', async () => {
    upstream.answer = withFlex(inFlex)
    for (let count = 0; count < 12; count += 1) await ask()
    let gone = false
    upstream.answer = withFlex(({ response }) => response.on('close', () => (gone = true)))
    upstream.received.length = 0
    // Four minutes and a tenth of the whole time are kept for calls at once.
    expect((await ask('275s')).choices[0]?.message.content).toBe('at once')
    expect(bodies().map(({ service_tier: tier }) => tier)).toEqual(['flex', undefined])
    await expect.poll(() => gone).toBe(true)
    expect(records()).toHaveLength(13)
    expect(laneOf(12)).toMatchObject({ lane: { lane: 'standard', saved: 0 } })
  })

  it('is made at once where there is no time for anything else', async () => {
    await ask('60s')
    expect(bodies()).toEqual([asked])
    expect(laneOf()).toMatchObject({ lane: { lane: 'standard', saved: 0 } })
  })

  it('keeps the tier that its client names', async () => {
    const headers = { 'x-tollgate-deadline': '6h' }
    await client.chat.completions.create({ ...asked, service_tier: 'priority' }, { headers })
    expect(bodies()).toEqual([{ ...asked, service_tier: 'priority' }])
  })

  it('may state it in its metadata, which the provider does not get', async () => {
    await client.chat.completions.create({ ...asked, metadata: { deadline: '6h', job: '7' } })
    expect(bodies()).toEqual([{ ...asked, metadata: { job: '7' }, service_tier: 'flex' }])
    await client.chat.completions.create({ ...asked, metadata: { deadline: '10s' } })
    expect(bodies()[1]).toEqual(asked)
  })

  it('comes from Gemini clients, too', async () => {
    gateway.parts.channels.list.splice(0, 1, testChannel({ type: 24, baseUrl: upstream.url }))
    const usageMetadata = { ...generated.usageMetadata, serviceTier: 'flex' }
    upstream.answer = json({ ...generated, usageMetadata })
    const answer = await fetch(`${gateway.url}/v1beta/models/gemini-2.5-flash:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': 'good', 'x-tollgate-deadline': '1d' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
    })
    expect(answer.status).toBe(200)
    expect(bodies()[0]).toMatchObject({ serviceTier: 'flex' })
    expect(laneOf()).toMatchObject({ lane: { lane: 'flex' } })
  })

  it('is refused in the dialect of its client where the deadline cannot be', async () => {
    for (const deadline of ['soon', '8d', '2020-01-01T00:00:00Z', '0s']) {
      const refused = ask(deadline)
      await expect(refused).rejects.toMatchObject({
        status: 400,
        error: { message: expect.stringMatching(/deadline/i) },
      })
    }
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'good', 'x-tollgate-deadline': 'soon' },
      body: JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages: asked.messages }),
    })
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 400, body: { type: 'error' } })
    expect(upstream.received).toEqual([])
  })
})

describe('a key for calls with a deadline', () => {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }

  beforeEach(() => {
    gateway.tokens.set('good', { ...testToken, deadlineOnly: true })
    upstream.answer = withFlex(inFlex)
  })

  it('makes calls that state one, and refuses others with the way to state it', async () => {
    expect((await ask()).choices[0]?.message.content).toBe('in flex')
    await client.chat.completions.create({ ...asked, metadata: { deadline: '6h' } })
    expect(bodies().map(({ service_tier: tier }) => tier)).toEqual(['flex', 'flex'])
    await expect(client.chat.completions.create(asked)).rejects.toMatchObject({
      status: 403,
      error: { message: expect.stringMatching(/X-Tollgate-Deadline .* metadata\.deadline/) },
    })
    expect(upstream.received).toHaveLength(2)
    expect(records().map(({ kind }) => kind)).toEqual(['charge', 'charge', 'error'])
  })

  it('refuses a deadline that leaves time for a call at once alone', async () => {
    await expect(ask('4m')).rejects.toMatchObject({
      status: 403,
      error: { message: expect.stringContaining('at least 5 minutes') },
    })
    expect((await ask('5m')).choices[0]?.message.content).toBe('in flex')
  })

  it('refuses in the dialect of its client', async () => {
    const messages = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: asked.messages }
    const { status, body } = await post('/v1/messages', messages)
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { type: 'error', error: { type: 'permission_error' } },
    })
    const gemini = await post('/v1beta/models/gemini-2.5-flash:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    })
    expect(gemini).toMatchObject({ status: 403, body: { error: { code: 403 } } })
    expect(upstream.received).toEqual([])
  })

  it('refuses calls that have no lanes, whatever they state', async () => {
    const stated = { 'x-tollgate-deadline': '6h' }
    const secret = await post('/v1/realtime/client_secrets', { session: { type: 'realtime', model: 'gpt-5' } }, stated)
    expect(secret).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining('of this kind') } } })
    expect(upstream.received).toEqual([])
  })
})

it('counts calls that leave no time as those without a deadline', async () => {
  const subjects = [{ kind: 'group' as const }, { kind: 'deadline' as const, value: 'without' }]
  const callLimits = openTestLimiter([{ measure: 'money', amount: 1, window: 'month', subjects }])
  await gateway.close()
  gateway = await openTestGateway({
    relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })), prices, callLimits },
    gateway: { deadlines: createDeadlineCalls({ prices, clock: () => now }) },
  })
  client = new OpenAI({ apiKey: 'good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  upstream.answer = withFlex(inFlex)
  expect((await ask()).choices[0]?.message.content).toBe('in flex')
  const refused = { status: 429, error: { message: expect.stringContaining('calls without a deadline') } }
  await expect(ask('60s')).rejects.toMatchObject(refused)
  await expect(client.chat.completions.create(asked)).rejects.toMatchObject(refused)
  expect(upstream.received).toHaveLength(1)
})
