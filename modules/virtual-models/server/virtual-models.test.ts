import { type VirtualModel, virtualModelChange } from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import { openLiveVirtualModels } from '#server/features/virtual-models/live-virtual-models.ts'
import { virtualModelRoutes } from '#server/features/virtual-models/routes.ts'
import { writeLogs } from '#server/ledger/apply/log-rows.ts'
import { localBus } from '#server/lib/redis/local-bus.ts'
import type { RequestRecord } from '#server/relay/ports.ts'
import type { RelayVirtualModel } from '#server/relay/routing/virtual/virtual-model.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { signedIn } from '#server-test/support/features/signed-in.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { joinVirtualModels } from './join.ts'

const now = Date.parse('2026-11-20T12:30:00Z')
const clock = () => now
/** Parts of the kernel's calls beside the list, which these tests do not use. */
const others = {} as Pick<Parameters<typeof virtualModelRoutes>[1], 'explanation' | 'hedging'>
const log = { warn: () => {}, error: () => {}, info: () => {} }

describeEachEngine('virtual models of operators', (open) => {
  let database: Database
  /** Virtual models by which the relay of each of two nodes routes. */
  let nodes: (readonly RelayVirtualModel[])[]
  let call: ReturnType<typeof signedIn>

  beforeEach(async () => {
    database = await open()
    nodes = [[], []]
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
    const models = await openNode(0)
    await openNode(1)
    call = signedIn(
      (on) => {
        virtualModelRoutes(on, { models, ...others })
        joinVirtualModels({
          database,
          logDatabase: database,
          audit: openAudit(database, clock),
          clock,
          on,
          refreshVirtualModels: models.refresh,
        })
      },
      { id: 7, role: 10, username: 'op' },
    )
  })

  const spec = { name: 'smart', steps: [{ targets: [{ model: 'gpt-5' }] }] }
  const names = () => nodes.map((models) => models.map(({ name }) => name))

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
