import { createHash } from 'node:crypto'
import type { PriceBook } from '#server/billing/prices.ts'
import type { Database } from '#server/db/database.ts'
import { jobHookListener } from '#server/features/job-hooks/listener.ts'
import type { CallerUser } from '#server/gateway/ports.ts'
import { createRequestContexts } from '#server/http/request-context.ts'
import { type EndedJob, openJobEnds } from '#server/jobs/job-ends.ts'
import { openJobHooks } from '#server/jobs/job-hooks.ts'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import { silentLog } from '#server/lib/log.ts'
import { type Bus, openBus } from '#server/lib/redis/bus.ts'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { createGuardedDownload } from '#server/lib/security/guarded-download.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import type { CallLimits } from '#server/limits/call-limits.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { openProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import { openUndiciUpstream } from '#server/relay/upstream/upstream-undici.ts'
import { bookWith } from '#server-test/support/billing/price.ts'
import { openTestGateway, testToken, testUser } from '#server-test/support/gateway/listener.ts'
import { newJournalDirectory, newToken, newUser, openTestLedger } from '#server-test/support/ledger/ledger.ts'
import { testRateLimiter } from '#server-test/support/limits/limiter.ts'
import { openTestChannels, openTestRelay, testChannel } from '#server-test/support/relay/ports.ts'
import { openVideoEngine } from '../server/engine.ts'
import { type FakeProvider, openFakeProvider } from './video-provider.ts'

/** 6 $ a minute: 50,000 units a second at 500,000 units for a dollar. */
export const perMinute = 6
export const unitsPerSecond = 50_000

export const videoPrices = (models: readonly string[]): PriceBook =>
  bookWith({
    modelRatio: {},
    modelPrice: {},
    measurePrices: Object.fromEntries(models.map((model) => [`minute:${model}`, perMinute])),
  })

export interface SceneParts {
  readonly balance?: number
  readonly changes?: Partial<RelayChannel>
  readonly more?: readonly RelayChannel[]
  readonly prices?: PriceBook
  readonly callLimits?: CallLimits
  /** The person behind the session of the console, who is the owner of the first key. */
  readonly visitor?: Partial<CallerUser>
  /** Addresses that content may be fetched from, beside public ones. */
  readonly allow?: readonly string[]
  /** Option ServerAddress; none where it is absent. */
  readonly serverAddress?: string
}

interface NodeParts {
  readonly database: Database
  readonly provider: FakeProvider
  readonly directory: string
  readonly name: string
  readonly users: readonly { readonly id: number; readonly tokenId: number }[]
  readonly clock: () => number
  readonly bus: Bus
  readonly scene: SceneParts
}

const names = ['good', 'ben'] as const

const openNode = async ({ database, provider, directory, name, users, clock, bus, scene }: NodeParts) => {
  const open = await openTestLedger(database, directory)
  const upstream = openUndiciUpstream()
  const { recorder } = openTestRelay({ upstream })
  const own = testChannel({
    id: 7,
    type: 1,
    keys: ['sk-account'],
    models: new Set(['sora-2']),
    baseUrl: provider.url,
    ...scene.changes,
  })
  const channels = openTestChannels(own, ...(scene.more ?? []))
  const relay = openTestRelay({
    channels,
    recorder: Object.assign(recorder, open.ledger.recorder),
    holds: Object.assign(open.ledger.holds, { ends: [] }),
    prices: scene.prices ?? videoPrices(['sora-2']),
    upstream,
    clock,
    ...(scene.callLimits === undefined ? {} : { callLimits: scene.callLimits }),
  })
  const log: string[] = []
  const jobEnds = openJobEnds()
  const ends: EndedJob[] = []
  jobEnds.listen({ write: async (_, end) => void ends.push(end), ended: () => {} })
  const secrets = openSecrets({ cryptoSecret: 'a secret of all nodes', keyFile: '' })
  const jobHooks = openJobHooks({ secrets, serverAddress: () => scene.serverAddress ?? '' })
  const hookPath = jobHookListener(
    { jobHooks, config: { rateLimits: { api: { enabled: true, count: 5, seconds: 60 } } }, log: silentLog },
    {
      limiter: testRateLimiter({ clock }),
      requestContexts: createRequestContexts({ trustedProxies: [], log: silentLog }),
    },
  )
  const engine = openVideoEngine({
    database,
    jobEnds,
    jobHooks,
    bus,
    isFollowing: true,
    clock,
    holder: name,
    download: createGuardedDownload(createEgressGuard({ allow: scene.allow ?? ['127.0.0.1'] }), { timeoutMs: 10_000 }),
    everyMs: undefined,
    log: (event, fields) => void log.push(`${event} ${JSON.stringify(fields)}`),
  })
  const jobs = openProviderJobs({ ...relay, keyHashOf: (key) => createHash('sha256').update(key).digest('hex') })
  const running = engine.run(jobs)
  const [owner = { id: 0 }] = users
  const gateway = await openTestGateway({
    relay,
    gateway: {
      moduleRoutes: engine.routes,
      directCalls: engine.directCalls,
      sessions: { caller: async () => ({ ...testUser, ...scene.visitor, id: owner.id }) },
    },
  })
  for (const [index, { id, tokenId }] of users.entries())
    gateway.tokens.set(names[index] ?? '', {
      ...testToken,
      tokenId,
      unlimited: true,
      user: { ...testUser, id, username: names[index] ?? '' },
    })

  const call = async (method: string, path: string, more: { body?: unknown; as?: string; range?: string } = {}) => {
    const { body, as = 'good', range } = more
    const isForm = body instanceof FormData
    const answer = await fetch(gateway.url + path, {
      method,
      headers: {
        authorization: `Bearer sk-${as}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(range === undefined ? {} : { range }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return {
      status: answer.status,
      headers: answer.headers,
      bytes,
      json: (isJson ? JSON.parse(bytes.toString()) : {}) as Record<string, unknown>,
    }
  }

  return {
    ...running,
    engine,
    /** Ends that the module wrote. */
    ends,
    gateway,
    channels,
    log,
    directory,
    ledger: open.ledger,
    call,
    /** A provider's call to an address that it was given. */
    async hook(url: string, body: unknown = {}, method = 'POST') {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const request = new Request(url, { method, ...(method === 'GET' ? {} : { body: text }) })
      const answer = await hookPath.fetch(request, { address: '192.0.2.7' })
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
    },
    url: gateway.url,
    /** Open holds of this node, in quota units. */
    pending: () => open.ledger.openHolds().quota,
    async settled(): Promise<void> {
      await gateway.listener.over()
      await running.following.idle()
      await open.ledger.flush()
    },
    /** Ends as a crash does: what is held is forgotten. */
    async crash(): Promise<void> {
      await gateway.close()
      await running.following.stop()
      await open.crash()
      await upstream.close()
    },
  }
}

export type VideoNode = Awaited<ReturnType<typeof openNode>>

let latest = Date.now()

/** A provider of videos, its channel, two keys, and nodes that share a database. */
export const openVideoScene = async (database: Database, scene: SceneParts = {}) => {
  const provider = await openFakeProvider()
  const books = await newJournalDirectory()
  const first = await openTestLedger(database, books.directory)
  const users: { id: number; tokenId: number }[] = []
  for (const balance of [scene.balance ?? 100_000_000, 100_000_000]) {
    const id = await newUser(database, first.ledger, balance)
    users.push({ id, tokenId: await newToken(database, first.ledger, { userId: id, remain: 0, unlimited: true }) })
  }
  await first.crash()
  const nodes: VideoNode[] = []
  const bus = openBus({ nodeName: 'test', log: silentLog })
  const removers = [books.remove]
  let now = latest
  const userId = users[0]?.id ?? 0
  return {
    provider,
    userId,
    /** Moves the clock of all nodes. */
    later(ms: number): void {
      now += ms
      latest = Math.max(latest, now)
    },
    async node(name = 'one', directory?: string): Promise<VideoNode> {
      let own = directory ?? (name === 'one' ? books.directory : undefined)
      if (own === undefined) {
        const more = await newJournalDirectory()
        removers.push(more.remove)
        own = more.directory
      }
      const node = await openNode({
        database,
        provider: provider,
        directory: own,
        name,
        users,
        clock: () => now,
        bus,
        scene,
      })
      nodes.push(node)
      return node
    },
    rows: () => database.query.selectFrom('video_jobs').selectAll().orderBy('id').execute(),
    charges: () =>
      database.query
        .selectFrom('ledger_entries')
        .select(['movement', 'amount', 'detail', 'token_id'])
        .where('account', '=', 'user')
        .where('account_id', '=', userId)
        .where('movement', 'like', 'video_%')
        .execute(),
    logs: () => database.query.selectFrom('logs').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
    quota: async (): Promise<number> =>
      (await database.query.selectFrom('users').select('quota').where('id', '=', userId).executeTakeFirstOrThrow())
        .quota,
    differences: async () => (await verifyLedger(database)).differences,
    async close(): Promise<void> {
      for (const node of nodes) await node.crash().catch(() => {})
      await bus.close()
      await provider.close()
      for (const remove of removers) await remove()
    },
  }
}

export type VideoScene = Awaited<ReturnType<typeof openVideoScene>>
