import { explainRoute, type QueryOf, virtualModelChange } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { relayRow } from '../../../test/support/features/channels.ts'
import { openai } from '../../providers/openai/provider.ts'
import { relayVirtualModel } from '../../relay/routing/virtual/virtual-model.ts'
import { explainRoutingOf } from '../channels/explain-routing.ts'
import { type RelayColumns, toRelayChannel } from '../channels/relay-channel.ts'
import { channelSnapshot } from '../channels/snapshot.ts'
import { explainRouteOf, type RouteExplanationParts } from './explain.ts'

const now = Date.parse('2026-11-24T12:00:00Z')

const channel = (change: Partial<RelayColumns>) => {
  const row = relayRow(change)
  return toRelayChannel(row, openai, row.key_cipher, (key) => key)
}

const smart = relayVirtualModel({
  ...virtualModelChange.parse({
    name: 'smart',
    rules: [
      { name: 'long', when: { prompt_from: 1000 }, steps: [{ targets: [{ model: 'big' }] }] },
      { name: 'red', when: { tags: ['team=red'] }, steps: [{ targets: [{ model: 'new' }] }] },
    ],
    steps: [
      { targets: [{ model: 'old', weight: 3, until: now / 1000 + 60 }, { model: 'new' }] },
      { targets: [{ model: 'spare', tag: 'eu' }] },
    ],
  }),
  id: 5,
  changed_time: 0,
})

const picture = channelSnapshot(
  [
    channel({ id: 1, models: 'old,new,big' }),
    channel({ id: 2, models: 'old', priority: -1 }),
    channel({ id: 3, models: 'spare', tag: 'eu' }),
    channel({ id: 4, models: 'spare' }),
  ],
  [smart],
)

const limited = { teamId: 0, group: '', userGroup: 'default', modelLimits: new Set(['old']), tags: '' }
const keys = [
  { id: 8, name: 'main', username: 'ann', ...limited },
  { id: 10, name: 'twin', username: 'ann', ...limited },
  { id: 11, name: 'twin', username: 'bob', ...limited },
  { id: 12, name: 'red', username: 'bob', ...limited, modelLimits: undefined, tags: ';team=red;' },
]

const parts: RouteExplanationParts = {
  snapshot: () => picture,
  channelsOf: (asked) =>
    explainRoutingOf({ snapshot: () => picture, stateOf: () => ({ state: 'closed', until: 0 }) }, asked),
  clock: () => now,
  keysOf: async (idOrName) => keys.filter(({ id, name }) => idOrName === String(id) || idOrName === name),
  isPriced: (model) => model !== 'big',
  choiceOf: () => 'priority',
}

type Question = QueryOf<typeof explainRoute>

const explain = (query: object) =>
  explainRouteOf(explainRoute.query?.parse(query) as QueryOf<typeof explainRoute>, parts)

it('shows every target of a virtual model with its share and its channels', async () => {
  const { virtual, refusal, targets } = await explain({ model: 'smart' })
  expect([virtual, refusal]).toEqual([{ id: 5, rule: '', price: 'answered' }, ''])
  expect(
    targets.map(({ model, step, share, channels }) => [
      model,
      step,
      share,
      channels.map(({ id, reason }) => [id, reason]),
    ]),
  ).toEqual([
    [
      'old',
      0,
      0.75,
      [
        [1, 'chosen'],
        [2, 'lower_priority'],
      ],
    ],
    ['new', 0, 0.25, [[1, 'chosen']]],
    ['spare', 1, 0, [[3, 'chosen']]],
  ])
})

it('follows the rule that would hold, and says that nothing there has a price', async () => {
  const { virtual, refusal, targets } = await explain({ model: 'smart', prompt: '5000' })
  expect([virtual?.rule, refusal, targets.map(({ model, priced }) => [model, priced])]).toEqual([
    'long',
    'no_price',
    [['big', false]],
  ])
})

it('knows the tags of a key, and of a call', async () => {
  const ruleOf = async (query: object) => (await explain({ model: 'smart', ...query })).virtual?.rule
  expect(await ruleOf({ key: 'red' })).toBe('red')
  expect(await ruleOf({ key: 'red', header: 'X-Tollgate-Tags: team=blue' })).toBe('')
  expect(await ruleOf({ header: 'X-Tollgate-Tags: env=test, team=red' })).toBe('red')
})

it('says which channel figures prefer, with the figures', async () => {
  const choices = relayVirtualModel({
    ...virtualModelChange.parse({ name: 'smart', choice: 'latency', steps: [{ targets: [{ model: 'new' }] }] }),
    id: 5,
    changed_time: 0,
  })
  const three = channelSnapshot(
    [1, 2, 3].map((id) => channel({ id, models: 'new' })),
    [choices],
  )
  const scoring = { scoreOf: ({ id }: { id: number }) => [0, 900, 550, 500][id], slack: 1.2, measures: true }
  const { targets, choice } = await explainRouteOf(explainRoute.query?.parse({ model: 'smart' }) as Question, {
    ...parts,
    snapshot: () => three,
    channelsOf: (asked) => {
      const health = { snapshot: () => three, stateOf: () => ({ state: 'closed' as const, until: 0 }) }
      return explainRoutingOf(health, { ...asked, scoring: asked.choice === 'latency' ? scoring : undefined })
    },
  })
  expect(choice).toBe('latency')
  expect(targets[0]?.channels.map(({ id, reason, share, score }) => [id, reason, share, score])).toEqual([
    [2, 'chosen', 0.5, 550],
    [3, 'chosen', 0.5, 500],
    [1, 'not_best', 0, 900],
  ])
})

it('knows what an API key may do', async () => {
  expect((await explain({ model: 'smart', key: '8' })).refusal).toBe('model_not_allowed')
  expect((await explain({ model: 'old', key: '8' })).refusal).toBe('')
  expect((await explain({ model: 'old', key: '9' })).refusal).toBe('key_not_found')
  expect((await explain({ model: 'smart', key: 'main' })).refusal).toBe('model_not_allowed')
  expect(await explain({ model: 'old', key: 'twin' })).toMatchObject({
    refusal: 'key_ambiguous',
    targets: [],
    keys: [
      { id: 10, name: 'twin', username: 'ann' },
      { id: 11, name: 'twin', username: 'bob' },
    ],
  })
})

it('explains plain models as well, and those that no channel has', async () => {
  expect(await explain({ model: 'old' })).toMatchObject({ virtual: null, targets: [{ model: 'old', share: 1 }] })
  expect((await explain({ model: 'none' })).refusal).toBe('no_channel')
})
