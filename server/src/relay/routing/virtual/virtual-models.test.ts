import { virtualModelChange } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { priceOf } from '../../../../test/support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../../../../test/support/gateway/scene.ts'
import {
  chunk,
  completion,
  done,
  json,
  type Received,
  stream,
  usageChunk,
} from '../../../../test/support/gateway/upstream.ts'
import { openTestChannels } from '../../../../test/support/relay/ports.ts'
import type { Prices } from '../../ports.ts'
import { targetOrder } from './route-of-call.ts'
import { relayVirtualModel } from './virtual-model.ts'

useScene()

type Spec = z.input<typeof virtualModelChange>

const virtual = (spec: Partial<Spec> & Pick<Spec, 'steps'>) =>
  relayVirtualModel({ ...virtualModelChange.parse({ name: 'smart', ...spec }), id: 5, changed_time: 0 })

const use = (spec: Partial<Spec> & Pick<Spec, 'steps'>): void => {
  gateway.parts.channels.virtualModels.splice(0, Number.POSITIVE_INFINITY, virtual(spec))
}

const smart = { ...hi, model: 'smart' }
const [first, second] = [{ targets: [{ model: 'first' }] }, { targets: [{ model: 'second' }] }]
const modelOf = ({ body }: Received): string => JSON.parse(body.toString()).model
const sentModels = (): string[] => upstream.received.map(modelOf)

/** Refuses one model, answers all others. */
const refusing = (model: string, status: number, error: object) => (call: Received) =>
  (modelOf(call) === model ? json({ error }, status) : json(completion('hello')))(call)

describe('a virtual model', () => {
  it('is asked for under the names of its targets, and recorded under its own', async () => {
    use({ steps: [first] })
    upstream.answer = json(completion('hello'))
    expect((await ask(smart)).status).toBe(200)
    expect(JSON.parse(sentBody())).toEqual({ ...hi, model: 'first' })
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      model: 'smart',
      other: {
        is_model_mapped: true,
        upstream_model_name: 'first',
        admin_info: { route: { virtual: 5, rule: '', target: 'first' } },
      },
    })
  })

  it.each([
    ['overload', 429, { message: 'slow down', type: 'rate_limit_error' }],
    ['overload', 529, { message: 'Overloaded', type: 'overloaded_error' }],
    [
      'context',
      400,
      { message: 'This model has a maximum context length of 8192 tokens', code: 'context_length_exceeded' },
    ],
    ['content', 400, { message: 'The response was filtered', code: 'content_filter' }],
    ['server', 500, { message: 'boom', type: 'server_error' }],
    ['credentials', 401, { message: 'wrong key' }],
    ['missing', 404, { message: 'The model does not exist', code: 'model_not_found' }],
  ] as const)('falls back after %s (%i), and only where it may', async (failure, status, error) => {
    upstream.answer = refusing('first', status, error)
    use({ steps: [first, second], falls_back_on: [failure] })
    expect((await ask(smart)).status).toBe(200)
    expect(sentModels()).toEqual(['first', 'second'])
    upstream.received.length = 0
    use({ steps: [first, second], falls_back_on: ['timeout'] })
    expect((await ask(smart)).status).not.toBe(200)
    expect(sentModels()).toEqual(['first'])
  })

  it('gives back a wrong request at once', async () => {
    use({ steps: [first, second] })
    upstream.answer = refusing('first', 400, { message: 'messages: unknown role', type: 'invalid_request_error' })
    const response = await ask(smart)
    expect([response.status, sentModels()]).toEqual([400, ['first']])
  })

  it('passes over targets without a channel, and says so where none has one', async () => {
    useChannels(channel({ models: new Set(['second']) }))
    use({ steps: [first, second] })
    gateway.parts.channels.list.push(channel({ id: 9, models: new Set(['smart']), enabled: true }))
    upstream.answer = json(completion('hello'))
    expect((await ask(smart)).status).toBe(200)
    expect(sentModels()).toEqual(['second'])
    use({ steps: [first] })
    expect((await ask(smart)).status).toBe(501)
  })

  it('keeps to the channels and tags that a target names', async () => {
    useChannels(channel({ id: 1 }), channel({ id: 2, tag: 'eu' }))
    upstream.answer = json(completion('hello'))
    use({ steps: [{ targets: [{ model: 'first', tag: 'eu' }] }] })
    for (let call = 0; call < 5; call += 1) await ask(smart)
    expect(gateway.parts.recorder.records.map(({ channelId }) => channelId)).toEqual([2, 2, 2, 2, 2])
    use({ steps: [{ targets: [{ model: 'first', channels: [1] }] }] })
    await ask(smart)
    expect(lastRecord()?.channelId).toBe(1)
  })

  it('follows the first rule that holds for a call', async () => {
    upstream.answer = json(completion('hello'))
    use({
      rules: [
        { name: 'tools', when: { tools: true }, steps: [{ targets: [{ model: 'with-tools' }] }] },
        { name: 'pictures', when: { pictures: true }, steps: [{ targets: [{ model: 'with-pictures' }] }] },
        { name: 'long', when: { prompt_from: 1000 }, steps: [{ targets: [{ model: 'with-room' }] }] },
        { name: 'tagged', when: { tags: ['team', 'env=test'] }, steps: [{ targets: [{ model: 'with-tag' }] }] },
      ],
      steps: [first],
    })
    await ask(smart)
    await ask({ ...smart, tools: [{ type: 'function', function: { name: 'f' } }] })
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
    await ask({ ...smart, messages: [{ role: 'user', content: [picture] }] })
    await ask({ ...smart, messages: [{ role: 'user', content: 'word '.repeat(2000) }] })
    expect(sentModels()).toEqual(['first', 'with-tools', 'with-pictures', 'with-room'])
    expect(lastRecord()?.other.admin_info).toMatchObject({ route: { rule: 'long' } })
    for (const metadata of [{ env: 'test' }, { team: 'red' }, { env: 'tests' }, { teams: 'red', in: 'team' }])
      await ask({ ...smart, metadata })
    expect(sentModels().slice(-4)).toEqual(['with-tag', 'with-tag', 'first', 'first'])
  })

  it('is hidden from groups that may not use it', async () => {
    useChannels(channel({ models: new Set(['first']) }))
    use({ steps: [first], groups: ['vip'] })
    expect((await ask(smart)).status).toBe(404)
  })

  it('may stand before a model of its own name', async () => {
    upstream.answer = json(completion('hello'))
    use({ name: 'gpt-4o', steps: [{ targets: [{ model: 'gpt-4o' }] }] })
    expect((await ask(hi)).status).toBe(200)
    expect(JSON.parse(sentBody())).toEqual(hi)
  })
})

describe('the price of a virtual model', () => {
  const prices: Prices = {
    of: (model) =>
      model === 'first' || model === 'second' || model === 'smart'
        ? priceOf(model, {
            modelRatio: { first: 1, second: 10, smart: 3 },
            completionRatio: { first: 1, second: 1, smart: 1 },
          })
        : undefined,
  }
  const reopen = () => reopenGateway({ prices, channels: openTestChannels(channel()) })

  it('is that of the model that answered, and the dearest is held', async () => {
    await reopen()
    use({ steps: [first, second] })
    upstream.answer = json(completion('hello'))
    await ask(smart)
    const cheap = lastRecord()?.quota ?? 0
    upstream.answer = refusing('first', 500, { message: 'boom' })
    await ask(smart)
    expect([cheap > 0, lastRecord()?.quota]).toEqual([true, cheap * 10])
    const [one, two] = gateway.parts.holds.ends.map(({ amount }) => amount)
    expect(one).toBe(two)
  })

  it('counts for streams as well', async () => {
    await reopen()
    use({ steps: [first, second] })
    upstream.answer = (call) =>
      (modelOf(call) === 'first'
        ? json({ error: { message: 'boom' } }, 500)
        : stream(chunk('hi'), usageChunk(10, 5), done))(call)
    await (await ask({ ...hiStream, model: 'smart' })).text()
    const dear = lastRecord()?.quota
    upstream.answer = json(completion('hello'))
    await ask(smart)
    expect(dear).toBe((lastRecord()?.quota ?? 0) * 10)
  })

  it('is its own where the operator says so', async () => {
    await reopen()
    use({ steps: [first, second] })
    upstream.answer = json(completion('hello'))
    await ask(smart)
    const answered = lastRecord()?.quota ?? 0
    use({ steps: [first, second], price: 'own' })
    await ask(smart)
    expect(lastRecord()?.quota).toBe(answered * 3)
  })

  it('is needed: targets without one are left out, and a call is refused where none has one', async () => {
    await reopen()
    use({ steps: [{ targets: [{ model: 'odd' }] }, second] })
    upstream.answer = json(completion('hello'))
    await ask(smart)
    expect(sentModels()).toEqual(['second'])
    use({ steps: [{ targets: [{ model: 'odd' }] }] })
    const refused = await ask(smart)
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('odd')])
  })
})

describe('the order of targets', () => {
  const canary = virtual({ steps: [{ targets: [{ model: 'old', weight: 9 }, { model: 'new' }] }] })
  const route = { virtual: canary, rule: '', steps: canary.steps }
  const firstOf = (hash: number | undefined, random = Math.random): string | undefined =>
    targetOrder(route, { now: 1, random, hash })[0]?.model

  it('gives each its share by weight', () => {
    const conversations = Array.from({ length: 10_000 }, (_, index) => firstOf(Math.imul(index + 1, 0x9e3779b1) >>> 0))
    const share = conversations.filter((model) => model === 'new').length / conversations.length
    expect(share).toBeGreaterThan(0.08)
    expect(share).toBeLessThan(0.12)
  })

  it('is the same in all turns of a conversation', () => {
    for (let hash = 1; hash < 200; hash += 1) expect(firstOf(hash)).toBe(firstOf(hash))
  })

  it('knows dates', () => {
    const switching = virtual({
      steps: [
        {
          targets: [
            { model: 'old', until: 100 },
            { model: 'new', from: 100 },
          ],
        },
      ],
    })
    const at = (now: number) =>
      targetOrder({ virtual: switching, rule: '', steps: switching.steps }, { now, random: Math.random, hash: 3 }).map(
        ({ model }) => model,
      )
    expect([at(99_999), at(100_000)]).toEqual([['old'], ['new']])
  })
})

describe('other kinds of calls', () => {
  it('go to the targets as well: speech, pictures, vectors and uploads', async () => {
    use({ steps: [first, second], falls_back_on: ['server'] })
    upstream.answer = refusing('first', 500, { message: 'boom' })
    await ask({ model: 'smart', input: 'hello', voice: 'alloy' }, '/v1/audio/speech')
    await ask({ model: 'smart', prompt: 'a cat' }, '/v1/images/generations')
    await ask({ model: 'smart', input: 'hello' }, '/v1/embeddings')
    expect(sentModels()).toEqual(['first', 'second', 'first', 'second', 'first', 'second'])
    const body = new FormData()
    body.set('model', 'smart')
    body.set('file', new Blob([new Uint8Array(2000)], { type: 'audio/wav' }), 'a.wav')
    upstream.answer = json({ text: 'hello' })
    const headers = { authorization: 'Bearer sk-good' }
    const answer = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(sentBody()).toMatch(/name="model"\s+first/)
  })

  it.each([
    ['/v1/realtime/client_secrets', { session: { type: 'realtime', model: 'smart' } }],
    ['/v1beta/cachedContents', { model: 'models/smart', contents: [{ parts: [{ text: 'a' }] }] }],
    ['/mj/submit/imagine', { prompt: 'a cat' }],
    ['/suno/submit/music', { prompt: 'a song' }],
  ])('are refused in words where they stay at one channel: %s', async (path, body) => {
    useChannels(channel({ models: new Set(['first']) }))
    const names = ['smart', 'mj_imagine', 'suno_music']
    const models = names.map((name) => virtual({ name, steps: [first] }))
    gateway.parts.channels.virtualModels.splice(0, Number.POSITIVE_INFINITY, ...models)
    const answer = await ask(body, path)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('虚拟模型')])
    expect(upstream.received).toEqual([])
  })
})
