import { type VirtualModel, virtualModelChange } from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import { aJournalRecord } from '../../../test/support/journal/records.ts'
import type { Database } from '../../db/database.ts'
import { writeLogs } from '../../ledger/apply/log-rows.ts'
import { localBus } from '../../lib/redis/local-bus.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { openHedgeBudget } from '../../relay/routing/hedging/hedge-budget.ts'
import type { RelayVirtualModel } from '../../relay/routing/virtual/virtual-model.ts'
import { openAudit } from '../audit/audit.ts'
import { openRulePreview } from './preview.ts'
import { virtualModelRoutes } from './routes.ts'
import { addVirtualModel } from './store.ts'
import { openVirtualModels, type VirtualModels } from './virtual-models.ts'

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
  let models: VirtualModels

  beforeEach(async () => {
    database = await open()
    nodes = [[], []]
    hedging = newHedging()
    const local = localBus(log as never)
    const openNode = (node: number) =>
      openVirtualModels({
        database,
        audit: openAudit(database, clock),
        bus: {
          publish: (topic, message = '') => local.deliver(topic, { kind: 'message', message, own: false }),
          subscribe: local.subscribe,
        },
        clock,
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
          preview: openRulePreview(database, clock),
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

  it('are stored, listed and known to the relay of every node', async () => {
    const made = await call('POST', '/api/virtual-models', spec)
    expect(made.json.data).toMatchObject({ ...virtualModelChange.parse(spec), changed_time: now / 1000 })
    await expect.poll(names).toEqual([['smart'], ['smart']])
    const { id } = made.json.data as VirtualModel
    const changed = { ...spec, name: 'smarter', enabled: false }
    expect((await call('PUT', `/api/virtual-models/${id}`, changed)).json.success).toBe(true)
    await expect.poll(names).toEqual([[], []])
    expect((await call('GET', '/api/virtual-models')).json.data).toMatchObject([
      { id, name: 'smarter', enabled: false },
    ])
    expect((await call('DELETE', `/api/virtual-models/${id}`)).json.success).toBe(true)
    expect((await call('GET', '/api/virtual-models')).json.data).toEqual([])
    const trail = await database.query.selectFrom('audit').select(['action', 'object_id']).orderBy('id').execute()
    expect(trail.map(({ action }) => action)).toEqual([
      'virtual_model.create',
      'virtual_model.update',
      'virtual_model.delete',
    ])
  })

  it('have names of their own', async () => {
    const [one, other] = [
      await call('POST', '/api/virtual-models', spec),
      await call('POST', '/api/virtual-models', spec),
    ]
    expect(other.json.code).toBe('virtual_model_taken')
    const { id } = one.json.data as VirtualModel
    expect((await call('PUT', `/api/virtual-models/${id}`, spec)).json.success).toBe(true)
    expect((await call('PUT', '/api/virtual-models/999', spec)).json.code).toBe('virtual_model_not_found')
  })

  const target = { model: 'gpt-5' }
  const steps = [{ targets: [target] }]
  it.each([
    ['no step', { name: 'a', steps: [] }],
    ['a name without letters', { name: ' ', steps }],
    ['a weight of zero', { name: 'a', steps: [{ targets: [{ ...target, weight: 0 }] }] }],
    ['an end before its beginning', { name: 'a', steps: [{ targets: [{ ...target, from: 9, until: 8 }] }] }],
    ['a rule without a condition', { name: 'a', steps, rules: [{ name: 'r', when: {}, steps }] }],
    [
      'a condition that never holds',
      { name: 'a', steps, rules: [{ name: 'r', when: { prompt_from: 9, prompt_below: 9 }, steps }] },
    ],
    [
      'two rules of a name',
      { name: 'a', steps, rules: [0, 1].map(() => ({ name: 'r', when: { stream: true }, steps })) },
    ],
    ['a field that nobody knows', { name: 'a', steps, stepz: 1 }],
  ])('are refused with %s', async (_, body) => {
    expect((await call('POST', '/api/virtual-models', body)).json.success).toBe(false)
    expect((await call('GET', '/api/virtual-models')).json.data).toEqual([])
  })

  it('say how many of the last calls each rule would have taken', async () => {
    const logged = (id: string, more: Partial<RequestRecord>) => aJournalRecord(id, { at: now - 60_000, ...more })
    await writeLogs({ database, logDatabase: database }, [
      logged('a', { model: 'gpt-5', group: 'vip', promptTokens: 10 }),
      logged('b', { model: 'gpt-5', group: 'default', promptTokens: 90_000 }),
      logged('c', { model: 'gpt-5', group: 'default', promptTokens: 10, tags: ';env=test;' }),
      logged('d', { model: 'other', group: 'vip', promptTokens: 10 }),
      logged('e', { model: 'gpt-5', group: 'vip', promptTokens: 10, at: now - 90_000_000 }),
    ])
    const rules = [
      { name: 'vip', when: { groups: ['vip'] }, steps },
      { name: 'long', when: { prompt_from: 50_000, tools: true }, steps },
      { name: 'test', when: { tags: ['env=prod', 'env=test'] }, steps },
    ]
    expect((await call('POST', '/api/virtual-models/preview', { ...spec, rules })).json.data).toEqual({
      calls: 3,
      rules: [
        { rule: 'vip', calls: 1, at_most: false },
        { rule: 'long', calls: 1, at_most: true },
        { rule: 'test', calls: 1, at_most: false },
        { rule: '', calls: 0, at_most: false },
      ],
    })
  })
})
