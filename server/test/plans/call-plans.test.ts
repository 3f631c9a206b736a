import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { role } from '@tollgate/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { moduleRights } from '../../../modules/lists/rights.ts'
import { withSession } from '../rights/calls.ts'
import { createPeople, type Person } from '../rights/people.ts'
import { openRightsSite, type RightsSite } from '../rights/site.ts'
import { redisHere, type TestRedis, testRedis } from '../support/lib/redis.ts'

/** Whatever is edited, and wherever: the plan with which a call begins is the one that is compiled from nothing. */

const names = ['gpt-4o', 'gpt-4o-mini', 'fast', 'clever', 'gpt-4-gizmo-x', 'ft:gpt-4o:me', 'unheard-of']
const dayMs = 86_400_000

interface Bench {
  readonly root: Person
  /** Bare keys. */
  readonly keys: readonly string[]
  /** Asks the console of a site as root; refusals are answers, too: nothing is changed then. */
  edit(site: RightsSite, method: string, path: string, body?: unknown): Promise<unknown>
}

const openBench = async (site: RightsSite): Promise<Bench> => {
  const people = createPeople(site)
  const [root, user, other] = [await people.make(role.root), await people.make(role.user), await people.make(role.user)]
  await site.database.query.updateTable('tokens').set({ unlimited_quota: 1 }).execute()
  return {
    root,
    keys: [root, user, other].map(({ apiKey }) => apiKey),
    async edit(at, method, path, body) {
      const headers = withSession(root)
      const answer = await at.ask({ method, path: `/api/${path}`, headers, ...(body === undefined ? {} : { body }) })
      return answer.json.success === true ? answer.json.data : undefined
    },
  }
}

/** Plans of all keys and names, compared member by member: an equal member that is another object is a stale one, too. */
const compare = async (site: RightsSite, { keys }: Bench, after: string): Promise<void> => {
  for (const key of keys) {
    for (const name of names) {
      const { used, fresh } = await site.checkPlan(key, name)
      if (typeof used === 'string' || typeof fresh === 'string') {
        expect({ after, name, plan: used }).toEqual({ after, name, plan: fresh })
        continue
      }
      expect({ after, name, caller: used.caller }).toEqual({ after, name, caller: fresh.caller })
      for (const member of Object.keys(fresh) as (keyof typeof fresh)[]) {
        if (member !== 'caller' && used[member] !== fresh[member])
          throw new Error(`after ${after}, ${member} of the plan for ${name} is not the present one`)
      }
    }
  }
}

type Edit = (site: RightsSite, bench: Bench, pick: number) => Promise<unknown>

const option =
  (key: string, value: (pick: number) => unknown): Edit =>
  (site, { edit }, pick) => {
    const chosen = value(pick)
    return edit(site, 'PUT', 'option/', { key, value: typeof chosen === 'string' ? chosen : JSON.stringify(chosen) })
  }

const idOf = async (site: RightsSite, table: 'channels' | 'virtual_models' | 'tokens' | 'users', pick: number) => {
  const rows = await site.database.query.selectFrom(table).select('id').orderBy('id').execute()
  return rows[pick % rows.length]?.id ?? 0
}

const channel = (pick: number) => ({
  type: pick % 2 === 0 ? 1 : 14,
  name: `made ${pick}`,
  key: `sk-made-${pick}`,
  models: names.slice(0, 1 + (pick % names.length)).join(','),
  group: pick % 3 === 0 ? 'default,vip' : 'default',
  priority: pick,
  ...(pick % 4 === 0 ? { setting: JSON.stringify({ passthrough: { groups: ['default'], price: 0 } }) } : {}),
})

const virtualModel = (pick: number) => ({
  name: pick % 2 === 0 ? 'clever' : 'gpt-4o-mini',
  steps: [{ targets: [{ model: 'gpt-4o' }] }],
})

const editsOfModules: Readonly<Record<string, Edit>> = Object.fromEntries(
  moduleRights
    .flatMap(({ edits: ofModule = {} }) => Object.entries(ofModule))
    .map(([name, make]): [string, Edit] => [
      name,
      (site, { edit, root }, pick) => {
        const { method, path, body } = make(pick, root)
        return edit(site, method, path, body)
      },
    ]),
)

const edits: Readonly<Record<string, Edit>> = {
  'a ratio of groups': option('GroupRatio', (pick) => ({ default: 1 + pick, vip: 2 })),
  'usable groups': option('UserUsableGroups', (pick) => (pick % 2 === 0 ? { default: '' } : { default: '', vip: '' })),
  'a price of a model': option('ModelPrice', (pick) => ({ 'unheard-of': pick / 10 })),
  'a ratio of a model': option('ModelRatio', (pick) => ({ 'gpt-4o': 1 + pick })),
  'an alias': option('GroupModelAliases', (pick) => ({ default: { fast: pick % 2 === 0 ? 'gpt-4o' : 'gpt-4o-mini' } })),
  'the end of a model': option('ModelEndDates', (pick) => ({
    'gpt-4o': {
      ends: new Date(Date.now() + (pick % 2 === 0 ? -2 : 2) * dayMs).toISOString().slice(0, 10),
      replaced_by: 'gpt-4o-mini',
    },
  })),
  'a limit of calls': option('ModelRequestRateLimitCount', (pick) => String(1000 + pick)),
  'a choice of channels': option('GroupChannelChoice', (pick) => ({ default: pick % 2 === 0 ? 'price' : 'latency' })),
  'a new channel': (site, { edit }, pick) => edit(site, 'POST', 'channel/', channel(pick)),
  'another channel': async (site, { edit }, pick) =>
    edit(site, 'PUT', 'channel/', { ...channel(pick + 1), key: '', id: await idOf(site, 'channels', pick) }),
  'a disabled channel': async (site, { edit }, pick) =>
    edit(site, 'PUT', 'channel/', { id: await idOf(site, 'channels', pick), status: 2 }),
  'a channel that goes': async (site, { edit }, pick) =>
    edit(site, 'DELETE', `channel/${await idOf(site, 'channels', pick)}`),
  'a virtual model': (site, { edit }, pick) => edit(site, 'POST', 'virtual-models', virtualModel(pick)),
  'a virtual model that goes': async (site, { edit }, pick) =>
    edit(site, 'DELETE', `virtual-models/${await idOf(site, 'virtual_models', pick)}`),
  'a version of the price lists': (site, { edit, root }) =>
    edit(site, 'POST', `price_lists/${root.proposalId}/apply`, {}),
  'a declared usage': (site, { edit, root }, pick) =>
    edit(site, 'POST', `declared_usage/${root.unknownUsageId}`, {
      as: 'piece',
      piece: pick % 2 === 0 ? 'input' : 'output',
    }),
  ...editsOfModules,
  'the models of a key': async (site, { edit, root }, pick) =>
    edit(site, 'PUT', 'token/', {
      id: root.tokenId,
      name: 'main',
      unlimited_quota: true,
      expired_time: pick % 3 === 0 ? Math.floor(Date.now() / 1000) + 60 : -1,
      model_limits_enabled: pick % 2 === 0,
      model_limits: names.slice(0, pick).join(','),
    }),
  'a user': async (site, { edit, keys }, pick) =>
    edit(site, 'POST', 'user/manage', {
      id: await idOf(site, 'users', pick % (keys.length + 1)),
      action: pick % 2 === 0 ? 'disable' : 'enable',
    }),
}

const editNames = Object.keys(edits)

const make = async (name: string, site: RightsSite, bench: Bench, pick: number): Promise<void> => {
  await edits[name]?.(site, bench, pick)
}

describe('plans of calls', () => {
  let site: RightsSite
  let bench: Bench

  beforeAll(async () => {
    site = await openRightsSite()
    bench = await openBench(site)
    await bench.edit(site, 'POST', 'channel/', channel(6))
  }, 120_000)
  afterAll(() => site?.close())

  it.each(editNames)('are the present ones after %s', async (name) => {
    for (const pick of [1, 2, 3]) {
      await compare(site, bench, 'nothing')
      await make(name, site, bench, pick)
      await compare(site, bench, name)
    }
  })

  it('are the present ones after any history', async () => {
    const history = fc.array(fc.tuple(fc.constantFrom(...editNames), fc.nat(9)), { minLength: 5, maxLength: 15 })
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        for (const [name, pick] of steps) {
          await make(name, site, bench, pick)
          await compare(site, bench, name)
        }
      }),
      { numRuns: 5 },
    )
  }, 120_000)

  it('are the same object until something changes', async () => {
    await make('a new channel', site, bench, 6)
    const [first, second] = [await site.checkPlan(bench.keys[1] ?? '', names[0] ?? ''), undefined]
    expect(second ?? (await site.checkPlan(bench.keys[1] ?? '', names[0] ?? '')).used).toBe(first.used)
  })
})

describe.skipIf(!redisHere)('plans of calls on two nodes', () => {
  let redis: TestRedis
  let directory: string
  let nodes: readonly [RightsSite, RightsSite] | undefined
  let bench: Bench

  beforeAll(async () => {
    redis = await testRedis()
    await redis.start()
    directory = await mkdtemp(join(tmpdir(), 'tollgate-plans-'))
    const shared = { SQLITE_PATH: join(directory, 'shared.db'), REDIS_CONN_STRING: redis.url }
    const one = await openRightsSite({ ...shared, NODE_NAME: 'one' })
    bench = await openBench(one)
    await bench.edit(one, 'POST', 'channel/', channel(6))
    nodes = [one, await openRightsSite({ ...shared, NODE_NAME: 'two' })]
  }, 120_000)
  afterAll(async () => {
    for (const node of nodes ?? []) await node.close()
    await redis?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it.each(editNames)('are the present ones on one node after %s on the other', async (name) => {
    const [one, two] = nodes ?? []
    if (one === undefined || two === undefined) throw new Error('a node is missing')
    await compare(one, bench, 'nothing')
    await make(name, two, bench, 2)
    await make('a new channel', two, bench, 6)
    const made = await idOf(
      two,
      'channels',
      -1 + (await two.database.query.selectFrom('channels').select('id').execute()).length,
    )
    await vi.waitFor(async () => {
      await compare(one, bench, name)
      const { fresh } = await one.checkPlan(bench.keys[2] ?? '', 'gpt-4o')
      if (typeof fresh !== 'string') expect(fresh.snapshot.byId(made)).toBeDefined()
    }, 10_000)
    await compare(one, bench, name)
  })
})
