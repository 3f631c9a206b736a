import { beforeEach, describe, expect, it } from 'vitest'
import { testToken } from '../support/gateway/listener.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'
import { testOptions } from '../support/relay/ports.ts'

/** Members of tasks by which their sender chooses a model, or a version of a service's model. */

useScene()

const services = {
  suno: {
    type: 36,
    path: '/suno/submit/music',
    model: 'suno_music',
    body: { prompt: 'x', mv: 'chirp-v3-0' },
    answer: { code: 'success', message: '', data: 'song-1' },
  },
  midjourney: {
    type: 2,
    path: '/mj/submit/imagine',
    model: 'mj_imagine',
    body: { prompt: 'x', botType: 'MID_JOURNEY' },
    answer: { code: 1, description: 'ok', result: 'mj-1' },
  },
}
type Service = (typeof services)[keyof typeof services]
const both = Object.values(services)

const submit = (service: Service, more: object | string) => {
  useChannels(channel({ type: service.type }))
  upstream.answer = json(service.answer)
  return ask(typeof more === 'string' ? more : { ...service.body, ...more }, service.path)
}
const limitTo = (...models: readonly string[]) => {
  gateway.tokens.set('good', { ...testToken, modelLimits: new Set(models) })
}

describe.each(both)('a task of $model', (service) => {
  const versions =
    service.model === 'suno_music'
      ? [{ mv: 'chirp-v5' }, { MV: 'chirp-v5' }, { model: 'V5' }]
      : [{ botType: 'NIJI_JOURNEY' }, { bot_type: 'NIJI_JOURNEY' }, { model: 'V5' }]

  it('is held to the models of its key, wherever it names one', async () => {
    limitTo(service.model)
    for (const more of [
      ...versions,
      { models: ['suno_dear'] },
      { extra_body: { model: 'dear' } },
      { fallback: 'dear' },
    ]) {
      const refused = await submit(service, more)
      expect([refused.status, upstream.received.length], JSON.stringify(more)).toEqual([403, 0])
      expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    }
    expect((await submit(service, { route: 'fallback' })).status).toBe(400)
    expect((await submit(service, {})).status).toBe(200)
    expect(JSON.parse(sentBody())).toMatchObject(service.body)
  })

  it('may have any version without a list, those of its list with one, and all where the operator says so', async () => {
    for (const version of versions) expect((await submit(service, version)).status).toBe(200)
    limitTo(service.model, 'V5')
    expect((await submit(service, { model: 'V5' })).status).toBe(200)
    limitTo(service.model)
    const seen = upstream.received.length
    gateway.parts.settings = { ...testOptions, modelMembers: 'models' }
    limitTo(service.model)
    for (const version of versions) expect((await submit(service, version)).status).toBe(200)
    expect(upstream.received.length).toBe(seen + versions.length)
  })

  it('goes without the version where the operator wants such members left out', async () => {
    gateway.parts.settings = { ...testOptions, modelMembers: 'remove' }
    limitTo(service.model)
    const answer = await submit(service, { model: 'V5', models: ['dear'] })
    expect([answer.status, answer.headers.get('x-tollgate-lost-fields')]).toEqual([200, 'models, model'])
    expect(JSON.parse(sentBody())).toEqual(service.body)
  })

  it('is refused where a version hides behind a second one, or is no text', async () => {
    const [name = ''] = Object.keys(service.body).slice(1)
    const twins = `{"prompt":"x","${name}":"DEAR","${name}":"${Object.values(service.body)[1]}"}`
    expect((await submit(service, twins)).status).toBe(400)
    expect((await submit(service, { [name]: ['DEAR'] })).status).toBe(400)
    expect(upstream.received).toEqual([])
  })
})

describe('a limit of a version', () => {
  const day = { window: 'day' as const, subjects: [{ kind: 'model' as const, value: 'chirp-v5' }] }

  beforeEach(async () => {
    const limiter = openTestLimiter(
      [
        { ...day, amount: 2 },
        { ...day, measure: 'money', amount: 100_000_000 },
        { amount: 1, window: 'day', subjects: [{ kind: 'model' }, { kind: 'tag', value: 'none' }] },
      ],
      { clock: () => Date.parse('2026-11-24T12:00:00Z') },
    )
    await reopenGateway({ callLimits: limiter })
  })

  it('counts and refuses the tasks that choose it', async () => {
    const { suno } = services
    const statuses = []
    for (const mv of ['chirp-v5', 'chirp-v4', 'chirp-v5', 'chirp-v5', 'chirp-v4'])
      statuses.push((await submit(suno, { mv })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 200])
  })
})
