import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import { role } from '@tollgate/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { moduleRights } from '../../../modules/lists/rights.ts'
import type { AskedName } from '../../src/gateway/plan/compile-plan.ts'
import type { CheckedCaller, CheckedPlan } from '../../src/gateway/plan/plan-check.ts'
import type { CallPlan, DirectPlan } from '../../src/relay/plan/call-plan.ts'
import { withSession } from '../rights/calls.ts'
import { createPeople, type Person } from '../rights/people.ts'
import { openRightsSite, type RightsSite } from '../rights/site.ts'
import { redisHere, type TestRedis, testRedis } from '../support/lib/redis.ts'

/** Whatever is edited, and wherever: the plan with which a call begins is the one that is compiled from nothing. */

const taskNames = ['mj_imagine', 'suno_music']
const names = ['gpt-4o', 'gpt-4o-mini', 'fast', 'clever', 'gpt-4-gizmo-x', 'ft:gpt-4o:me', 'not-listed', ...taskNames]
/** All kinds of routes: those whose names follow from a path have no others. */
const asked: readonly AskedName[] = [
  ...(['relay', 'written', 'session', 'kept', 'raw'] as const).flatMap((kind) => names.map((name) => ({ kind, name }))),
  ...taskNames.map((name) => ({ kind: 'task', name }) as const),
]
const gpt = { kind: 'relay', name: 'gpt-4o' } as const
const dayMs = 86_400_000
const limitSteps = ['calls', 'models', 'channels'] as const

interface Bench {
  readonly root: Person
  /** Bare keys; the last one is of a project. */
  readonly keys: readonly string[]
  /** Callers of all kinds: keys, the root's held to a channel, and a user in the playground. */
  callers(site: RightsSite): Promise<readonly CheckedCaller[]>
  /** Asks the console of a site as root; false where that refuses, and nothing is changed. */
  edit(site: RightsSite, method: string, path: string, body?: unknown): Promise<boolean>
  /** The answer of the same. */
  ask(site: RightsSite, method: string, path: string, body?: unknown): Promise<unknown>
}

const openBench = async (site: RightsSite): Promise<Bench> => {
  const people = createPeople(site)
  const [root, user, other] = [await people.make(role.root), await people.make(role.user), await people.make(role.user)]
  await site.database.query.updateTable('tokens').set({ unlimited_quota: 1 }).execute()
  const { key_cipher: cipher } = await site.database.query
    .selectFrom('tokens')
    .select('key_cipher')
    .where('id', '=', root.projectKeyId)
    .executeTakeFirstOrThrow()
  const keys = [root, user, other].map(({ apiKey }) => apiKey)
  const projectKey = site.secrets.decrypt('token_key', cipher)
  const answerOf = async (at: RightsSite, method: string, path: string, body?: unknown) => {
    const headers = withSession(root)
    const { json } = await at.ask({ method, path: `/api/${path}`, headers, ...(body === undefined ? {} : { body }) })
    return json
  }
  return {
    root,
    keys: [...keys, projectKey],
    async callers({ database }) {
      const channels = await database.query.selectFrom('channels').select('id').orderBy('id').execute()
      const row = await database.query
        .selectFrom('users')
        .select(['id', 'username', 'role', 'status', 'group'])
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow()
      return [
        ...[...keys, projectKey].map((key) => ({ key })),
        ...[channels.at(0), channels.at(-1)].map((one) => ({ key: root.apiKey, channel: one?.id })),
        { user: { ...row, acceptsUnpricedModels: false } },
      ]
    },
    edit: async (at, method, path, body) => (await answerOf(at, method, path, body)).success === true,
    ask: async (at, method, path, body) => (await answerOf(at, method, path, body)).data,
  }
}

/** Members that are made anew with each plan; of all others an equal member that is another object is a stale one. */
const made: ReadonlySet<string> = new Set(['caller', 'held', 'price', 'targetPrices', 'origins', 'until'])

/** Members of a plan. Lists of limits are made with it, so their limits stand one by one. */
const membersOf = (plan: CallPlan | DirectPlan): ReadonlyMap<string, unknown> => {
  const { limits, ...others } = { limits: undefined, ...plan }
  const lists = limitSteps.flatMap((step) =>
    (limits?.[step] ?? []).map((limit, index) => [`limit ${index} of ${step}`, limit] as const),
  )
  return new Map<string, unknown>([...Object.entries(others), ...lists])
}

const compareOne = (
  { used, fresh }: CheckedPlan<CallPlan | DirectPlan>,
  place: { readonly after: string; readonly of: string },
): void => {
  if (typeof used === 'string' || typeof fresh === 'string') {
    expect({ ...place, plan: used }).toEqual({ ...place, plan: fresh })
    return
  }
  const [before, now] = [membersOf(used), membersOf(fresh)]
  expect([...before.keys()]).toEqual([...now.keys()])
  for (const [member, value] of now) {
    const isSame = made.has(member) ? isDeepStrictEqual(before.get(member), value) : before.get(member) === value
    if (!isSame) throw new Error(`after ${place.after}, ${member} of the plan of ${place.of} is not the present one`)
  }
}

/** Plans of all callers, kinds and names, and of their direct calls to every channel. */
const compare = async (site: RightsSite, bench: Bench, after: string): Promise<void> => {
  const channels = await site.database.query.selectFrom('channels').select('id').execute()
  for (const caller of await bench.callers(site)) {
    for (const one of asked)
      compareOne(await site.checkPlan.of(caller, one), { after, of: JSON.stringify({ ...caller, ...one }) })
    for (const { id } of [...channels, { id: 0 }])
      compareOne(await site.checkPlan.direct(caller, id), { after, of: JSON.stringify({ ...caller, direct: id }) })
  }
}

/** True where something was changed. */
type Edit = (site: RightsSite, bench: Bench, pick: number) => Promise<boolean>

const option =
  (key: string, value: (pick: number) => unknown): Edit =>
  (site, { edit }, pick) => {
    const chosen = value(pick)
    return edit(site, 'PUT', 'option/', { key, value: typeof chosen === 'string' ? chosen : JSON.stringify(chosen) })
  }

const idOf = async (
  site: RightsSite,
  table: 'channels' | 'virtual_models' | 'tokens' | 'users' | 'call_limits',
  pick: number,
) => {
  const rows = await site.database.query.selectFrom(table).select('id').orderBy('id').execute()
  return rows[pick % rows.length]?.id ?? 0
}

const channel = (pick: number) => ({
  type: pick % 2 === 0 ? 1 : 14,
  name: `made ${pick}`,
  key: `sk-made-${pick}`,
  models: names.filter((_, index) => index === 0 || (index + pick) % 3 > 0).join(','),
  group: pick % 3 === 0 ? 'default,vip' : 'default',
  priority: pick,
  ...(pick % 2 === 0 ? { setting: JSON.stringify({ passthrough: { groups: ['default'], price: pick } }) } : {}),
})

/** A limit of a key, user, group, organisation, model or channel, or of two of them. */
const limit = (pick: number, { id, tokenId }: Pick<Person, 'id' | 'tokenId'>) => {
  const [key, user] = [
    { kind: 'key', value: String(tokenId) },
    { kind: 'user', value: String(id) },
  ]
  const choices = [
    [{ kind: 'group', value: pick % 4 === 0 ? 'vip' : 'default' }],
    [key],
    [user, { kind: 'model', value: 'gpt-4o' }],
    [{ kind: 'model' }, { kind: 'address' }],
    [{ kind: 'virtual_model', value: 'clever' }],
    [{ kind: 'team' }],
    [{ kind: 'project' }, { kind: 'model', value: 'gpt-4o-mini' }],
    [{ kind: 'member' }, { kind: 'end_user' }],
    [{ kind: 'channel' }, user],
    [{ kind: 'tag', value: 'team' }, key],
  ]
  return {
    name: `limit ${pick}`,
    measure: 'requests',
    amount: 1000 + pick,
    window: 'day',
    subjects: choices[pick % choices.length],
  }
}

const proposal = z.object({ id: z.int() })
const version = z.object({ changes: z.array(z.object({ id: z.int() })) })
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
  'a price of a model': option('ModelPrice', (pick) => ({ 'not-listed': pick / 10 })),
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
  'a version of the price lists': async (site, { ask, edit }, pick) => {
    const rates = { input: String(0.15 + pick / 100), output: '0.6' }
    const prices = [{ provider: 'openai', model: 'gpt-4o-mini', source: '', prices: [{ rates }] }]
    const packed = deflateRawSync(JSON.stringify(prices)).toString('base64')
    const read = await ask(site, 'POST', 'price_lists/upload', { name: 'prices.json', packed })
    const { id } = proposal.parse(read)
    // The file has no price that is not in force.
    if (id === 0) return false
    const { changes } = version.parse(await ask(site, 'GET', `price_lists/${id}`))
    const decisions = Object.fromEntries(changes.map((change) => [change.id, 'apply']))
    return edit(site, 'POST', `price_lists/${id}/apply`, { decisions })
  },
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
  'the channels of an organisation': async (site, { edit, root }, pick) =>
    edit(site, 'PUT', `organisation/site/${root.organisationId}/fences`, {
      subject: 'organisation',
      subject_id: 0,
      channels: pick % 3 === 0 ? [] : [await idOf(site, 'channels', pick)],
    }),
  'a limit': (site, { edit, root }, pick) => edit(site, 'POST', 'limits', limit(pick, root)),
  'a limit of an own key': (site, { edit, root }, pick) =>
    edit(site, 'POST', 'limits/self', { ...limit(1, root), amount: 1 + pick }),
  'another limit': async (site, { edit, root }, pick) =>
    edit(site, 'PUT', `limits/${await idOf(site, 'call_limits', pick)}`, limit(pick + 1, root)),
  'a disabled limit': async (site, { edit, root }, pick) =>
    edit(site, 'PUT', `limits/${await idOf(site, 'call_limits', pick)}`, { ...limit(pick, root), enabled: false }),
  'a limit that goes': async (site, { edit }, pick) =>
    edit(site, 'DELETE', `limits/${await idOf(site, 'call_limits', pick)}`),
  'losses that are avoided': option('RouteAroundLossEnabled', (pick) => String(pick % 2 === 0)),
  'a user': async (site, { edit, keys }, pick) =>
    edit(site, 'POST', 'user/manage', {
      id: await idOf(site, 'users', pick % (keys.length + 1)),
      action: pick % 2 === 0 ? 'disable' : 'enable',
    }),
}

const editNames = Object.keys(edits)

const make = (name: string, site: RightsSite, bench: Bench, pick: number): Promise<boolean> | undefined =>
  edits[name]?.(site, bench, pick)

describe('plans of calls', () => {
  let site: RightsSite
  let bench: Bench

  beforeAll(async () => {
    site = await openRightsSite()
    bench = await openBench(site)
    await bench.edit(site, 'POST', 'channel/', channel(6))
  })
  afterAll(() => site?.close())

  it.each(editNames)('are the present ones after %s', async (name) => {
    const changes: (boolean | undefined)[] = []
    for (const pick of [1, 2, 3]) {
      await compare(site, bench, 'nothing')
      changes.push(await make(name, site, bench, pick))
      await compare(site, bench, name)
    }
    expect(changes).toContain(true)
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
  })

  it('are there for every kind of call', async () => {
    await make('a new channel', site, bench, 6)
    await make('the models of a key', site, bench, 3)
    const callers = await bench.callers(site)
    const kinds = new Set<string>()
    for (const caller of callers)
      for (const one of asked) {
        const { used } = await site.checkPlan.of(caller, one)
        if (typeof used !== 'string') kinds.add(`${one.kind} ${'user' in caller} ${'channel' in caller}`)
      }
    const ofCallers = ['false false', 'false true', 'true false']
    const expected = [...new Set(asked.map(({ kind }) => kind))].flatMap((kind) =>
      ofCallers.map((of) => `${kind} ${of}`),
    )
    expect([...kinds].sort()).toEqual(expected.sort())
  })

  it('have the limits that can count their calls, and no others', async () => {
    await make('the end of a model', site, bench, 1)
    for (const pick of [1, 3, 5, 7, 9]) await make('a user', site, bench, pick)
    while (await make('a limit that goes', site, bench, 0));
    for (const pick of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) await make('a limit', site, bench, pick)
    const idsOf = async (caller: CheckedCaller, one: AskedName) => {
      const { used } = await site.checkPlan.of(caller, one)
      if (typeof used === 'string') throw new Error(`${one.name} is refused: ${used}`)
      return limitSteps.map((step) => new Set(used.limits?.[step].map(({ name }) => name)))
    }
    const [rootKey = '', userKey = '', , projectKey = ''] = bench.keys
    await make('a new channel', site, bench, 6)
    const ofAll = ['limit 3']
    const ofRoot = ['limit 1', 'limit 2', 'limit 9', ...ofAll]
    const [calls, models, channels] = await idsOf({ key: rootKey }, gpt)
    expect(calls).toEqual(new Set(ofRoot))
    expect(models).toEqual(new Set(['limit 2', ...ofAll]))
    expect(channels).toEqual(new Set(['limit 8']))
    expect(await idsOf({ key: userKey }, gpt)).toEqual([new Set(ofAll), new Set(ofAll), new Set()])
    const [ofProject] = await idsOf({ key: projectKey }, { kind: 'raw', name: 'gpt-4o-mini' })
    expect(ofProject).toEqual(new Set(['limit 5', 'limit 6', 'limit 7', ...ofAll]))
  })

  it('are the same objects until something changes', async () => {
    await make('a new channel', site, bench, 6)
    const plansOf = async (caller: CheckedCaller) => [
      (await site.checkPlan.of(caller, gpt)).used,
      (await site.checkPlan.of(caller, { kind: 'session', name: 'gpt-4o' })).used,
      (await site.checkPlan.direct(caller, await idOf(site, 'channels', 0))).used,
    ]
    for (const caller of await bench.callers(site)) {
      const first = await plansOf(caller)
      for (const [index, plan] of (await plansOf(caller)).entries()) expect(plan).toBe(first[index])
    }
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
  })
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
      const { fresh } = await one.checkPlan.of({ key: bench.keys[2] ?? '' }, gpt)
      if (typeof fresh !== 'string') expect(fresh.snapshot.byId(made)).toBeDefined()
    })
    await compare(one, bench, name)
  })
})
