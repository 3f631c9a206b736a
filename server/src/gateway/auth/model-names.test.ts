import { expect, it } from 'vitest'
import { testToken } from '../../../test/support/gateway/listener.ts'
import {
  ask,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { completion, json } from '../../../test/support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '../../../test/support/relay/ports.ts'

useScene()

const dayMs = 86_400_000
const models = new Set(['gpt-4o', 'gpt-5'])

const use = (settings: Partial<typeof testOptions>) =>
  reopenGateway({
    settings: { ...testOptions, ...settings },
    channels: openTestChannels(testChannel({ baseUrl: upstream.url, models })),
  })
const aliases = (group: string) => ({ modelAliases: new Map([[group, new Map([['fast', 'gpt-4o']])]]) })
const ends = (at: number, replacedBy = 'gpt-5') => ({ modelEnds: new Map([['gpt-4o', { at, replacedBy }]]) })
const askFor = (model: string) => ask({ ...hi, model })
const sentModel = (): string => JSON.parse(sentBody()).model

it('an alias of a group means its model, which is what is billed; the log keeps the name', async () => {
  await use(aliases('default'))
  upstream.answer = json(completion('hello'))
  expect((await askFor('fast')).status).toBe(200)
  expect(sentModel()).toBe('gpt-4o')
  expect(lastRecord()).toMatchObject({ kind: 'charge', model: 'gpt-4o', other: { asked_name: 'fast' } })
  await askFor('gpt-4o')
  expect(lastRecord()?.other).not.toHaveProperty('asked_name')
})

it('an alias of another group means nothing', async () => {
  await use(aliases('vip'))
  expect((await askFor('fast')).status).toBe(404)
})

it('an alias gives a key no model that it may not use', async () => {
  await use(aliases('default'))
  gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['fast', 'gpt-5']) })
  expect((await askFor('fast')).status).toBe(403)
})

it('aliases are in the list of models', async () => {
  await use(aliases('default'))
  const list = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: 'Bearer sk-good' } })
  const { data } = (await list.json()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).toEqual(['fast', 'gpt-4o', 'gpt-5'])
  const one = await fetch(`${gateway.url}/v1/models/fast`, { headers: { authorization: 'Bearer sk-good' } })
  expect(one.status).toBe(200)
})

it('a model that has ended is replaced from its day on, not before', async () => {
  upstream.answer = json(completion('hello'))
  await use(ends(Date.now() + dayMs))
  await askFor('gpt-4o')
  expect(sentModel()).toBe('gpt-4o')
  await use(ends(Date.now() - 1))
  await askFor('gpt-4o')
  expect([sentModel(), lastRecord()?.model, lastRecord()?.other.asked_name]).toEqual(['gpt-5', 'gpt-5', 'gpt-4o'])
  await use(ends(Date.now() - 1, ''))
  await askFor('gpt-4o')
  expect(sentModel()).toBe('gpt-4o')
})

it('an alias of a model that has ended means the one that follows it', async () => {
  upstream.answer = json(completion('hello'))
  await use({ ...aliases('default'), ...ends(Date.now() - 1) })
  await askFor('fast')
  expect(sentModel()).toBe('gpt-5')
})
