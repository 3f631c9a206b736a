import { virtualModelChange } from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'
import { localBus } from '../../lib/redis/local-bus.ts'
import { openHedgeBudget } from '../../relay/routing/hedging/hedge-budget.ts'
import type { RelayVirtualModel } from '../../relay/routing/virtual/virtual-model.ts'
import { type LiveVirtualModels, openLiveVirtualModels } from './live-virtual-models.ts'
import { virtualModelRoutes } from './routes.ts'
import { addVirtualModel } from './store.ts'

const now = Date.parse('2026-11-20T12:30:00Z')
const clock = () => now
const limits = () => ({ perHour: 100, perDay: 1000 })
const newHedging = () => ({
  limits,
  budget: openHedgeBudget(limits),
  isOn: () => true,
  channelName: (id: number) => `Channel ${id}`,
})
/** The explanation of routes has tests of its own. */
const noExplanation = {} as Parameters<typeof virtualModelRoutes>[1]['explanation']
const log = { warn: () => {}, error: () => {}, info: () => {} }

describeEachEngine('virtual models', (open) => {
  let database: Database
  /** Virtual models by which the relay of each of two nodes routes. */
  let nodes: (readonly RelayVirtualModel[])[]
  let call: ReturnType<typeof signedIn>
  let hedging: ReturnType<typeof newHedging>
  let models: LiveVirtualModels

  beforeEach(async () => {
    database = await open()
    nodes = [[], []]
    hedging = newHedging()
    const local = localBus(log as never)
    const openNode = (node: number) =>
      openLiveVirtualModels({
        database,
        bus: {
          publish: (topic, message = '') => local.deliver(topic, { kind: 'message', message, own: false }),
          subscribe: local.subscribe,
        },
        changed: (models) => {
          nodes[node] = models
        },
        warn: () => {},
      })
    models = await openNode(0)
    await openNode(1)
    call = signedIn(
      (on) =>
        virtualModelRoutes(on, {
          models,
          hedging: { database, clock, ...hedging },
          explanation: noExplanation,
        }),
      {
        id: 7,
        role: 10,
        username: 'op',
      },
    )
  })

  it('say what asking second channels cost', async () => {
    const created_at = Math.floor(now / 3_600_000) * 3600
    const row = { channel_id: 3, model_name: 'gpt', count: 4, won: 3, cost: 70 }
    await database.query
      .insertInto('hedge_hours')
      .values({ created_at, ...row })
      .execute()
    expect((await call('GET', '/api/route/hedging')).json.data).toEqual({
      spent: { hour: 70, day: 70, hour_limit: 100, day_limit: 1000 },
      on: true,
      sums: [{ ...row, channel_name: 'Channel 3' }],
    })
    expect(hedging.budget.take(40, now)).toBeUndefined()
  })

  const spec = { name: 'smart', steps: [{ targets: [{ model: 'gpt-5' }] }] }
  const names = () => nodes.map((models) => models.map(({ name }) => name))

  it('are found at the next look where a command has written them', async () => {
    await database.transaction((trx) => addVirtualModel(trx, virtualModelChange.parse(spec), now / 1000))
    expect(names()).toEqual([[], []])
    await models.look()
    expect(names()).toEqual([['smart'], []])
    const before = nodes[0]
    await models.look()
    expect(nodes[0]).toBe(before)
  })

  it('are listed, and known to the relay of every node once something says that it wrote some', async () => {
    await database.transaction((trx) => addVirtualModel(trx, virtualModelChange.parse(spec), now / 1000))
    await models.refresh()
    await expect.poll(names).toEqual([['smart'], ['smart']])
    expect((await call('GET', '/api/virtual-models')).json.data).toMatchObject([{ name: 'smart', enabled: true }])
  })
})
